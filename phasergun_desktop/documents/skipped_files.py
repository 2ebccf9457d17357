"""What is not read, how it is recognised, and what its owner can do instead."""

from __future__ import annotations

_WORKBOOK = "Excel workbooks are not read; save the sheet as CSV."
_OPEN_DOCUMENT = "OpenDocument files are not read; save a copy as DOCX, PPTX, CSV or PDF."
_APPLE = "Pages, Numbers and Keynote files are not read; export the file as PDF."
ARCHIVE = "An archive is not read; unpack it into the folder."
_E_MAIL = "E-mails are not read; save the message as PDF."
_DRAWING = "Visio drawings are not read; save a copy as PDF."
_RECORDING = "Recordings are not read; add their transcript as VTT, SRT or JSON."
_PICTURE = "This kind of picture is not read; save a copy as PNG or TIFF."
_BOOK = "E-books are not read; save a copy as PDF."
_XML = "XML files are not a format that is read; save the text as DOCX or PDF."
OTHER_JSON = "This JSON file is not a transcript; only transcripts are read from JSON."
# What is skipped, by its first bytes (with their place), by a name in its directory, or by name.
SKIPPED_MAGIC = (
    (0, b"Rar!\x1a\x07", ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (0, b"\x1f\x8b\x08", ARCHIVE),
    (0, b"BZh", ARCHIVE),
    (0, b"\xfd7zXZ\x00", ARCHIVE),
    (257, b"ustar", ARCHIVE),
    (4, b"ftypM4A", _RECORDING),
    (4, b"ftypheic", _PICTURE),
    (4, b"ftypavif", _PICTURE),
    (4, b"ftypmif1", _PICTURE),
    (4, b"ftyp", _RECORDING),
    (0, b"ID3", _RECORDING),
    (0, b"OggS", _RECORDING),
    (0, b"fLaC", _RECORDING),
    (8, b"WAVE", _RECORDING),
    (8, b"AVI ", _RECORDING),
    (0, b"\x1aE\xdf\xa3", _RECORDING),
    (8, b"WEBP", _PICTURE),
    (0, b"8BPS", _PICTURE),
    (0, b"\x00\x00\x00\x0cjP  ", _PICTURE),
    (0, b"%!PS", "PostScript files are not read; save a copy as PDF."),
)
SKIPPED_ZIP = (
    ("xl/", _WORKBOOK),
    ("visio/", _DRAWING),
    ("Index/Document.iwa", _APPLE),
    ("Index.zip", _APPLE),
    ("META-INF/container.xml", _BOOK),
    ("META-INF/manifest.xml", _OPEN_DOCUMENT),
)
SKIPPED_OLE = (
    ("Workbook", _WORKBOOK),
    ("Book", _WORKBOOK),
    ("__properties_version1.0", _E_MAIL),
    ("VisioDocument", _DRAWING),
    ("Quill", "Publisher files are not read; save a copy as PDF."),
)
SKIPPED_SUFFIXES = {
    **dict.fromkeys((".xls", ".xlsx", ".xlsm", ".xlsb", ".xlt", ".xltx"), _WORKBOOK),
    **dict.fromkeys((".odt", ".ods", ".odp", ".odg"), _OPEN_DOCUMENT),
    **dict.fromkeys((".pages", ".numbers", ".key"), _APPLE),
    **dict.fromkeys((".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".bz2", ".xz"), ARCHIVE),
    **dict.fromkeys((".eml", ".msg"), _E_MAIL),
    **dict.fromkeys((".vsd", ".vsdx"), _DRAWING),
    **dict.fromkeys((".mp3", ".m4a", ".wav", ".mp4", ".mov", ".avi", ".mkv", ".ogg"), _RECORDING),
    **dict.fromkeys((".webp", ".heic", ".svg", ".psd", ".jp2", ".ico"), _PICTURE),
    ".epub": _BOOK,
    ".xml": _XML,
}

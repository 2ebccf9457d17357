"""Decides by content what a file is; the extension is only a hint."""

from __future__ import annotations

import io
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from phasergun_desktop.documents.container.compound import DAMAGE, OLE_MAGIC, CompoundFile
from phasergun_desktop.documents.container.zip_parts import (
    ZIP_MAGIC,
    PartError,
    ZipParts,
    zip_names,
)
from phasergun_desktop.documents.encodings import looks_like_text
from phasergun_desktop.documents.skipped_files import (
    ARCHIVE,
    OTHER_JSON,
    SKIPPED_MAGIC,
    SKIPPED_OLE,
    SKIPPED_SUFFIXES,
    SKIPPED_ZIP,
)
from phasergun_desktop.documents.text_signs import (
    TextSign,
    has_pdf_parts,
    has_timings,
    may_be_transcript,
    text_sign,
)
from phasergun_desktop.storage.small_files import open_ordinary

_HEAD_BYTES = 65_536
_TAIL_BYTES = 262_144


class Format(StrEnum):
    """The formats that are told apart; not all of them are read."""

    PDF = "pdf"
    DOCX = "docx"
    DOC = "doc"
    PPTX = "pptx"
    PPT = "ppt"
    TXT = "txt"
    MD = "md"
    CSV = "csv"
    HTML = "html"
    RTF = "rtf"
    WORD_XML = "word_xml"
    IMAGE = "image"
    TRANSCRIPT = "transcript"
    ENCRYPTED_OFFICE = "encrypted_office"
    UNSUPPORTED = "unsupported"


_UNKNOWN = "application/octet-stream"
_OPENXML = "application/vnd.openxmlformats-officedocument."
_MIME = {
    Format.PDF: "application/pdf",
    Format.DOCX: f"{_OPENXML}wordprocessingml.document",
    Format.DOC: "application/msword",
    Format.PPTX: f"{_OPENXML}presentationml.presentation",
    Format.PPT: "application/vnd.ms-powerpoint",
    Format.TXT: "text/plain",
    Format.MD: "text/markdown",
    Format.CSV: "text/csv",
    Format.HTML: "text/html",
    Format.RTF: "application/rtf",
    Format.WORD_XML: "application/xml",
    Format.ENCRYPTED_OFFICE: "application/x-ole-storage",
}
_VTT, _SRT, _JSON = "text/vtt", "application/x-subrip", "application/json"
_WEB_ARCHIVE = "multipart/related"
_EXPECTED: dict[str, tuple[Format, str]] = {
    suffix: (expected, _MIME.get(expected, mime))
    for expected, mime, suffixes in (
        (Format.PDF, "", ".pdf"),
        (Format.DOCX, "", ".docx .docm .dotx .dotm"),
        (Format.DOC, "", ".doc .dot"),
        (Format.PPTX, "", ".pptx .pptm .ppsx .ppsm .potx .potm"),
        (Format.PPT, "", ".ppt .pps .pot"),
        (Format.TXT, "", ".txt .text .log .rst"),
        (Format.MD, "", ".md .markdown"),
        (Format.CSV, "", ".csv .tsv .tab"),
        (Format.HTML, "", ".html .htm .xhtml .mht .mhtml"),
        (Format.RTF, "", ".rtf"),
        (Format.IMAGE, "image/png", ".png"),
        (Format.IMAGE, "image/jpeg", ".jpg .jpeg .jpe .jfif"),
        (Format.IMAGE, "image/gif", ".gif"),
        (Format.IMAGE, "image/bmp", ".bmp .dib"),
        (Format.IMAGE, "image/tiff", ".tif .tiff"),
        (Format.TRANSCRIPT, _VTT, ".vtt"),
        (Format.TRANSCRIPT, _SRT, ".srt"),
        (Format.TRANSCRIPT, _JSON, ".json .jsonl"),
    )
    for suffix in suffixes.split()
}
_TEXT_FORMATS = frozenset({Format.TXT, Format.MD, Format.CSV})
_IMAGE_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
)
_NAMES = {
    Format.ENCRYPTED_OFFICE: "an encrypted Office file",
    Format.TXT: "plain text",
    Format.MD: "Markdown",
    Format.WORD_XML: "Word XML",
    Format.DOC: "a Word 97-2003 document",
    Format.PPT: "a PowerPoint 97-2003 presentation",
    _VTT: "a VTT transcript",
    _SRT: "an SRT transcript",
    _JSON: "a JSON transcript",
    _WEB_ARCHIVE: "a web page",
}


@dataclass(frozen=True, slots=True)
class Detection:
    """What a file is. ``reason`` is empty where it is read, else why it is skipped.

    ``note`` says where content and extension disagree.
    """

    format: Format
    mime: str = ""
    reason: str = ""
    note: str = ""


def detect_format(path: Path) -> Detection:
    """Look at the first and last bytes of ``path`` and say what it is. Raises OSError."""
    with open_ordinary(path) as file:
        return _detect(file, path.suffix.lower())


def detect_bytes(data: bytes, suffix: str) -> Detection:
    """Say what the file with the content ``data`` and the extension ``suffix`` (".doc") is."""
    return _detect(io.BytesIO(data), suffix.lower())


@dataclass(frozen=True, slots=True)
class _Content:
    file: BinaryIO
    head: bytes
    tail: bytes
    suffix: str


def _detect(file: BinaryIO, suffix: str) -> Detection:
    head = file.read(_HEAD_BYTES)
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL_BYTES))
    tail = file.read(_TAIL_BYTES) if size > _HEAD_BYTES else b""
    if head:
        found = _by_content(_Content(file, head, tail, suffix))
    else:
        # Which sentence an empty file deserves is decided where it is read.
        found = Detection(
            *_EXPECTED.get(suffix, (Format.UNSUPPORTED if suffix else Format.TXT, ""))
        )
    mime = found.mime or _MIME.get(found.format, _UNKNOWN)
    is_read = found.format is not Format.UNSUPPORTED
    reason = "" if is_read else found.reason or _unread(suffix)
    return Detection(
        found.format, mime, reason, "" if reason else _note(found.format, mime, suffix)
    )


def _by_content(content: _Content) -> Detection:
    head, suffix = content.head, content.suffix
    if _is_pdf(content):
        return Detection(Format.PDF)
    if head.startswith(ZIP_MAGIC):
        return _zip_format(content)
    if head.startswith(OLE_MAGIC):
        return _ole_format(content)
    for magic, mime in _IMAGE_MAGIC:
        if head.startswith(magic):
            return Detection(Format.IMAGE, mime)
    if looks_like_text(head):
        return _text_format(content)
    if head.startswith(b"BM"):
        return Detection(Format.IMAGE, "image/bmp")
    for place, magic, reason in SKIPPED_MAGIC:
        if head[place : place + len(magic)] == magic:
            return Detection(Format.UNSUPPORTED, "", reason)
    expected, mime = _EXPECTED.get(suffix, (Format.UNSUPPORTED, ""))
    if expected in _TEXT_FORMATS or expected in (Format.TRANSCRIPT, Format.HTML, Format.RTF):
        reason = "The content is not text, although the name says so."
        return Detection(Format.UNSUPPORTED, _UNKNOWN, reason)
    # Damaged beyond its magic number: let the parser say so in its own words.
    return Detection(expected, mime)


def _is_pdf(content: _Content) -> bool:
    if b"%PDF-" in content.head[:1024]:
        return True
    if content.suffix != ".pdf" or content.head.startswith((ZIP_MAGIC, OLE_MAGIC)):
        return False
    return b"%PDF-" in content.head or has_pdf_parts(content.head, content.tail)


def _zip_format(content: _Content) -> Detection:
    listed, types = zip_names(content.file), b""
    names = listed
    with suppress(PartError):
        first = ZipParts(content.head)
        # Those of an archive that was cut off.
        names = listed or first.names
        # The main part may stand anywhere; the list of content types names it.
        types = first.read("[Content_Types].xml", 4 * _HEAD_BYTES)[0]
    for folder, found in (("word/", Format.DOCX), ("ppt/", Format.PPTX)):
        if any(name.startswith(folder) for name in names):
            return Detection(found)
    for start, reason in SKIPPED_ZIP:
        if any(name.startswith(start) for name in names):
            return Detection(Format.UNSUPPORTED, "application/zip", reason)
    for kind, found in ((b"wordprocessingml", Format.DOCX), (b"presentationml", Format.PPTX)):
        if kind in types:
            return Detection(found)
    expected = _EXPECTED.get(content.suffix, (Format.UNSUPPORTED, ""))[0]
    if expected in (Format.DOCX, Format.PPTX) and (types or not listed):
        return Detection(expected)
    reason = SKIPPED_SUFFIXES.get(content.suffix, ARCHIVE)
    return Detection(Format.UNSUPPORTED, "application/zip", reason)


def _ole_format(content: _Content) -> Detection:
    try:
        names = CompoundFile(content.file).names
    except DAMAGE:
        names = ()
    if not names:
        # Its directory is damaged; the names may still stand somewhere.
        both = content.head + content.tail
        known = ("WordDocument", "PowerPoint Document", "EncryptedPackage")
        names = tuple(name for name in known if name.encode("utf-16-le") in both)
    for name, found in (
        ("EncryptedPackage", Format.ENCRYPTED_OFFICE),
        ("WordDocument", Format.DOC),
        ("PowerPoint Document", Format.PPT),
        ("PP40", Format.PPT),
        ("PP97_DUALSTORAGE", Format.PPT),
    ):
        if name in names:
            return Detection(found)
    for name, reason in SKIPPED_OLE:
        if name in names:
            return Detection(Format.UNSUPPORTED, "application/x-ole-storage", reason)
    expected = _EXPECTED.get(content.suffix, (Format.UNSUPPORTED, ""))[0]
    if expected in (Format.DOCX, Format.PPTX):
        return Detection(Format.ENCRYPTED_OFFICE)
    if expected in (Format.DOC, Format.PPT):
        return Detection(expected)
    reason = SKIPPED_SUFFIXES.get(content.suffix, "")
    return Detection(Format.UNSUPPORTED, "application/x-ole-storage", reason)


def _text_format(content: _Content) -> Detection:
    expected, mime = _EXPECTED.get(content.suffix, (Format.UNSUPPORTED, "text/plain"))
    is_skipped = content.suffix in SKIPPED_SUFFIXES
    match text_sign(content.head):
        case TextSign.RTF:
            return Detection(Format.RTF)
        # The source of a page under the name of a text is the text that it says it is.
        case TextSign.HTML if expected not in _TEXT_FORMATS and not is_skipped:
            return Detection(Format.HTML)
        case TextSign.WEB_ARCHIVE if expected not in _TEXT_FORMATS and not is_skipped:
            return Detection(Format.HTML, _WEB_ARCHIVE)
        case TextSign.WORD_XML:
            return Detection(Format.WORD_XML)
        case TextSign.VTT:
            return Detection(Format.TRANSCRIPT, _VTT)
        case TextSign.SRT:
            return Detection(Format.TRANSCRIPT, _SRT)
        case TextSign.OTHER_XML if expected not in (*_TEXT_FORMATS, Format.UNSUPPORTED):
            return Detection(Format.HTML)
    if is_skipped:
        return Detection(Format.UNSUPPORTED, mime)
    if mime == _JSON:
        if may_be_transcript(content.head, content.tail):
            return Detection(Format.TRANSCRIPT, _JSON)
        return Detection(Format.UNSUPPORTED, _JSON, OTHER_JSON)
    if expected is Format.TRANSCRIPT and has_timings(content.head):
        return Detection(Format.TRANSCRIPT, mime)
    if expected in (*_TEXT_FORMATS, Format.HTML):
        return Detection(expected)
    if expected is Format.UNSUPPORTED and content.suffix:
        return Detection(Format.UNSUPPORTED, mime)
    return Detection(Format.TXT)


def _note(found: Format, mime: str, suffix: str) -> str:
    expected = _EXPECTED.get(suffix)
    if not suffix or expected == (found, mime) or mime == _WEB_ARCHIVE:
        return ""
    if found is Format.ENCRYPTED_OFFICE and expected and expected[0] in (Format.DOCX, Format.PPTX):
        return ""
    return f"The file is named {suffix} but its content is {_name(found, mime)}."


def _name(found: Format, mime: str) -> str:
    if found is Format.IMAGE:
        return f"a {mime.removeprefix('image/').upper()} picture"
    return _NAMES.get(mime) or _NAMES.get(found) or found.value.upper()


def _unread(suffix: str) -> str:
    if suffix in SKIPPED_SUFFIXES:
        return SKIPPED_SUFFIXES[suffix]
    if suffix:
        return f"{suffix.lstrip('.').upper()} files are not a format that is read."
    return "The content is not a format that is read."

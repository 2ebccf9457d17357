"""Decides by content what a file is; the extension is only a hint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.documents.plain.encodings import looks_like_text

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
    IMAGE = "image"
    TRANSCRIPT = "transcript"
    ENCRYPTED_OFFICE = "encrypted_office"
    UNSUPPORTED = "unsupported"


READABLE = frozenset(
    {Format.PDF, Format.DOCX, Format.TXT, Format.MD, Format.CSV, Format.ENCRYPTED_OFFICE}
)

_MIME = {
    Format.PDF: "application/pdf",
    Format.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    Format.DOC: "application/msword",
    Format.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    Format.PPT: "application/vnd.ms-powerpoint",
    Format.TXT: "text/plain",
    Format.MD: "text/markdown",
    Format.CSV: "text/csv",
    Format.ENCRYPTED_OFFICE: "application/x-ole-storage",
}
_TEXT_SUFFIXES = {
    ".txt": Format.TXT,
    ".text": Format.TXT,
    ".log": Format.TXT,
    ".rst": Format.TXT,
    "": Format.TXT,
    ".md": Format.MD,
    ".markdown": Format.MD,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".vtt": Format.TRANSCRIPT,
    ".srt": Format.TRANSCRIPT,
    ".json": Format.TRANSCRIPT,
}
_BINARY_SUFFIXES = {
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".docm": Format.DOCX,
    ".doc": Format.DOC,
    ".pptx": Format.PPTX,
    ".ppt": Format.PPT,
    ".png": Format.IMAGE,
    ".jpg": Format.IMAGE,
    ".jpeg": Format.IMAGE,
    ".gif": Format.IMAGE,
    ".bmp": Format.IMAGE,
    ".tif": Format.IMAGE,
    ".tiff": Format.IMAGE,
}
_IMAGE_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class Detection:
    """What a file is. ``reason`` is empty where it is read, else why it is skipped.

    ``note`` says where content and extension disagree.
    """

    format: Format
    mime: str
    reason: str = ""
    note: str = ""


def detect_format(path: Path) -> Detection:
    """Look at the first and last bytes of ``path`` and say what it is. Raises OSError.

    Nothing is unpacked here: this also runs outside of the child process.
    """
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL_BYTES))
        tail = file.read(_TAIL_BYTES) if size > _HEAD_BYTES else b""
    if not head:
        # Which sentence an empty file deserves is decided where it is read.
        found = _TEXT_SUFFIXES.get(suffix) or _BINARY_SUFFIXES.get(suffix, Format.UNSUPPORTED)
        return _detection(found, suffix, _MIME.get(found, "application/octet-stream"))
    found, mime = _by_content(head, tail, suffix)
    return _detection(found, suffix, mime)


def _by_content(head: bytes, tail: bytes, suffix: str) -> tuple[Format, str]:
    if b"%PDF-" in head[:1024]:
        return Format.PDF, _MIME[Format.PDF]
    if head.startswith(b"PK\x03\x04"):
        return _zip_format(head + tail, suffix)
    if head.startswith(_OLE_MAGIC):
        return _ole_format(head + tail, suffix)
    for magic, mime in _IMAGE_MAGIC:
        if head.startswith(magic) and (magic != b"BM" or suffix == ".bmp"):
            return Format.IMAGE, mime
    if head.startswith(b"{\\rtf"):
        return Format.UNSUPPORTED, "application/rtf"
    if suffix in _BINARY_SUFFIXES and not looks_like_text(head):
        # Damaged beyond its magic number: let the parser say so in its own words.
        found = _BINARY_SUFFIXES[suffix]
        return found, _MIME.get(found, "application/octet-stream")
    if suffix == ".pdf":
        return Format.PDF, _MIME[Format.PDF]
    if suffix in _BINARY_SUFFIXES:
        return Format.TXT, _MIME[Format.TXT]
    if not looks_like_text(head):
        return Format.UNSUPPORTED, "application/octet-stream"
    found = _TEXT_SUFFIXES.get(suffix, Format.UNSUPPORTED)
    return found, _MIME.get(found, "text/plain")


def _zip_format(content: bytes, suffix: str) -> tuple[Format, str]:
    names = (
        (b"word/", Format.DOCX),
        (b"ppt/", Format.PPTX),
        (b"wordprocessingml", Format.DOCX),
    )
    for name, found in names:
        if name in content:
            return found, _MIME[found]
    if suffix in (".docx", ".docm"):
        return Format.DOCX, _MIME[Format.DOCX]
    return Format.UNSUPPORTED, "application/zip"


def _ole_format(content: bytes, suffix: str) -> tuple[Format, str]:
    names = (
        ("WordDocument", Format.DOC),
        ("PowerPoint Document", Format.PPT),
        ("EncryptedPackage", Format.ENCRYPTED_OFFICE),
    )
    for name, found in names:
        if name.encode("utf-16-le") in content:
            return found, _MIME[found]
    if suffix in (".docx", ".pptx", ".docm"):
        return Format.ENCRYPTED_OFFICE, _MIME[Format.ENCRYPTED_OFFICE]
    if suffix in (".ppt", ".doc"):
        named = _BINARY_SUFFIXES[suffix]
        return named, _MIME[named]
    return Format.UNSUPPORTED, "application/x-ole-storage"


def _detection(found: Format, suffix: str, mime: str) -> Detection:
    expected = _TEXT_SUFFIXES.get(suffix) or _BINARY_SUFFIXES.get(suffix)
    note = ""
    text_like = {Format.TXT, Format.MD, Format.CSV, Format.TRANSCRIPT}
    both_text = found in text_like and expected in text_like
    if suffix and expected is not found and not both_text and found in READABLE:
        note = f"The file is named {suffix} but its content is {_name(found)}."
    return Detection(found, mime, _reason(found, suffix, mime), note)


def _name(found: Format) -> str:
    if found is Format.ENCRYPTED_OFFICE:
        return "an encrypted Office file"
    return "plain text" if found is Format.TXT else found.value.upper()


def _reason(found: Format, suffix: str, mime: str) -> str:
    if found in READABLE:
        return ""
    if found is Format.IMAGE:
        kind = mime.removeprefix("image/").upper()
        kind = "Image" if "/" in kind else kind
        return f"{kind} files are not read yet, since they need text recognition."
    if found is Format.TRANSCRIPT:
        return f"{suffix.lstrip('.').upper()} transcripts are not read yet."
    if found is not Format.UNSUPPORTED:
        return f"{found.value.upper()} files are not read yet; save a copy as DOCX or PDF."
    if mime == "application/rtf":
        return "RTF files are not read; save a copy as DOCX."
    if suffix in _TEXT_SUFFIXES:
        return "The content is not text, although the name says so."
    if suffix:
        return f"{suffix.lstrip('.').upper()} files are not a format that is read."
    return "The content is not a format that is read."

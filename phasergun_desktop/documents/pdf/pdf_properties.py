"""Reads what a PDF says of itself: title, author, dates, language."""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace
from html import unescape
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.metadata import FileProperties

_MAX_ATTACHED = 1_000
_MAX_XMP = 200_000
_PRISM = re.compile(r"(?<!/)prism:(\w+)(?:=\"([^\"<]*)\"|>([^<]*)<)")
_FIELDS = {"doi": "doi", "publicationName": "journal", "coverDate": "published"}
_ITEM = re.compile(r"<rdf:li[^>]*>([^<]*)</rdf:li>")


def published_as(source: Path | bytes) -> FileProperties:
    """Return what the XMP of a PDF says in the fields of the trade (PRISM): DOI, journal and date,
    and with them the authors; nothing where no publisher has written it. XMP is a stream that is
    not compressed, so that it is found without a look into the PDF."""
    if isinstance(source, bytes):
        return _published(source)
    try:
        with source.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
            return _published(mapped)
    except (OSError, ValueError):
        return FileProperties()


def _published(data: bytes | mmap) -> FileProperties:
    at = data.rfind(b"prism:doi")
    start = data.rfind(b"<x:xmpmeta", max(0, at - _MAX_XMP), at) if at > 0 else -1
    end = data.find(b"</x:xmpmeta>", at, at + _MAX_XMP)
    if start < 0 or end < 0:
        return FileProperties()
    xmp = data[start:end].decode("utf-8", "replace")
    stated = {name: " ".join(unescape(a or b).split()) for name, a, b in _PRISM.findall(xmp)}
    creators = xmp.partition("<dc:creator>")[2].partition("</dc:creator>")[0]
    names = (" ".join(unescape(each).split()) for each in _ITEM.findall(creators))
    fields = ((field, stated.get(name, "")) for name, field in _FIELDS.items())
    return FileProperties(
        authors=tuple(filter(None, names)),
        front_matter=tuple((field, value) for field, value in fields if value),
    )


def pdf_properties(pdf: Any, published: FileProperties) -> FileProperties:
    """Return the properties of an open PDF with those that its publisher has stated; what is
    unreadable is left empty."""
    import pypdfium2  # noqa: PLC0415

    try:
        info = pdf.get_metadata_dict(skip_empty=True)
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        info = {}
    return replace(
        published,
        title=info.get("Title", ""),
        author=info.get("Author", ""),
        created=iso_date(info.get("CreationDate", "")),
        modified=iso_date(info.get("ModDate", "")),
        language=_language(pdf),
        pages=len(pdf),
    )


def attached_names(pdf: Any) -> list[str]:
    """Return the names of the files that are attached to an open PDF."""
    import pypdfium2  # noqa: PLC0415

    try:
        count = min(pdf.count_attachments(), _MAX_ATTACHED)
        return [pdf.get_attachment(index).get_name() for index in range(count)]
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return []


def _language(pdf: Any) -> str:
    """Return the language that the catalogue states ("en-GB"), or ``""``."""
    from pypdfium2 import raw  # noqa: PLC0415

    buffer = (ctypes.c_ushort * 64)()
    if not hasattr(raw, "FPDFCatalog_GetLanguage"):
        return ""  # pdfium before 2025
    size = raw.FPDFCatalog_GetLanguage(pdf.raw, buffer, len(buffer))
    if not 2 < size <= 2 * len(buffer):
        return ""
    text = bytes(buffer)[: size - 2].decode("utf-16-le", "replace").strip()
    return text if re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*", text) else ""


def iso_date(value: str) -> str:
    """Return a date of a PDF (``D:20240501103000+02'00'``) as ``2024-05-01T10:30:00``.

    Without a time as ``2024-05-01``, without a day as ``2024-05``; ``""`` for anything else.
    """
    match = re.match(r"D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?", value)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date}T{hour}:{minute}:{second or '00'}" if day and hour and minute else date

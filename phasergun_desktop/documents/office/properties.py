"""Reads what an Office file of old says of itself: title, author, dates, pages.

Follows [MS-OLEPS]. The library's own reader believes every count in the file and may take hours.
"""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta

from phasergun_desktop.documents.container.compound import DAMAGE, CompoundFile
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.office.word_codepages import codec_of

_STREAM = "\x05SummaryInformation"
_CODEPAGE, _TITLE, _AUTHOR, _CREATED, _SAVED, _PAGES = 1, 2, 4, 12, 13, 14
_SHORT, _LONG, _BYTES, _WIDE, _TIME = 2, 3, 30, 31, 64
_SECTION_AT = 44
_MAX_PROPERTIES = 200
_MAX_TEXT_BYTES = 4_000
_TIME_BEGINS = datetime(1601, 1, 1, tzinfo=UTC)


def ole_properties(file: CompoundFile) -> FileProperties:
    """Return the properties of a compound file, empty where it has none that can be read."""
    try:
        found = _values(file.stream(_STREAM))
    except DAMAGE:
        return FileProperties()
    codec = codec_of(found.get(_CODEPAGE)) or "cp1252"
    pages = found.get(_PAGES)
    return FileProperties(
        title=_text(found.get(_TITLE), codec),
        author=_text(found.get(_AUTHOR), codec),
        created=_date(found.get(_CREATED)),
        modified=_date(found.get(_SAVED)),
        pages=pages if isinstance(pages, int) and 0 < pages < 1_000_000 else None,
    )


def _values(stream: bytes) -> dict[int, object]:
    """Return the simple values of the first section: numbers, times, bytes of texts, texts."""
    (section,) = struct.unpack_from("<I", stream, _SECTION_AT)
    (count,) = struct.unpack_from("<I", stream, section + 4)
    found: dict[int, object] = {}
    for index in range(min(count, _MAX_PROPERTIES)):
        number, offset = struct.unpack_from("<II", stream, section + 8 + 8 * index)
        at = section + offset
        if at + 8 > len(stream):
            continue
        (kind,) = struct.unpack_from("<H", stream, at)
        if kind == _SHORT:
            (found[number],) = struct.unpack_from("<H", stream, at + 4)
        elif kind == _LONG:
            (found[number],) = struct.unpack_from("<i", stream, at + 4)
        elif kind == _TIME and at + 12 <= len(stream):
            (found[number],) = struct.unpack_from("<Q", stream, at + 4)
        elif kind in (_BYTES, _WIDE):
            (length,) = struct.unpack_from("<I", stream, at + 4)
            length = min(length * (2 if kind == _WIDE else 1), _MAX_TEXT_BYTES)
            held = stream[at + 8 : at + 8 + length]
            found[number] = held if kind == _BYTES else held.decode("utf-16-le", "replace")
    return found


def _text(value: object, codec: str) -> str:
    if isinstance(value, bytes):
        value = value.decode(codec, "replace")
    return value.partition("\0")[0].strip() if isinstance(value, str) else ""


def _date(value: object) -> str:
    """Return a time, counted in tenths of microseconds; an empty one is the beginning."""
    if not isinstance(value, int) or not value:
        return ""
    try:
        time = _TIME_BEGINS + timedelta(microseconds=value // 10)
    except OverflowError:
        return ""
    # PowerPoint and Word write times of before their own as "never".
    return time.strftime("%Y-%m-%dT%H:%M:%SZ") if time.year > 1980 else ""

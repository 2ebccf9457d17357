"""Reads how a Word 97-2003 file counts its lists, for the counter that DOCX files use."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from phasergun_desktop.documents.office.word_xml import stated
from phasergun_desktop.documents.word.numbering import LEVELS
from phasergun_desktop.documents.word.word_names import W

_LIST_BYTES, _OVERRIDE_BYTES, _LEVEL_BYTES = 28, 16, 28
_SIMPLE = 0x01
_LEGAL, _NO_RESTART = 0x04, 0x08
_FORMATS = {
    0: "decimal",
    1: "upperRoman",
    2: "lowerRoman",
    3: "upperLetter",
    4: "lowerLetter",
    22: "decimalZero",
    23: "bullet",
    255: "none",
}
_MAX_LISTS = 5_000


def read_numbering(lists: bytes, levels: bytes, overrides: bytes) -> Element:
    """Return a file's lists as ``w:numbering``; a list's name is its number from 1 on.

    ``lists`` are the lists' heads, ``levels`` what follows them, ``overrides`` the uses of the
    lists. Raises struct.error where they are cut off.
    """
    root = Element(f"{W}numbering")
    if len(lists) >= 2:
        _add_definitions(root, lists, levels)
    if len(overrides) >= 4:
        _add_uses(root, overrides)
    return root


def _add_definitions(root: Element, lists: bytes, levels: bytes) -> None:
    (count,) = struct.unpack_from("<H", lists)
    place = 0
    for index in range(min(count, _MAX_LISTS)):
        at = 2 + _LIST_BYTES * index
        (name,) = struct.unpack_from("<i", lists, at)
        definition = SubElement(root, f"{W}abstractNum", {f"{W}abstractNumId": str(name)})
        for depth in range(1 if lists[at + 26] & _SIMPLE else LEVELS):
            place = _add_level(definition, levels, place, depth)


def _add_uses(root: Element, overrides: bytes) -> None:
    (count,) = struct.unpack_from("<I", overrides)
    count = min(count, _MAX_LISTS)
    place = 4 + _OVERRIDE_BYTES * count
    for index in range(count):
        at = 4 + _OVERRIDE_BYTES * index
        (name,) = struct.unpack_from("<i", overrides, at)
        use = SubElement(root, f"{W}num", {f"{W}numId": str(index + 1)})
        stated(use, "abstractNumId", name)
        place += 4
        for _ in range(overrides[at + 12]):
            start, flags = struct.unpack_from("<II", overrides, place)
            place += 8
            changed = SubElement(use, f"{W}lvlOverride", {f"{W}ilvl": str(flags & 0x0F)})
            if flags & 0x10:
                stated(changed, "startOverride", start)
            if flags & 0x20:
                place = _add_level(changed, overrides, place, flags & 0x0F)


def _add_level(parent: Element, data: bytes, place: int, depth: int) -> int:
    """Add one level of a list; return where the next one begins."""
    start, kind, flags = struct.unpack_from("<IBB", data, place)
    counted = data[place + 6 : place + 15]
    follow = data[place + 15]
    skipped = data[place + 24] + data[place + 25]
    restart = data[place + 26]
    place += _LEVEL_BYTES + skipped
    length = int(struct.unpack_from("<H", data, place)[0])
    text = data[place + 2 : place + 2 + 2 * length].decode("utf-16-le", "replace")
    level = SubElement(parent, f"{W}lvl", {f"{W}ilvl": str(depth)})
    stated(level, "start", min(start, 0x7FFF))
    stated(level, "numFmt", _FORMATS.get(kind, "decimal"))
    stated(level, "lvlText", "".join(_with_places(text, counted)))
    if flags & _NO_RESTART:
        stated(level, "lvlRestart", restart)
    if flags & _LEGAL:
        SubElement(level, f"{W}isLgl")
    if follow == 2:
        stated(level, "suff", "nothing")
    return place + 2 + 2 * length


def _with_places(text: str, counted: bytes) -> Iterator[str]:
    """Yield the text with ``%1`` where the count of the first level stands, and so on."""
    places = {place - 1 for place in counted if place}
    for index, character in enumerate(text):
        is_count = index in places and ord(character) < LEVELS
        yield f"%{ord(character) + 1}" if is_count else character

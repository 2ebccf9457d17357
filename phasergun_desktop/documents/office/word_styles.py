"""Writes what the styles and paragraphs of a Word 97-2003 file say of themselves as Word XML."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from phasergun_desktop.documents.office.word_runs import changes_of
from phasergun_desktop.documents.office.word_xml import RowShape, stated
from phasergun_desktop.documents.word.word_names import PARAGRAPH_PROPERTIES, RUN_PROPERTIES, W

# The numbers of built-in styles, whose names are those of the file's language.
_NAMES = {
    **{number: f"heading {number}" for number in range(1, 10)},
    **dict.fromkeys((*range(47, 62), 179), "list paragraph"),
    34: "caption",
    62: "title",
}
_NO_STYLE = 0x0FFF
_PARAGRAPH_STYLE = 1
_WORD6_LIST = 0x7FF
_OUTLINE, _NUMBERING, _NUMBERING_DEPTH, _BOLD = 0x2640, 0x460B, 0x260A, 0x0835
_IN_TABLE, _ROW_END, _DEPTH = 0x2416, 0x2417, 0x6649
_INNER_CELL_END, _INNER_ROW_END = 0x244B, 0x244C
_TABLE, _TABLE_HEADER, _VERTICAL_MERGE = 0xD608, 0x3404, 0xD62B
_FAR, _FAR_OLD = 0x6646, 0x6645
_CELL_BYTES = 20
_MERGED, _VERTICALLY_MERGED, _FIRST_OF_MERGED = 0x0002, 0x0020, 0x0040


@dataclass(frozen=True, slots=True)
class ParagraphShape:
    """What is said of one paragraph: in how many tables it is, what it ends, its ``w:pPr``."""

    depth: int
    ends_row: bool
    ends_cell: bool
    row: RowShape
    properties: Element


def read_styles(sheet: bytes) -> Element:
    """Return a style sheet as ``w:styles``, with numbers as ids. Raises struct.error."""
    styles = Element(f"{W}styles")
    if len(sheet) < 6:
        return styles
    head, count, base_bytes = struct.unpack_from("<HHH", sheet)
    place = 2 + head
    for number in range(count):
        if place + 2 > len(sheet):
            break
        (length,) = struct.unpack_from("<H", sheet, place)
        element = SubElement(styles, f"{W}style", {f"{W}styleId": str(number)})
        _describe(element, sheet[place + 2 : place + 2 + length], base_bytes)
        place += 2 + length + length % 2
    return styles


def _describe(element: Element, style: bytes, base_bytes: int) -> None:
    if len(style) < max(4, base_bytes + 2):
        return
    known, base = struct.unpack_from("<HH", style)
    (length,) = struct.unpack_from("<H", style, base_bytes)
    name_end = base_bytes + 2 + 2 * length
    name = style[base_bytes + 2 : name_end].decode("utf-16-le", "replace")
    stated(element, "name", _NAMES.get(known & _NO_STYLE, name))
    stated(element, "basedOn", base >> 4)
    changes: dict[int, bytes] = {}
    at = name_end + 2
    at += at % 2
    if base & 0x0F == _PARAGRAPH_STYLE and at + 4 <= len(style):
        (size,) = struct.unpack_from("<H", style, at)
        changes = dict(changes_of(style[at + 4 : at + 2 + size]))
        # What is said of the characters follows; its operations have numbers of their own.
        at += 2 + size + size % 2
        if at + 2 <= len(style):
            (size,) = struct.unpack_from("<H", style, at)
            changes.update(changes_of(style[at + 2 : at + 2 + size]))
    element.append(_properties(changes))
    if _BOLD in changes:
        is_bold = changes[_BOLD] in (b"\x01", b"\x81")
        stated(SubElement(element, RUN_PROPERTIES), "b", int(is_bold))


def paragraph_shape(style: int, changes: bytes, data: bytes) -> ParagraphShape:
    """Return what ``changes`` say; ``data`` is the stream of changes that are too long for them."""
    found = dict(changes_of(changes))
    far = found.get(_FAR) or found.get(_FAR_OLD)
    if far and len(far) == 4:
        (offset,) = struct.unpack("<I", far)
        if offset + 2 <= len(data):
            (length,) = struct.unpack_from("<H", data, offset)
            found.update(changes_of(data[offset + 2 : offset + 2 + length]))
    depth = _number(found.get(_DEPTH, b"")) or (1 if _is_on(found.get(_IN_TABLE)) else 0)
    properties = _properties(found)
    stated(properties, "pStyle", style)
    ends_row = _is_on(found.get(_ROW_END)) or _is_on(found.get(_INNER_ROW_END))
    return ParagraphShape(
        depth=min(depth, 20),
        ends_row=ends_row,
        ends_cell=_is_on(found.get(_INNER_CELL_END)),
        row=_row_shape(found) if ends_row else RowShape(),
        properties=properties,
    )


def _properties(changes: dict[int, bytes]) -> Element:
    """Return outline level and place in a list as ``w:pPr``."""
    properties = Element(PARAGRAPH_PROPERTIES)
    if outline := changes.get(_OUTLINE):
        stated(properties, "outlineLvl", outline[0])
    name, depth = changes.get(_NUMBERING), changes.get(_NUMBERING_DEPTH)
    if name is not None or depth:
        numbering = SubElement(properties, f"{W}numPr")
        if depth:
            stated(numbering, "ilvl", min(depth[0], 8))
        if name is not None:
            # Negative numbers are those of lists that are switched off; 0x7FF is a Word 6 list.
            number = _number(name)
            stated(numbering, "numId", number if number < _WORD6_LIST else 0)
    return properties


def _row_shape(found: dict[int, bytes]) -> RowShape:
    table = found.get(_TABLE, b"")
    if len(table) < 3:
        return RowShape()
    count = table[2]
    edges = table[3 : 3 + 2 * (count + 1)]
    if len(edges) < 2 * (count + 1):
        return RowShape()
    flags = [0] * count
    for index in range(count):
        at = 3 + len(edges) + _CELL_BYTES * index
        if at + 2 <= len(table):
            (flags[index],) = struct.unpack_from("<H", table, at)
    merge = found.get(_VERTICAL_MERGE, b"")
    if len(merge) == 3 and merge[1] < count:
        flags[merge[1]] = flags[merge[1]] & ~0x60 | (merge[2] & 3) << 5
    return RowShape(
        list(struct.unpack(f"<{count + 1}h", edges)),
        [bool(f & _VERTICALLY_MERGED) and not f & _FIRST_OF_MERGED for f in flags],
        [bool(f & _MERGED) for f in flags],
        _is_on(found.get(_TABLE_HEADER)),
    )


def _is_on(operand: bytes | None) -> bool:
    return bool(operand) and operand != b"\x00"


def _number(operand: bytes) -> int:
    return int.from_bytes(operand, "little")

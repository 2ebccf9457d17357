"""What the styles and paragraph properties of a Word 97-2003 file mean for its structure."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from phasergun_desktop.documents.office.word_runs import changes_of

_TITLE, _CAPTION = 62, 34
_LISTS = frozenset({*range(47, 62), 179})
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
class Style:
    """``level`` is 1 to 9, 0 for no heading; ``list_number`` 0 for no list."""

    level: int = 0
    is_list: bool = False
    is_caption: bool = False
    list_number: int = 0
    list_depth: int = 0
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class RowShape:
    """The cells of a row: ``edges`` from the left in twentieths of a point, one more than cells.

    ``goes_on`` says per cell whether it continues the cell above it, ``is_joined`` whether it
    continues the cell to its left.
    """

    edges: tuple[int, ...] = ()
    goes_on: tuple[bool, ...] = ()
    is_joined: tuple[bool, ...] = ()
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class ParagraphShape:
    """What is said of one paragraph. ``depth`` counts the tables it is in.

    ``level`` is that of a heading by the paragraph's own outline level, None where it says none.
    ``list_number`` is that of its list, 0 for none, and ``list_depth`` its level there from 0;
    None where its style decides. ``label`` is the number before its text where the file says it.
    """

    depth: int = 0
    ends_row: bool = False
    ends_cell: bool = False
    level: int | None = None
    list_number: int | None = None
    list_depth: int | None = None
    label: str = ""
    row: RowShape = RowShape()


@dataclass(frozen=True, slots=True)
class _RawStyle:
    """``known`` is the number of a built-in style, ``base`` the style that this one changes."""

    known: int = _NO_STYLE
    base: int = _NO_STYLE
    name: str = ""
    changes: dict[int, bytes] = field(default_factory=dict)


def read_styles(sheet: bytes) -> tuple[Style, ...]:
    """Return the styles of a style sheet by their number. Raises struct.error."""
    if len(sheet) < 6:
        return ()
    head, count, base_bytes = struct.unpack_from("<HHH", sheet)
    place = 2 + head
    raw: list[_RawStyle] = []
    for _ in range(count):
        if place + 2 > len(sheet):
            break
        (length,) = struct.unpack_from("<H", sheet, place)
        raw.append(_raw_style(sheet[place + 2 : place + 2 + length], base_bytes))
        place += 2 + length + length % 2
    return tuple(_style(number, raw) for number in range(len(raw)))


def _raw_style(style: bytes, base_bytes: int) -> _RawStyle:
    if len(style) < max(4, base_bytes + 2):
        return _RawStyle()
    known, base = struct.unpack_from("<HH", style)
    (length,) = struct.unpack_from("<H", style, base_bytes)
    name_end = base_bytes + 2 + 2 * length
    name = style[base_bytes + 2 : name_end].decode("utf-16-le", "replace").lower()
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
    return _RawStyle(known & _NO_STYLE, base >> 4, name, changes)


def _style(number: int, raw: list[_RawStyle]) -> Style:
    """Return what a style means by itself and by those that it is based on."""
    chain: list[_RawStyle] = []
    seen: set[int] = set()
    while number < len(raw) and number not in seen:
        seen.add(number)
        chain.append(raw[number])
        number = raw[number].base
    changes = {key: value for style in reversed(chain) for key, value in style.changes.items()}
    list_number, list_depth = _list_of(changes)
    outline = changes.get(_OUTLINE, b"\x09")
    level = outline[0] + 1 if outline and outline[0] < 9 else 0
    is_list = is_caption = False
    for style in chain:
        heading = re.match(r"heading\s*([1-9])\b", style.name)
        if 1 <= style.known <= 9 or heading:
            level = int(heading[1]) if heading else style.known
            break
        if style.known == _TITLE or style.name == "title":
            level = 1
            break
        if style.known == _CAPTION or style.name == "caption":
            is_caption = True
            break
        is_list = is_list or style.known in _LISTS
    is_bold = changes.get(_BOLD, b"\x00") in (b"\x01", b"\x81")
    return Style(level, is_list, is_caption, list_number or 0, list_depth or 0, is_bold)


def _list_of(changes: dict[int, bytes]) -> tuple[int | None, int | None]:
    """Return number and depth of the list that property changes name, None where they do not."""
    stated, depth = changes.get(_NUMBERING), changes.get(_NUMBERING_DEPTH)
    number = None if stated is None else _number(stated)
    # Negative numbers are those of lists that are switched off; 0x7FF that of Word 6 lists.
    return (
        0 if number is not None and number >= _WORD6_LIST else number,
        None if not depth else min(depth[0], 8),
    )


def paragraph_shape(changes: bytes, data: bytes) -> ParagraphShape:
    """Return what ``changes`` say; ``data`` is the stream of changes that are too long for them."""
    found = dict(changes_of(changes))
    far = found.get(_FAR) or found.get(_FAR_OLD)
    if far and len(far) == 4:
        (offset,) = struct.unpack("<I", far)
        if offset + 2 <= len(data):
            (length,) = struct.unpack_from("<H", data, offset)
            found.update(changes_of(data[offset + 2 : offset + 2 + length]))
    depth = _number(found.get(_DEPTH, b"")) or (1 if _is_on(found.get(_IN_TABLE)) else 0)
    outline = found.get(_OUTLINE)
    list_number, list_depth = _list_of(found)
    return ParagraphShape(
        depth=min(depth, 20),
        ends_row=_is_on(found.get(_ROW_END)) or _is_on(found.get(_INNER_ROW_END)),
        ends_cell=_is_on(found.get(_INNER_CELL_END)),
        level=(outline[0] + 1) % 10 if outline and outline[0] < 10 else None,
        list_number=list_number,
        list_depth=list_depth,
        row=_row_shape(found),
    )


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
        struct.unpack(f"<{count + 1}h", edges),
        tuple(bool(f & _VERTICALLY_MERGED) and not f & _FIRST_OF_MERGED for f in flags),
        tuple(bool(f & _MERGED) for f in flags),
        _is_on(found.get(_TABLE_HEADER)),
    )


def _is_on(operand: bytes | None) -> bool:
    return bool(operand) and operand != b"\x00"


def _number(operand: bytes) -> int:
    return int.from_bytes(operand, "little")

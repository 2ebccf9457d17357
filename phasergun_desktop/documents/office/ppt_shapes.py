"""The shapes of a slide in a PowerPoint file of before 2007: places, texts, tables."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.office.ppt_records import Record
from phasergun_desktop.documents.slides.placement import Box, Shape, flat

_DRAWING, _DRAWING_BODY, _GROUP, _SHAPE = 0x040C, 0xF002, 0xF003, 0xF004
_SHAPE_ATOM, _TEXT_BOX, _CLIENT_DATA = 0xF00A, 0xF00D, 0xF011
_CHILD_ANCHOR, _CLIENT_ANCHOR = 0xF00F, 0xF010
_PROPERTIES = (0xF00B, 0xF121, 0xF122)
_PLACEHOLDER, _OUTLINE_TEXT = 0x0BC3, 0x0F9E
_TEXT_KIND, _WIDE_TEXT, _NARROW_TEXT = 0x0F9F, 0x0FA0, 0x0FA8
_TABLE_PROPERTIES = 0x039F
_LINE_SHAPE = 20
_CHARACTERS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\t": " "})
_TITLE_KINDS = frozenset({0, 6})
_TITLE_PLACEHOLDERS = frozenset({1, 3, 13, 15, 17})
# Date, slide number, footer, header; in notes the text has a kind of its own.
_MARGIN_PLACEHOLDERS = frozenset({7, 8, 9, 10})
_NOTES_KIND = 2


@dataclass(frozen=True, slots=True)
class SlideText:
    """A text, paragraphs and lines divided by ``\\n``, and its kind (0 and 6: a title)."""

    text: str
    kind: int


def texts_in(container: Sequence[Record]) -> list[SlideText]:
    """Return the texts among records that stand side by side."""
    found: list[SlideText] = []
    kind = -1
    for record in container:
        if record.kind == _TEXT_KIND and len(record.body) >= 4:
            (kind,) = struct.unpack_from("<I", record.body)
        elif record.kind in (_WIDE_TEXT, _NARROW_TEXT):
            found.append(SlideText(decoded(record), kind))
    return found


def decoded(record: Record) -> str:
    """Return the text of a record: UTF-16, or its low bytes alone."""
    body = record.body
    if record.kind == _NARROW_TEXT:
        text = body.decode("latin-1")
    else:
        text = body[: len(body) // 2 * 2].decode("utf-16-le", "replace")
    lines = (" ".join(line.split()) for line in text.translate(_CHARACTERS).split("\n"))
    return "\n".join(line for line in lines if line and line != "*")


def shapes_of(slide: Record, outline: Sequence[SlideText]) -> list[Shape]:
    """Return the shapes of a slide; ``outline`` are the texts that shapes refer to by number."""
    drawing = slide.child(_DRAWING)
    body = drawing.child(_DRAWING_BODY) if drawing is not None else None
    group = body.child(_GROUP) if body is not None else None
    reader = _ShapeReader(outline)
    found = list(reader.members(group)) if group is not None else []
    # In a damaged file the shapes may be lost that would show the rest.
    lost = [item for number, item in enumerate(outline) if number not in reader.shown]
    return found + [
        Shape(0, None, item.text, is_title=item.kind in _TITLE_KINDS) for item in lost if item.text
    ]


class _ShapeReader:
    """Numbers and reads the shapes of one slide."""

    def __init__(self, outline: Sequence[SlideText]) -> None:
        self._outline = outline
        self._number = 0
        self.shown: set[int] = set()

    def members(self, group: Record) -> Iterator[Shape]:
        is_first = True
        for record in group.children():
            if record.kind == _GROUP:
                yield self._group(record)
            elif record.kind == _SHAPE and is_first:
                is_first = False  # the group itself
            elif record.kind == _SHAPE:
                yield self._shape(record)

    def _group(self, record: Record) -> Shape:
        own = record.child(_SHAPE)
        box = _box(own) if own is not None else None
        members = tuple(self.members(record))
        if own is None or not _is_table(own):
            return Shape(0, box, members=members)
        cells = tuple(shape for shape in flat(members) if shape.box)
        return Shape(cells[0].number if cells else 0, box, cells=cells)

    def _shape(self, record: Record) -> Shape:
        self._number += 1
        text, kind, placeholder = "", -1, 0
        box_of_text = record.child(_TEXT_BOX)
        if box_of_text is not None:
            text, kind = self._text(list(box_of_text.children()))
        data = record.child(_CLIENT_DATA)
        held = data.child(_PLACEHOLDER) if data is not None else None
        if held is not None and len(held.body) >= 5:
            placeholder = held.body[4]
        atom = record.child(_SHAPE_ATOM)
        is_line = atom is not None and atom.instance == _LINE_SHAPE
        return Shape(
            self._number,
            # The lines of a table are none of its cells.
            None if is_line else _box(record),
            text,
            is_placeholder=bool(placeholder),
            is_title=kind in _TITLE_KINDS or placeholder in _TITLE_PLACEHOLDERS,
            is_margin=placeholder in _MARGIN_PLACEHOLDERS and kind != _NOTES_KIND,
        )

    def _text(self, held: list[Record]) -> tuple[str, int]:
        for record in held:
            if record.kind == _OUTLINE_TEXT and len(record.body) >= 4:
                (number,) = struct.unpack_from("<I", record.body)
                if number < len(self._outline):
                    self.shown.add(number)
                    return self._outline[number].text, self._outline[number].kind
        found = texts_in(held)
        kind = found[0].kind if found else -1
        return "\n".join(item.text for item in found if item.text), kind


def _box(shape: Record) -> Box | None:
    for kind in (_CLIENT_ANCHOR, _CHILD_ANCHOR):
        anchor = shape.child(kind)
        if anchor is None:
            continue
        body = anchor.body
        if kind == _CHILD_ANCHOR and len(body) >= 16:
            left, top, right, bottom = struct.unpack_from("<4i", body)
        elif len(body) >= 16:
            top, left, right, bottom = struct.unpack_from("<4i", body)
        elif len(body) >= 8:
            top, left, right, bottom = struct.unpack_from("<4h", body)
        else:
            continue
        return Box(left, top, max(0, right - left), max(0, bottom - top))
    return None


def _is_table(shape: Record) -> bool:
    for record in shape.children():
        if record.kind in _PROPERTIES:
            for index in range(min(record.instance, len(record.body) // 6)):
                number, value = struct.unpack_from("<HI", record.body, 6 * index)
                if number & 0x3FFF == _TABLE_PROPERTIES and value & 1:
                    return True
    return False

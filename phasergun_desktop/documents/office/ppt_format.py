"""Reads PowerPoint files of before 2007 without another program.

The blocks and their locators are those of the same presentation as PPTX.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.encodings import decode_text
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, SlideLocator
from phasergun_desktop.documents.office.ppt_records import (
    SLIDE,
    NotAPresentation,
    Presentation,
    Record,
    open_presentation,
)
from phasergun_desktop.documents.office.ppt_shapes import (
    decoded,
    shapes_of,
    texts_in,
)
from phasergun_desktop.documents.slides.deck import Deck
from phasergun_desktop.documents.slides.placement import Shape
from phasergun_desktop.documents.table_blocks import TableRow

_LIST, _PERSIST, _SLIDE_ATOM = 0x0FF0, 0x03F3, 0x03EF
_SLIDES, _MASTERS, _NOTES = 0, 1, 2
_MARGINS, _STRING, _SHOW = 0x0FD9, 0x0FBA, 0x03F9
_BINARY_TAG, _COMMENT, _COMMENT_TEXT = 0x138B, 0x2EE0, 1
_HIDDEN = 0x0004
_MAX_COLUMNS = 200
# Stands for a slide that the list names and the file has lost: its outline is still there.
_LOST = Record(SLIDE, 0, True, b"")


def read_ppt(file: CompoundFile, builder: DocumentBuilder) -> int | None:
    """Append the blocks of a presentation; return how many slides it has, None if unknown.

    Raises ValueError, OSError or struct.error where it cannot be read.
    """
    try:
        presentation = open_presentation(file)
    except NotAPresentation:
        if _read_plain_text(file, builder):
            return None
        raise
    return _PptReader(presentation, builder).read()


def _read_plain_text(file: CompoundFile, builder: DocumentBuilder) -> bool:
    """Append what PowerPoint 95 wrote for searching: all text, without slides; False if none."""
    text = decode_text(file.stream("Text_Content")).text
    for number, line in enumerate(text.replace("\x0b", "\n").split("\n"), start=1):
        builder.add(BlockKind.PARAGRAPH, folded(line), ParagraphLocator(paragraph=number))
    if builder.blocks:
        builder.warn("Of a presentation this old only the text is read, without its slides.")
    return bool(builder.blocks)


@dataclass(frozen=True, slots=True)
class _Listed:
    """An entry in the list of slides or notes: its record, its own number, its outline."""

    reference: int
    identifier: int
    outline: list[Record]


class _PptReader:
    """Reads slide by slide."""

    def __init__(self, presentation: Presentation, builder: DocumentBuilder) -> None:
        self._presentation = presentation
        self._deck = Deck(builder)
        self._notes = {item.identifier: item for item in self._listed(_NOTES)}
        self._masters = {item.identifier: item for item in self._listed(_MASTERS)}

    def read(self) -> int:
        """Append all slides; return how many there are."""
        slides = self._listed(_SLIDES)
        for number, item in enumerate(slides, start=1):
            record = self._presentation.by_reference.get(item.reference, _LOST)
            self._read_slide(number, record, item)
        self._add_margins(self._presentation.document, 1)
        self._deck.finish()
        return len(slides)

    def _listed(self, instance: int) -> list[_Listed]:
        found: list[_Listed] = []
        listing = self._presentation.document.child(_LIST, instance)
        for record in listing.children() if listing is not None else ():
            if record.kind == _PERSIST and len(record.body) >= 16:
                reference, _, _, identifier = struct.unpack_from("<4I", record.body)
                found.append(_Listed(reference, identifier, []))
            elif found:
                found[-1].outline.append(record)
        return found

    def _read_slide(self, number: int, record: Record, item: _Listed) -> None:
        title = self._deck.add_slide(number, shapes_of(record, texts_in(item.outline)), _table)
        atom = record.child(_SLIDE_ATOM)
        if atom is not None and len(atom.body) >= 20:
            master, notes = struct.unpack_from("<II", atom.body, 12)
            self._deck.add_notes(number, title, self._shapes_of(self._notes.get(notes)))
            self._deck.note_background(number, self._shapes_of(self._masters.get(master)))
        for text in _comments(record):
            self._deck.add_comment(number, text)
        self._add_margins(record, number)
        show = record.child(_SHOW)
        flags = show.body[10:12] if show is not None else b""
        if len(flags) == 2 and struct.unpack("<H", flags)[0] & _HIDDEN:
            self._deck.note_hidden(number)

    def _shapes_of(self, item: _Listed | None) -> list[Shape]:
        record = self._presentation.by_reference.get(item.reference) if item else None
        return shapes_of(record, texts_in(item.outline)) if item and record is not None else []

    def _add_margins(self, container: Record, number: int) -> None:
        for margins in container.children():
            if margins.kind == _MARGINS:
                for record in margins.children():
                    if record.kind == _STRING:
                        self._deck.add_margin(decoded(record), SlideLocator(number))


def _table(table: Shape, locator: SlideLocator) -> Iterator[str | list[TableRow]]:
    """Yield the rows of a table, whose cells are told by their places; of too many the texts."""
    placed = [(shape, shape.box) for shape in table.cells if shape.box]
    tops = sorted({box.y for _, box in placed})
    lefts = sorted({box.x for _, box in placed})
    if len(lefts) > _MAX_COLUMNS:
        yield from (shape.text for shape in table.cells)
        return
    grid: dict[tuple[float, float], tuple[str, bool]] = {}
    for shape, box in placed:
        for top in (each for each in tops if box.y <= each < box.y + max(1, box.height)):
            for left in (each for each in lefts if box.x <= each < box.x + max(1, box.width)):
                grid[top, left] = (shape.text, left != box.x)
    rows: list[TableRow] = []
    for top in tops:
        held = [grid.get((top, left), ("", False)) for left in lefts]
        repeated = frozenset(index for index, (_, again) in enumerate(held) if again)
        rows.append(TableRow(tuple(text for text, _ in held), locator, repeated=repeated))
    yield rows


def _comments(slide: Record) -> Iterator[str]:
    for tags in slide.all_below(_BINARY_TAG):
        for comment in tags.children():
            found = comment.child(_STRING, _COMMENT_TEXT) if comment.kind == _COMMENT else None
            if found is not None and decoded(found):
                yield decoded(found)

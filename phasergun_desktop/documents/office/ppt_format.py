"""Reads PowerPoint files of before 2007 without another program.

The blocks and their locators are those of the same presentation as PPTX.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.encodings import decode_text
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, SlideLocator
from phasergun_desktop.documents.office.compound import CompoundFile
from phasergun_desktop.documents.office.ppt_records import (
    SLIDE,
    NotAPresentation,
    Presentation,
    Record,
    open_presentation,
)
from phasergun_desktop.documents.office.ppt_shapes import (
    NOTES_KIND,
    TITLE_KINDS,
    PptShape,
    SlideText,
    decoded,
    shapes_of,
    texts_in,
)
from phasergun_desktop.documents.slides.placement import flat, reading_order
from phasergun_desktop.documents.slides.pptx_format import SPEAKER_NOTES
from phasergun_desktop.documents.table_blocks import TableRow, add_table

_LIST, _PERSIST, _SLIDE_ATOM = 0x0FF0, 0x03F3, 0x03EF
_SLIDES, _MASTERS, _NOTES = 0, 1, 2
_MARGINS, _STRING, _SHOW = 0x0FD9, 0x0FBA, 0x03F9
_BINARY_TAG, _COMMENT, _COMMENT_TEXT = 0x138B, 0x2EE0, 1
_HIDDEN = 0x0004
_TITLE_PLACEHOLDERS = frozenset({1, 3, 13, 15, 17})
# Date, slide number, footer, header: their texts are those of the master.
_MARGIN_PLACEHOLDERS = frozenset({7, 8, 9, 10})
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
    """An entry in the list of slides or notes: its record, its own number, its outline texts."""

    reference: int
    identifier: int
    texts: list[SlideText]


class _PptReader:
    """Reads slide by slide."""

    def __init__(self, presentation: Presentation, builder: DocumentBuilder) -> None:
        self._presentation = presentation
        self._builder = builder
        self._notes = {item.identifier: item for item in self._listed(_NOTES)}
        self._masters = {item.identifier: item for item in self._listed(_MASTERS)}
        self._hidden: list[int] = []
        self._seen: set[str] = set()
        self._background: dict[str, int] = {}

    def read(self) -> int:
        slides = self._listed(_SLIDES)
        for number, item in enumerate(slides, start=1):
            record = self._presentation.by_reference.get(item.reference, _LOST)
            self._read_slide(number, record, item.texts)
        self._add_margins(self._presentation.document, 1)
        for text, number in self._background.items():
            self._add_margin(text, number)
        if self._hidden:
            shown = ", ".join(str(number) for number in self._hidden[:50])
            self._builder.warn(f"Slides that are hidden in the show were read too: {shown}.")
        return len(slides)

    def _listed(self, instance: int) -> list[_Listed]:
        found: list[_Listed] = []
        held: list[list[Record]] = []
        listing = self._presentation.document.child(_LIST, instance)
        for record in listing.children() if listing is not None else ():
            if record.kind == _PERSIST and len(record.body) >= 16:
                reference, _, _, identifier = struct.unpack_from("<4I", record.body)
                found.append(_Listed(reference, identifier, []))
                held.append([])
            elif held:
                held[-1].append(record)
        for item, texts in zip(found, held, strict=True):
            item.texts.extend(texts_in(texts))
        return found

    def _read_slide(self, number: int, record: Record, texts: Sequence[SlideText]) -> None:
        shapes = shapes_of(record, texts)
        self._builder.leave_headings()
        title = ""
        heading: PptShape | None = None
        for shape in flat(shapes):
            is_title = shape.kind in TITLE_KINDS or shape.placeholder in _TITLE_PLACEHOLDERS
            if is_title and shape.text:
                title, heading = folded(shape.text), shape
                locator = _locator(number, shape)
                self._builder.add(BlockKind.HEADING, title, locator, level=1)
                break
        self._add_shapes(shapes, number, heading)
        atom = record.child(_SLIDE_ATOM)
        if atom is not None and len(atom.body) >= 20:
            master, notes = struct.unpack_from("<II", atom.body, 12)
            self._read_notes(number, title, notes)
            self._note_background(number, master)
        for text in _comments(record):
            self._builder.add(BlockKind.NOTE, f"Comment: {text}", SlideLocator(number))
        self._add_margins(record, number)
        show = record.child(_SHOW)
        flags = show.body[10:12] if show is not None else b""
        if len(flags) == 2 and struct.unpack("<H", flags)[0] & _HIDDEN:
            self._hidden.append(number)

    def _add_shapes(
        self, shapes: Sequence[PptShape], number: int, heading: PptShape | None
    ) -> None:
        for shape in reading_order(shapes):
            if shape.is_table:
                self._add_table(shape, number)
            elif shape.members:
                self._add_shapes(shape.members, number, heading)
            elif shape is not heading and shape.placeholder not in _MARGIN_PLACEHOLDERS:
                self._builder.add(BlockKind.SLIDE, shape.text, _locator(number, shape))

    def _add_table(self, table: PptShape, number: int) -> None:
        cells = [shape for shape in flat(table.members) if shape.box and not shape.is_line]
        if not cells:
            return
        tops = sorted({shape.box.y for shape in cells if shape.box})
        lefts = sorted({shape.box.x for shape in cells if shape.box})
        if len(lefts) > _MAX_COLUMNS:
            self._add_shapes(cells, number, None)
            return
        grid: dict[tuple[float, float], tuple[str, bool]] = {}
        for shape in cells:
            box = shape.box
            if box is None:
                continue
            for top in (each for each in tops if box.y <= each < box.y + max(1, box.height)):
                for left in (each for each in lefts if box.x <= each < box.x + max(1, box.width)):
                    grid[top, left] = (shape.text, left != box.x)
        locator = SlideLocator(number, cells[0].number)
        rows: list[TableRow] = []
        for top in tops:
            held = [grid.get((top, left), ("", False)) for left in lefts]
            repeated = frozenset(index for index, (_, again) in enumerate(held) if again)
            rows.append(TableRow(tuple(text for text, _ in held), locator, repeated=repeated))
        add_table(self._builder, rows, group=("table", number, locator.shape))

    def _read_notes(self, number: int, title: str, identifier: int) -> None:
        item = self._notes.get(identifier)
        record = self._presentation.by_reference.get(item.reference) if item else None
        if item is None or record is None:
            return
        path = (title, SPEAKER_NOTES) if title else (SPEAKER_NOTES,)
        for shape in flat(shapes_of(record, item.texts)):
            if shape.placeholder in _MARGIN_PLACEHOLDERS and shape.kind != NOTES_KIND:
                continue
            for text in shape.text.split("\n"):
                self._builder.add(
                    BlockKind.PARAGRAPH, text, SlideLocator(number), heading_path=path
                )

    def _note_background(self, number: int, identifier: int) -> None:
        item = self._masters.get(identifier)
        record = self._presentation.by_reference.get(item.reference) if item else None
        for shape in flat(shapes_of(record, ())) if record is not None else ():
            if shape.text and not shape.placeholder:
                self._background.setdefault(shape.text, number)

    def _add_margins(self, container: Record, number: int) -> None:
        for margins in container.children():
            if margins.kind == _MARGINS:
                for record in margins.children():
                    if record.kind == _STRING:
                        self._add_margin(decoded(record), number)

    def _add_margin(self, text: str, number: int) -> None:
        if text and text not in self._seen:
            self._seen.add(text)
            self._builder.add(BlockKind.HEADER_FOOTER, text, SlideLocator(number), heading_path=())


def _locator(slide: int, shape: PptShape) -> SlideLocator:
    return SlideLocator(slide, shape.number if shape.number > 0 else None)


def _comments(slide: Record) -> Iterator[str]:
    for tags in slide.all_below(_BINARY_TAG):
        for comment in tags.children():
            found = comment.child(_STRING, _COMMENT_TEXT) if comment.kind == _COMMENT else None
            if found is not None and decoded(found):
                yield decoded(found)

"""A draft and the editor's document: written into it, and read from it as it stands."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument

from phasergun_desktop.drafts.edits import KeyedUnit
from phasergun_desktop.drafts.model import Draft, Edit
from phasergun_desktop.drafts.renumbering import renumbered_line
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.ui.editor import draft_html
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.draft_shape import (
    NO_UNIT,
    DraftShape,
    footnotes_in_order,
    numbered_footnotes,
    rekeyed,
    units_of_shape,
)
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, StreamWriter
from phasergun_desktop.ui.editor.edit_log import EditLog
from phasergun_desktop.ui.editor.marks import renumber
from phasergun_desktop.ui.editor.unit_places import unit_places
from phasergun_desktop.ui.generate.generation import utc_now


class DraftText:
    """What stands in ``document``, with the log of what the writer did to it."""

    def __init__(self, document: QTextDocument, book: DraftBook) -> None:
        self._document = document
        self._book = book
        self.edit_log = EditLog()

    # Reading ----------------------------------------------------------------------------------

    def units(self) -> tuple[tuple[DraftSentence, ...], tuple[int, ...]]:
        """Return the units as they stand, and the key of each."""
        return self._units_of(read_shape(self._document))

    def snapshot(self, draft: Draft, *, is_edited: bool, is_growing: bool) -> Draft:
        """Return ``draft`` as it stands, footnotes numbered by position; while it ``is_growing``
        nothing in it is the writer's doing."""
        shape = read_shape(self._document)
        units, keys = self._units_of(shape)
        notes = numbered_footnotes(shape, self._book.footnotes)
        time = utc_now()
        edits = draft.edits if is_growing else self.edit_log.so_far(_keyed(units, keys), time)
        return replace(
            draft,
            units=units,
            footnotes=(*notes, *_standards(draft, notes)),
            edited_html=_html(shape, keys) if is_edited else "",
            modified=time,
            edits=edits,
        )

    def start_log(self, draft: Draft | None) -> None:
        """Let the log begin with the text as it stands."""
        self.edit_log.start(draft.edits if draft is not None else (), _keyed(*self.units()))

    def settle_edits(self) -> tuple[Edit, ...]:
        """Make final what the writer has done since the last call, and return it."""
        return self.edit_log.settle(_keyed(*self.units()), utc_now())

    def follow(self) -> bool:
        """Tell the book what stands in the text; return whether marks must be drawn anew."""
        units, keys = self.units()
        marked = {one.key for one in unit_places(self._document) if one.mark}
        return self._book.follow_text(zip(keys, units, strict=True), marked)

    def _units_of(self, shape: DraftShape) -> tuple[tuple[DraftSentence, ...], tuple[int, ...]]:
        return units_of_shape(shape, self._book.units, self._book.checked)

    # Writing ----------------------------------------------------------------------------------

    def write(self, draft: Draft) -> None:
        """Write ``draft`` into the empty document."""
        notes = {one.number: self._book.add_footnote(one) for one in draft.footnotes}
        if draft.edited_html:
            ShapeWriter(QTextCursor(self._document)).write(self._shape_of(draft, notes))
        else:
            writer = StreamWriter(self._document, self._book, notes)
            for unit in draft.units:
                writer.add_unit(unit, ())
        renumber(self._document, joins_previous=False)

    def replace_by(self, draft: Draft, writer: StreamWriter) -> None:
        """Write ``draft`` in the place of what stands there, as one undo step."""
        writer.begin()
        if draft.edited_html:
            notes = {one.number: self._book.add_footnote(one) for one in draft.footnotes}
            writer.write_shape(self._shape_of(draft, notes))
            return
        new = {one.number: one for one in draft.footnotes}
        for unit in draft.units:
            cited = (*unit.citations, *(n for cell in unit.citations_per_cell for n in cell))
            first = dict.fromkeys(number for number in cited if number in new)
            writer.add_unit(unit, tuple(new.pop(number) for number in first))

    def _shape_of(self, draft: Draft, notes: dict[int, int]) -> DraftShape:
        units = {index: self._book.add_unit(one) for index, one in enumerate(draft.units)}
        return rekeyed(
            draft_html.from_html(draft.edited_html),
            lambda key: units.get(key, NO_UNIT),
            lambda number: notes.get(number, 0),
        )


def _html(shape: DraftShape, keys: tuple[int, ...]) -> str:
    numbers = {key: number for number, key in enumerate(footnotes_in_order(shape), start=1)}
    places = {key: index for index, key in enumerate(keys) if key != NO_UNIT}
    return draft_html.to_html(
        shape, lambda key: numbers.get(key, 0), lambda key: places.get(key, NO_UNIT)
    )


def _keyed(units: tuple[DraftSentence, ...], keys: tuple[int, ...]) -> list[KeyedUnit]:
    return [KeyedUnit(key, unit) for key, unit in zip(keys, units, strict=True)]


def _standards(draft: Draft, notes: tuple[Footnote, ...]) -> list[Footnote]:
    """Return the standards that the draft names: no mark stands for them in the text."""
    there = {note.title for note in notes}
    named = [one for one in draft.footnotes if one.kind == "standard" and one.title not in there]
    return [
        replace(one, number=number, rendered=renumbered_line(one.rendered, number))
        for number, one in enumerate(named, start=len(notes) + 1)
    ]

"""A draft and the editor's document: written into it, and read from it as it stands."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument

from phasergun_desktop.drafts import draft_html
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    DraftShape,
    Statement,
    footnotes_in_order,
    keys_of,
    numbered_footnotes,
    rekeyed,
    statements_of,
)
from phasergun_desktop.drafts.edits import OWN_TEXT, KeyedUnit
from phasergun_desktop.drafts.model import Draft, Edit
from phasergun_desktop.drafts.renumbering import renumbered_line
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, StreamWriter
from phasergun_desktop.ui.editor.edit_log import EditLog
from phasergun_desktop.ui.editor.marks import renumber
from phasergun_desktop.ui.editor.statement_keys import identified
from phasergun_desktop.ui.editor.unit_places import UnitPlace, unit_places
from phasergun_desktop.ui.generate.generation import utc_now


class DraftText:
    """What stands in ``document``, with the log of what the writer did to it."""

    def __init__(self, document: QTextDocument, book: DraftBook) -> None:
        self._document = document
        self._book = book
        self.edit_log = EditLog()
        # The units as they stood when they were followed last.
        self.followed: tuple[DraftSentence, ...] = ()
        # Reading a long draft and telling its statements apart takes longer than all else here;
        # marks drawn anew change neither.
        self._read: DraftShape | None = None
        self._found: tuple[DraftShape, tuple[Statement, ...]] | None = None
        self._version = -1
        document.contentsChange.connect(self._on_contents_change)

    # Reading ----------------------------------------------------------------------------------

    def shape(self) -> DraftShape:
        """Return what stands there, with the key of its statement on every run."""
        return self._shape_and_statements()[0]

    def statements(self) -> tuple[Statement, ...]:
        """Return the units as they stand."""
        return self._shape_and_statements()[1]

    def _shape_and_statements(self) -> tuple[DraftShape, tuple[Statement, ...]]:
        if self._found is None or self._version != self._book.version:
            if self._read is None:
                self._read = read_shape(self._document)
            shape = identified(self._read, self._book)
            self._found = shape, statements_of(shape, self._book.units, self._book.checked)
            self._version = self._book.version
        return self._found

    def _on_contents_change(self, _position: int, _removed: int, _added: int) -> None:
        self._read = self._found = None

    def places(self) -> list[UnitPlace]:
        """Return where the units stand."""
        return unit_places(self.shape())

    def snapshot(self, draft: Draft, *, is_edited: bool, is_growing: bool) -> Draft:
        """Return ``draft`` as it stands, footnotes numbered by position; while it ``is_growing``
        nothing in it is the writer's doing."""
        shape, statements = self._shape_and_statements()
        notes = numbered_footnotes(shape, self._book.footnotes)
        time = utc_now()
        edits = draft.edits if is_growing else self.edit_log.so_far(_keyed(statements), time)
        return replace(
            draft,
            units=tuple(one.unit for one in statements),
            footnotes=(*notes, *_standards(draft, notes)),
            edited_html=_html(shape, statements) if is_edited else "",
            modified=time,
            edits=edits,
        )

    def start_log(self, draft: Draft | None) -> None:
        """Let the log begin with the text as it stands."""
        self.edit_log.start(draft.edits if draft is not None else (), _keyed(self.statements()))

    def settle_edits(self) -> tuple[Edit, ...]:
        """Make final what the writer has done since the last call, and return it."""
        return self.edit_log.settle(_keyed(self.statements()), utc_now())

    def follow(self) -> bool:
        """Tell the book what stands in the text; return whether marks must be drawn anew."""
        statements = self.statements()
        self.followed = tuple(one.unit for one in statements)
        return self._book.follow_text(statements)

    # Writing ----------------------------------------------------------------------------------

    def write(self, draft: Draft) -> None:
        """Write ``draft`` into the empty document."""
        notes = {one.number: self._book.add_footnote(one) for one in draft.footnotes}
        if draft.edited_html:
            cursor = QTextCursor(self._document)
            # One change: a long draft is laid out and marked once.
            cursor.beginEditBlock()
            ShapeWriter(cursor).write(self._shape_of(draft, notes))
            cursor.endEditBlock()
        else:
            writer = StreamWriter(self._document, self._book, notes)
            for unit in draft.units:
                writer.add_unit(unit, (), numbers=False)
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
        units = {
            index: self._book.add_unit(one, keys_of(one, notes))
            for index, one in enumerate(draft.units)
        }
        return rekeyed(
            draft_html.from_html(draft.edited_html),
            lambda key: units.get(key, NO_UNIT),
            lambda number: notes.get(number, 0),
        )


def _html(shape: DraftShape, statements: tuple[Statement, ...]) -> str:
    numbers = {key: number for number, key in enumerate(footnotes_in_order(shape), start=1)}
    places = {one.key: at for at, one in enumerate(statements) if one.key != NO_UNIT}
    return draft_html.to_html(
        shape, lambda key: numbers.get(key, 0), lambda key: places.get(key, NO_UNIT)
    )


def _keyed(statements: tuple[Statement, ...]) -> list[KeyedUnit]:
    return [KeyedUnit(OWN_TEXT if one.unit.is_own else one.key, one.unit) for one in statements]


def _standards(draft: Draft, notes: tuple[Footnote, ...]) -> list[Footnote]:
    """Return the standards that the draft names: no mark stands for them in the text."""
    there = {note.title for note in notes}
    named = [one for one in draft.footnotes if one.kind == "standard" and one.title not in there]
    return [
        replace(one, number=number, rendered=renumbered_line(one.rendered, number))
        for number, one in enumerate(named, start=len(notes) + 1)
    ]

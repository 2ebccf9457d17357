"""A draft and the editor's document: written into it, and read from it as it stands, with a log of
what the writer did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import groupby

from PySide6.QtGui import QTextCursor, QTextDocument

from phasergun_desktop.drafts import draft_html
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    DraftShape,
    Statement,
    numbered_footnotes,
    numbers_in,
    statements_of,
)
from phasergun_desktop.drafts.edits import OWN_TEXT, KeyedUnit, edits_between
from phasergun_desktop.drafts.model import Draft, Edit, EditKind, settled_in
from phasergun_desktop.drafts.piece_memo import PieceMemo
from phasergun_desktop.drafts.renumbering import with_number
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.ui.editor.draft_book import DraftBook, keyed_shape
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, StreamWriter, one_step
from phasergun_desktop.ui.editor.marks import renumber
from phasergun_desktop.ui.editor.shape_reader import ShapeReader
from phasergun_desktop.ui.editor.statement_keys import identified
from phasergun_desktop.ui.editor.unit_places import UnitPlace, unit_places
from phasergun_desktop.ui.generate.generation import utc_now


class EditLog:
    """Compares the text with what it was at the last ``settle``; while the writer types, what is
    under way is shown but not yet final."""

    def __init__(self) -> None:
        self._done: list[Edit] = []
        self._known: tuple[KeyedUnit, ...] = ()
        self._kinds: dict[int, EditKind] = {}

    def start(self, done: Sequence[Edit], units: Sequence[KeyedUnit]) -> None:
        """Begin with a draft that has seen the edits ``done``."""
        self._done = list(done)
        self._known = tuple(units)
        self._kinds.clear()

    def name(self, key: int, kind: EditKind) -> None:
        """Say why the unit ``key`` stands in the place of others."""
        self._kinds[key] = kind

    def add(self, edit: Edit) -> None:
        """Note something that is not in the words of the text (a footnote that moved)."""
        self._done.append(edit)

    @property
    def settled(self) -> dict[str, str]:
        """The reasons for the discrepancies that are settled, by their messages."""
        return settled_in(self._done)

    def so_far(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        """Return every edit, also what was done since the last ``settle``."""
        return (*self._done, *self._since(units, time))

    def settle(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        """Make final what was done since the last call, and return it."""
        new = self._since(units, time)
        self._done.extend(new)
        self._known = tuple(units)
        return new

    def _since(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        return edits_between(self._known, units, time, successors=self._kinds)


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
        self._reader = ShapeReader(document)
        self._memo = PieceMemo()
        self._placed: tuple[DraftShape, list[UnitPlace]] | None = None
        self._kept: tuple[DraftShape, tuple[Footnote, ...], str] | None = None
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
            book, memo = self._book, self._memo
            shape = identified(self._reader.read(), book, memo)
            found = statements_of(shape, book.units, book.checked, memo, book.changes)
            memo.turn()
            self._found = shape, found
            self._version = book.version
        return self._found

    def _on_contents_change(self, _position: int, _removed: int, _added: int) -> None:
        self._found = None

    def footnotes(self) -> list[tuple[int, int, Footnote]]:
        """Return (number, key, footnote) of every footnote with a mark."""
        return [
            (number, key, footnote)
            for key, number in self.numbers().items()
            if (footnote := self._book.footnotes.get(key)) is not None
        ]

    def numbers(self) -> dict[int, int]:
        """Return footnote key → number by position."""
        return numbers_in(self.shape())

    def places(self) -> list[UnitPlace]:
        """Return where the units stand."""
        shape = self.shape()
        if self._placed is None or self._placed[0] is not shape:
            self._placed = shape, unit_places(shape)
        return self._placed[1]

    def snapshot(self, draft: Draft, *, is_edited: bool, is_growing: bool) -> Draft:
        """Return ``draft`` as it stands, footnotes numbered by position; while it ``is_growing``
        nothing in it is the writer's doing."""
        shape, statements = self._shape_and_statements()
        notes, html = self._notes_and_html(shape, statements)
        time = utc_now()
        edits = draft.edits if is_growing else self.edit_log.so_far(_keyed(statements), time)
        return replace(
            draft,
            units=tuple(one.unit for one in statements),
            footnotes=(*notes, *_standards(draft, notes)),
            edited_html=html if is_edited else "",
            modified=time,
            edits=edits,
        )

    def _notes_and_html(
        self, shape: DraftShape, statements: tuple[Statement, ...]
    ) -> tuple[tuple[Footnote, ...], str]:
        if self._kept is None or self._kept[0] is not shape:
            notes = numbered_footnotes(shape, self._book.footnotes)
            self._kept = shape, notes, _html(shape, statements)
        return self._kept[1:]

    def start_log(self, draft: Draft | None) -> None:
        """Let the log begin with the text as it stands."""
        self.edit_log.start(draft.edits if draft is not None else (), _keyed(self.statements()))

    def settle_edits(self) -> tuple[Edit, ...]:
        """Make final what the writer has done since the last call, and return it."""
        return self.edit_log.settle(_keyed(self.statements()), utc_now())

    def follow(self) -> set[int]:
        """Tell the book what stands in the text; return the keys of the units of which the marks
        must be drawn anew."""
        statements = self.statements()
        self.followed = tuple(one.unit for one in statements)
        return self._book.follow_text(statements)

    # Writing ----------------------------------------------------------------------------------

    def write(self, draft: Draft) -> None:
        """Write ``draft`` into the empty document."""
        notes = {one.number: self._book.add_footnote(one) for one in draft.footnotes}
        # Marks are drawn and lines laid out once, not after every word.
        step = QTextCursor(self._document)
        if draft.edited_html:
            with one_step(step):
                shape = keyed_shape(self._book, draft.units, notes, draft.edited_html)
                ShapeWriter(QTextCursor(self._document)).write(shape)
        else:
            writer = StreamWriter(self._document, self._book, notes)
            for is_row, units in groupby(draft.units, lambda one: one.kind is UnitKind.TABLE_ROW):
                # A row is not found by the next one before its step is complete.
                with nullcontext() if is_row else one_step(step):
                    for unit in units:
                        writer.add_unit(unit, (), numbers=False)
        renumber(self._document, joins_previous=False)

    def replace_by(self, draft: Draft, writer: StreamWriter) -> None:
        """Write ``draft`` in the place of what stands there, as one undo step."""
        writer.begin()
        if draft.edited_html:
            notes = {one.number: self._book.add_footnote(one) for one in draft.footnotes}
            writer.write_shape(keyed_shape(self._book, draft.units, notes, draft.edited_html))
            return
        new = {one.number: one for one in draft.footnotes}
        for unit in draft.units:
            first = dict.fromkeys(number for number in unit.cited if number in new)
            writer.add_unit(unit, tuple(new.pop(number) for number in first))


def _html(shape: DraftShape, statements: tuple[Statement, ...]) -> str:
    numbers = numbers_in(shape)
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
    return [with_number(one, number) for number, one in enumerate(named, start=len(notes) + 1)]

"""Changes to the draft on the desk that keep its proof: rewritten, bound anew."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.drafts.draft_shape import NO_UNIT, Run, Statement, keys_of, runs_of_unit
from phasergun_desktop.drafts.kept_plan import kept_plan
from phasergun_desktop.drafts.model import Edit, EditKind
from phasergun_desktop.drafts.todos import TODO_LEAD, todo_text
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.ui.editor import problem_steps
from phasergun_desktop.ui.editor.draft_panel import DraftPanel
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, one_step
from phasergun_desktop.ui.editor.unit_places import UnitPlace, place_at
from phasergun_desktop.ui.generate.generation import utc_now
from phasergun_desktop.ui.text_stretches import stretch


class DraftRevision:
    """Works on the text of ``panel``; every change of the text is one undo step."""

    def __init__(self, panel: DraftPanel) -> None:
        self._panel = panel

    def places(self) -> list[UnitPlace]:
        """Return where the units stand."""
        return self._panel.text.places()

    def here(self) -> UnitPlace | None:
        """Return the unit at the cursor (or at the start of what is selected)."""
        return place_at(self.places(), self._panel.editor.textCursor().selectionStart())

    def selected_here(self) -> list[UnitPlace]:
        """Return the units that the selection touches, the one at the cursor where nothing is
        selected."""
        cursor = self._panel.editor.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        if start == end:
            here = self.here()
            return [here] if here is not None else []
        return [one for one in self.places() if one.start < end and start < one.end]

    def paragraph_here(self) -> list[UnitPlace]:
        """Return the units of the paragraph at the cursor."""
        here = self.here()
        return [] if here is None else [one for one in self.places() if one.block == here.block]

    # One sentence -----------------------------------------------------------------------------

    def accept(self, place: UnitPlace) -> bool:
        """Let the writer answer for a unit, or take that back; return whether they do now."""
        is_accepted = not problem_steps.is_accepted(place, self._panel.book)
        time = utc_now() if is_accepted else ""
        problem_steps.set_accepted(self._panel.editor.document(), place, time)
        return is_accepted

    def to_todos(self, places: Sequence[UnitPlace]) -> None:
        """Turn each unit into a TODO that says what is missing and where it belongs."""
        draft = self._panel.draft
        plan = kept_plan(draft.plan_json if draft is not None else "")

        def make(place: UnitPlace) -> tuple[int, str]:
            known = self._panel.book.units.get(place.key)
            unit = known or DraftSentence(place.text)
            text = todo_text(_as_it_stands(unit, place), plan.point(unit.point))
            todo = DraftSentence(text, UnitKind.TODO, point=unit.point)
            key = self._panel.book.add_unit(todo)
            self._panel.text.edit_log.name(key, EditKind.TODO)
            return key, text

        problem_steps.turn_into_todos(self._panel.editor.document(), places, make)

    def gaps(self) -> list[UnitPlace]:
        """Return the gaps and the sentences without a source, in the order of the text."""
        found = []
        for place in self.places():
            unit = self._panel.book.units.get(place.key)
            if unit is None or unit.is_own or problem_steps.is_accepted(place, self._panel.book):
                continue
            if unit.kind is UnitKind.TODO:
                if todo_text(unit, None) != " ".join(place.text.split()):
                    found.append(place)
            elif not (
                place.level or place.is_header or TODO_LEAD in place.text
            ) and problem_steps.has_no_source(unit):
                # (A row of which a cell is a TODO has been dealt with.)
                found.append(place)
        return found

    # Rewritten units --------------------------------------------------------------------------

    def replace(
        self,
        keys: Sequence[int],
        texts: Sequence[str],
        units: Sequence[DraftSentence],
        notes: dict[int, int],
    ) -> bool:
        """Put ``units`` in the place of those with ``keys``; False (and nothing done) where these
        do not stand there any more with ``texts``. ``notes`` are the keys of footnote numbers."""
        wanted = set(keys)
        there = [one for one in self.places() if one.key in wanted]
        if [one.key for one in there] != list(keys) or len({one.block for one in there}) != 1:
            return False
        if [" ".join(one.text.split()) for one in there] != list(texts):
            return False
        runs: list[Run] = []
        for unit in units:
            key = self._panel.book.add_unit(unit, keys_of(unit, notes))
            self._panel.text.edit_log.name(key, EditKind.REGENERATED)
            runs += [*([Run(" ")] if runs else []), *runs_of_unit(unit, key, notes)]
        cursor = stretch(self._panel.editor.document(), there[0].start, there[-1].end)
        with one_step(cursor):
            cursor.removeSelectedText()
            ShapeWriter(cursor).add_runs(tuple(runs))
        return True

    # Sources that changed ---------------------------------------------------------------------

    def bind_anew(self, key: int, note: Footnote, kind: EditKind) -> None:
        """Let a footnote point at its new place, if its draft is still the one on the desk."""
        old = self._panel.book.footnotes.get(key)
        if old is None:
            return
        self._panel.book.bind_anew(key, note)
        told = f"{note.file}, {note.start} to {note.end}"
        self._panel.text.edit_log.add(Edit(utc_now(), kind, old.quote, note.quote, told))

    def mark(self, stood: Sequence[Statement], units: Sequence[DraftSentence]) -> None:
        """Keep what was found about units that ``stood`` in the text."""
        for one, unit in zip(stood, units, strict=True):
            if one.key != NO_UNIT:
                self._panel.book.keep_check(one.key, one.notes, unit)
        keys = {one.key for one in stood}
        places = [one for one in self.places() if one.key in keys]
        self._panel.editor.highlighter.mark_anew(places)


def _as_it_stands(unit: DraftSentence, place: UnitPlace) -> DraftSentence:
    """Return the unit with the words that the writer sees."""
    return DraftSentence(
        " ".join(place.text.split()),
        unit.kind,
        support=unit.support,
        problems=unit.problems,
        point=unit.point,
    )

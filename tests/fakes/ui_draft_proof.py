"""What a fake session does about the proof of a draft: checks by rule, rewrites as it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from phasergun_desktop.drafts.draft_store import DraftVersion
from phasergun_desktop.drafts.hand_citations import footnote_at
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.renumbering import renumbered
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.jobs import Job
from phasergun_desktop.workspace.draft_proof import Rebinding
from phasergun_desktop.workspace.rewritten_groups import Regeneration, RewrittenGroup
from phasergun_desktop.writing.model import TextStreamed
from tests.fakes.ui_desk_stores import FakeDraftStore

CHANGED_WORDS = "The passage says something else now."


class FakeProof:
    """``rewritten`` is what stands in the place of units, or empty and ``why_kept``; with
    ``rewritten_each`` every unit is a group of its own that comes out the same;
    ``rewrite_gate`` holds rewriting until it is opened or stopped. A checked unit is supported
    where it holds no word of ``unsupported``. ``moved`` footnotes stand elsewhere, ``changed``
    in other words that carry their sentences where ``carries``."""

    drafts: FakeDraftStore

    def __init__(self) -> None:
        self.rewritten: tuple[DraftSentence, ...] = ()
        self.new_notes: tuple[Footnote, ...] = ()
        self.why_kept = "The model wrote the same again."
        self.rewritten_each = False
        self.wishes: list[str] = []
        self.lost: tuple[str, ...] = ()
        self.rewrite_gate: threading.Event | None = None
        self.unsupported: tuple[str, ...] = ("ambulance",)
        self.changed: frozenset[int] = frozenset()
        self.missing: frozenset[int] = frozenset()
        self.moved: frozenset[int] = frozenset()
        self.carries = True
        self.checks: list[tuple[str, ...]] = []
        self.edits: list[Edit] = []
        self.kept: list[tuple[Draft, str, str]] = []

    def check(self, draft: Draft, indices: Sequence[int]) -> tuple[DraftSentence, ...]:
        units = tuple(draft.units[index] for index in indices)
        self.checks.append(tuple(unit.text for unit in units))
        problem = SentenceProblem(ProblemCode.NO_SOURCE, "", "No passage states this.")
        return tuple(
            replace(
                unit,
                support=Support.UNSUPPORTED if any(w in unit.text for w in self.unsupported)
                else Support.SUPPORTED,
                problems=(problem,) if any(w in unit.text for w in self.unsupported) else (),
                needs_check=False,
            )
            for unit in units
        )  # fmt: skip

    def regenerate(
        self,
        draft: Draft,
        indices: Sequence[int],
        *,
        should_stop: Callable[[], bool],
        use_model: bool = True,
        wish: str = "",
    ) -> Job[Regeneration]:
        del use_model
        self.wishes.append(wish)
        yield TextStreamed("Other ", 9.0)
        while self.rewrite_gate is not None and not self.rewrite_gate.wait(0.02):
            if should_stop():
                raise Cancelled
            yield TextStreamed("words ", 9.0)
        if self.rewritten_each:
            each = DraftSentence("Rewritten.", citations=(1,))
            return Regeneration(draft, tuple(RewrittenGroup((i,), (each,)) for i in indices))
        group = tuple(indices)
        if not self.rewritten:
            return Regeneration(draft, (RewrittenGroup(group, why_kept=self.why_kept),))
        units = [u for i, u in enumerate(draft.units) if i not in group]
        units[group[0] : group[0]] = self.rewritten
        made, notes = renumbered(units, (*draft.footnotes, *self.new_notes))
        edited = replace(draft, units=made, footnotes=notes)
        made_of = RewrittenGroup(group, self.rewritten, self.new_notes, lost=self.lost)
        return Regeneration(edited, (made_of,))

    def log_edits(self, draft: Draft, edits: Sequence[Edit], *, is_newest: bool = True) -> bool:
        self.edits.extend(edits)
        is_held = draft.draft_id in {one.draft_id for one in self.drafts.list()}
        is_stored = is_newest and is_held and not self.drafts.fails
        if is_stored:
            self.drafts.put(draft)
        return is_stored

    def save_version(self, draft: Draft, why: str = "", name: str = "") -> None:
        self.kept.append((draft, why, name))

    def versions(self, draft_id: str) -> tuple[DraftVersion, ...]:
        return tuple(
            DraftVersion(
                number, draft.modified, why, name,
                sum(len(u.text.split()) for u in draft.units),
            )
            for number, (draft, why, name) in reversed(list(enumerate(self.kept, start=1)))
            if draft.draft_id == draft_id
        )  # fmt: skip

    def version(self, version_id: int) -> Draft:
        return self.kept[version_id - 1][0]

    def restore(self, current: Draft, version_id: int) -> Draft:
        edit = Edit(current.modified, EditKind.RESTORED)
        earlier = self.version(version_id)
        return replace(earlier, draft_id=current.draft_id, edits=(*current.edits, edit))

    def changed_sources(self, draft: Draft) -> tuple[SourceChange, ...]:
        found = []
        for note in draft.footnotes:
            if note.number in self.moved:
                place = replace(note, start=note.start + 40, end=note.end + 40, sha256="f" * 64)
                found.append(SourceChange(note, SourceState.MOVED, place))
            elif note.number in self.changed:
                place = replace(note, quote=f"Since revision C, {note.quote}", sha256="f" * 64)
                found.append(SourceChange(note, SourceState.CHANGED, place))
            elif note.number in self.missing:
                found.append(SourceChange(note, SourceState.MISSING))
        return tuple(found)

    def citation(self, file: str, start: int, end: int, statement: str) -> Footnote | None:
        del statement
        source = self.source(file)  # type: ignore[attr-defined]  # of the session
        return footnote_at(source.record, source.document, start, end)

    def use_new_place(self, draft: Draft, number: int) -> Rebinding:
        change = next(c for c in self.changed_sources(draft) if c.note.number == number)
        problem = SentenceProblem(ProblemCode.SOURCE_CHANGED, "", CHANGED_WORDS)
        units = tuple(
            (i, unit if self.carries else replace(unit, problems=(problem,)))
            for i, unit in enumerate(draft.units)
            if number in unit.citations and unit.kind is not UnitKind.HEADING
        )
        return Rebinding(change.place if self.carries else None, units)

"""What an open project can do about a draft it keeps: check it again, rewrite it, follow its
sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.drafts.hand_citations import footnote_at
from phasergun_desktop.drafts.kept_plan import KeptPlan, KeptPoint, kept_plan
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.source_changes import SourceChange
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.judge import Judge
from phasergun_desktop.grounding.model import (
    STATEMENTS,
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.planning.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Passage, SearchScope
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.workspace.outgoing import stays_here
from phasergun_desktop.workspace.own_statements import NEAREST, where_it_stands, without_source
from phasergun_desktop.workspace.passages_now import PassagesNow
from phasergun_desktop.workspace.rewritten_groups import (
    Regeneration,
    RewrittenGroup,
    groups_of,
    with_groups,
)
from phasergun_desktop.writing.model import TraceStep
from phasergun_desktop.writing.regeneration import Regenerator, RewriteTask, Rewriting

NO_PASSAGES = "This text was not written from the sources; there is nothing to write it again from."
STAYS_HERE = (
    "This text rests on a document that categories.yaml keeps on this machine; a remote model does "
    "not get to see it."
)
SOURCE_NOT_AS_IT_WAS = "Its source is not as it was; these words could not be compared."
# What a statement of the writer's own is rewritten from: what the project says about it.
_NEAR_A_WISH = 8
_RANK = (Support.CONTRADICTED, Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Rebinding:
    """What taking the new text of a changed source gives: the footnote at its new place, or None
    where the sentences it stands at are not carried there; and these sentences by place."""

    footnote: Footnote | None
    units: tuple[tuple[int, DraftSentence], ...]


class DraftProof:
    """Works on drafts with the documents as they are indexed now; safe on any thread that may
    read the index. ``replan`` plans a prompt with the name of its template and its filters
    anew, ``nearest`` returns at most so many passages of the project that are about a text, best
    first."""

    def __init__(
        self,
        documents: IndexedDocuments,
        new_judge: Callable[[], Judge],
        regenerator: Regenerator,
        replan: Callable[[str, str, tuple[Filter, ...]], Plan],
        nearest: Callable[[str, int], Sequence[Passage]],
    ) -> None:
        self._documents = documents
        self._passages = PassagesNow(documents)
        self._new_judge = new_judge
        self._regenerator = regenerator
        self._replan = replan
        self._nearest = nearest

    # Checking again ---------------------------------------------------------------------------

    def check(self, draft: Draft, indices: Sequence[int]) -> tuple[DraftSentence, ...]:
        """Return the units at ``indices`` with support and problems for the words they have now.

        They are compared with what their footnotes cite and what their point read, a statement
        of the writer's own that cites nothing with the passages of the project nearest to it; no
        language model is involved. A unit that states nothing comes back as it is.
        """
        plan = kept_plan(draft.plan_json)
        binder = self._binder()
        return tuple(self._checked(draft, draft.units[i], plan, binder) for i in indices)

    def _checked(
        self, draft: Draft, unit: DraftSentence, plan: KeptPlan, binder: SpanBinder
    ) -> DraftSentence:
        if unit.kind not in STATEMENTS or unit.is_header:
            return replace(unit, needs_check=False)
        notes = [note for note in draft.footnotes if note.number in unit.citations]
        cited = [p for note in notes if (p := self._passages.cited(note)) is not None]
        point = plan.point(unit.point)
        read = self._passages.unchanged(point.passages) if point is not None else []
        if not cited and not read:
            rested = any(note.file for note in notes) or bool(point and point.passages)
            if unit.needs_check and rested:
                return _not_comparable(unit)
            if unit.is_own and not rested:
                near = self._nearest(unit.text, NEAREST)
                return without_source(unit, near, binder, plan.given)
            return replace(unit, needs_check=False)
        everything = [*cited, *(p for p in read or [] if p not in cited)]
        parts = _stating_parts(unit)
        found = [self._bound(text, cited, everything, plan.given, binder) for text in parts]
        worst = min(found, key=lambda one: (_RANK.index(one.support), one.score))
        return replace(
            unit,
            support=worst.support,
            score=round(worst.score, 4),
            problems=tuple(dict.fromkeys(p for one in found for p in one.problems)),
            needs_check=False,
        )

    def _bound(
        self,
        text: str,
        cited: Sequence[Passage],
        everything: Sequence[Passage],
        given: str,
        binder: SpanBinder,
    ) -> Binding:
        best = binder.bind(text, everything, given)
        outside = [span for span in best.spans if not _lies_in(span, cited)]
        if not outside:
            return best
        own = binder.bind(text, cited, given) if cited else None
        if own is not None and _RANK.index(own.support) >= _RANK.index(best.support):
            return own
        span = outside[0]
        lacks = "Its footnotes do not state it" if cited else "It has no footnote"
        says = f"{lacks}; {where_it_stands(span)} does."
        problem = SentenceProblem(ProblemCode.NO_SOURCE, "", says)
        return Binding((), Support.PARTLY, best.score, (problem, *best.problems))

    # Changed sources --------------------------------------------------------------------------

    def changed_sources(self, draft: Draft) -> tuple[SourceChange, ...]:
        """Return what became of every cited passage whose file is not what it was."""
        return self._passages.changes(draft.footnotes)

    def use_new_place(self, draft: Draft, number: int) -> Rebinding:
        """Return footnote ``number`` at the new text of its source, if that carries every
        sentence it stands at as well as the old text did; else those sentences, marked."""
        change = next((c for c in self.changed_sources(draft) if c.note.number == number), None)
        if change is None:
            return Rebinding(None, ())
        place = change.place
        stands = [
            (index, unit) for index, unit in enumerate(draft.units) if number in unit.citations
        ]
        if place is not None:
            notes = tuple(place if n.number == number else n for n in draft.footnotes)
            moved = replace(draft, footnotes=notes)
            checked = self.check(moved, [index for index, _ in stands])
            if not any(
                _RANK.index(new.support) < _RANK.index(Support.PARTLY)
                or len(new.problems) > len(old.problems)
                for new, (_, old) in zip(checked, stands, strict=True)
            ):
                pairs = zip(stands, checked, strict=True)
                return Rebinding(place, tuple((i, new) for (i, _), new in pairs))
            says = f"The source now says: “{' '.join(place.quote.split())}”."
        else:
            checked = tuple(unit for _, unit in stands)
            says = "The passage that was cited is gone from its source."
        problem = SentenceProblem(ProblemCode.SOURCE_CHANGED, "", says)
        return Rebinding(
            None,
            tuple(
                (index, _with_problem(new, problem))
                for (index, _), new in zip(stands, checked, strict=True)
            ),
        )

    def citation(self, file: str, start: int, end: int, statement: str) -> Footnote | None:
        """Return the footnote (number 1) for code points ``start``..``end`` of ``file``: of what
        carries ``statement`` best there, where something does, else of all of it. None where
        nothing stands there. Raises ``ProjectError`` for a file that is not indexed."""
        record = next((r for r in self._documents.documents() if r.file == file), None)
        if record is None:
            return None
        document = self._documents.parsed(record.document_id)
        if statement:
            passage = Passage.of(record, start, end, document.text[start:end])
            spans = self._binder().bind(statement, [passage], "").spans
            inside = [one for one in spans if start <= one.start and one.end <= end]
            if inside:
                start, end = inside[0].start, inside[0].end
        return footnote_at(record, document, start, end)

    # Writing again ----------------------------------------------------------------------------

    def regenerate(
        self,
        draft: Draft,
        indices: Sequence[int],
        model: LanguageModel | None,
        should_stop: Callable[[], bool],
        withheld: frozenset[str] = frozenset(),
        wish: str = "",
        persona: str = "",
    ) -> Job[Regeneration]:
        """Write the units at ``indices`` again, each paragraph by itself, as the writer has said
        in ``wish`` (``""``: just anew); nothing is stored. The model is shown nothing of the files
        ``withheld``; ``persona`` is that of the agent that wrote the draft.

        Yields ``Progress``, ``FirstToken`` and ``TextStreamed``. Raises ``Cancelled`` when
        stopped, and the errors of the model.
        """
        plan = kept_plan(draft.plan_json)
        wanted = groups_of(draft, indices)
        groups: list[RewrittenGroup] = []
        trace, calls = list(draft.trace), list(draft.calls)
        for at, group in enumerate(wanted):
            yield Progress("Writing again", at, len(wanted), "paragraphs")
            current = replace(
                draft, footnotes=(*draft.footnotes, *(n for g in groups for n in g.footnotes))
            )
            task = self._task(current, group, plan, withheld, wish, model is None)
            if isinstance(task, str):
                result = Rewriting(why_kept=task)
            else:
                task = replace(task, persona=persona)
                result = yield from self._regenerator.rewrite(task, model, should_stop)
            groups.append(
                RewrittenGroup(group, result.units, result.footnotes, result.why_kept, result.lost)
            )
            metrics = result.metrics
            note = result.why_kept or wish
            trace += [replace(s, note=note) for s in metrics.trace] or [
                TraceStep("again", "extractive", note=note)
            ]
            calls += metrics.calls
        hashes = (*draft.prompt_sha256, *(c.prompt_sha256 for c in calls[len(draft.calls) :]))
        made = replace(
            with_groups(draft, groups), trace=tuple(trace), calls=tuple(calls), prompt_sha256=hashes
        )
        return Regeneration(made, tuple(groups))

    def _task(
        self,
        draft: Draft,
        group: tuple[int, ...],
        plan: KeptPlan,
        withheld: frozenset[str],
        wish: str,
        is_extractive: bool,
    ) -> RewriteTask | str:
        """Return what is to be written again and from what, or why it cannot be."""
        old = tuple(draft.units[index] for index in group)
        kept = plan.point(old[0].point)
        numbers = {number for unit in old for number in unit.citations}
        notes = [note for note in draft.footnotes if note.number in numbers]
        if stays_here(withheld, notes, plan.value_files, self._documents.documents()):
            return STAYS_HERE
        point = self._point(draft, old, kept)
        if wish and not point.passages:
            near = self._nearest(f"{point.query} {wish}", _NEAR_A_WISH)
            point = replace(point, passages=tuple(near))
        shown = tuple(p for p in point.passages if p.file not in withheld)
        point = replace(point, passages=shown)
        if not point.passages and point.kind is not PointKind.VERBATIM:
            return NO_PASSAGES
        if is_extractive:
            point = replace(point, passages=self._passages.widened(point.passages))
        return RewriteTask(
            point=point,
            old=old,
            others=tuple(u for i, u in enumerate(draft.units) if i not in group),
            footnotes=draft.footnotes,
            title=plan.title,
            given=plan.given,
            quotes=kept.quotes if kept is not None else (),
            withheld=frozenset(withheld),
            wish=wish,
        )

    def _point(
        self, draft: Draft, old: Sequence[DraftSentence], kept: KeptPoint | None
    ) -> PlannedPoint:
        """Return the point of the units with passages as they are indexed now."""
        text = " ".join(unit.text for unit in old)
        numbers = {number for unit in old for number in unit.citations}
        notes = [note for note in draft.footnotes if note.number in numbers]
        cited = [p for note in notes if (p := self._passages.cited(note)) is not None]
        if kept is None or kept.kind is PointKind.COMPARE:
            made = PlannedPoint(PointKind.DESCRIBE, "", text, text, SearchScope())
            return replace(made, passages=_apart(cited, ()))
        passages = self._passages.unchanged(kept.passages)
        if passages is None:
            passages = self._retrieved(draft, kept)
        made = PlannedPoint(kept.kind, kept.heading, kept.query, kept.text, SearchScope())
        return replace(made, passages=_apart(cited, passages))

    def _retrieved(self, draft: Draft, kept: KeptPoint) -> list[Passage]:
        """Return what the point would read today: a source is not what it was."""
        filters = kept_plan(draft.plan_json).filters
        for point in self._replan(draft.prompt, draft.template, filters).points:
            same = (point.kind, point.instruction, point.attribute, point.device)
            if same == (kept.kind, kept.text, kept.attribute, kept.device):
                return list(point.passages)
        return []

    def _binder(self) -> SpanBinder:
        return SpanBinder(self._new_judge(), self._documents.parsed)


def _apart(cited: Sequence[Passage], read: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return what was read, then what is cited and does not lie in it."""
    kept = list(read)
    for passage in cited:
        if not any(
            p.file == passage.file and p.start <= passage.start and passage.end <= p.end
            for p in kept
        ):
            kept.append(passage)
    return tuple(kept)


def _stating_parts(unit: DraftSentence) -> list[str]:
    """Return the texts that are compared: of a row the cells that cite or hold values; else the
    whole."""
    if unit.kind is UnitKind.TABLE_ROW and any(unit.citations_per_cell):
        cited = unit.citations_per_cell
        stating = [
            cell
            for at, cell in enumerate(unit.cells)
            if any(cited[at : at + 1]) or extract_values(cell)
        ]
        return [cell for cell in stating if cell.strip()] or [unit.text]
    return [unit.text]


def _lies_in(span: CandidateSpan, passages: Sequence[Passage]) -> bool:
    return any(
        p.file == span.passage.file and p.start < span.end and span.start < p.end for p in passages
    )


def _not_comparable(unit: DraftSentence) -> DraftSentence:
    problem = SentenceProblem(ProblemCode.NO_SOURCE, "", SOURCE_NOT_AS_IT_WAS)
    return replace(
        unit, support=Support.UNSUPPORTED, score=0.0, problems=(problem,), needs_check=False
    )


def _with_problem(unit: DraftSentence, problem: SentenceProblem) -> DraftSentence:
    others = tuple(p for p in unit.problems if p.code is not ProblemCode.SOURCE_CHANGED)
    support = min(unit.support, Support.PARTLY, key=_RANK.index)
    return replace(unit, support=support, problems=(problem, *others))

"""The one path that turns a plan into a checked, cited draft or answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import DocumentMetadata
from phasergun_desktop.errors import Cancelled, PhaserGunError
from phasergun_desktop.grounding.binding import SpanBinder
from phasergun_desktop.grounding.citation_style import DRAFT_CITATIONS, CitationStyle
from phasergun_desktop.grounding.footnotes import EarlierFootnotes, FootnoteNumbers
from phasergun_desktop.grounding.judge import Judge
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support, UnitKind
from phasergun_desktop.grounding.rendering import render_markdown
from phasergun_desktop.grounding.standards import named_standards
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.planning.comparing.named_devices import named_devices
from phasergun_desktop.planning.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.planning.prompt_warnings import UNREAD_DOCUMENT
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.profiles.model import (
    AnswerSettings,
    BandAction,
    CitationSettings,
    ConfidenceSettings,
)
from phasergun_desktop.text.snippets import snippet
from phasergun_desktop.writing.comparison import write_comparison
from phasergun_desktop.writing.composing import Composer
from phasergun_desktop.writing.confidence import BANDS, confidence_of
from phasergun_desktop.writing.coverage import not_covered, tables_in_part, without_gaps
from phasergun_desktop.writing.extractive import extract
from phasergun_desktop.writing.gaps import gap_name, nearest_passages, searched_in, where_it_belongs
from phasergun_desktop.writing.instructions import language_warnings, with_persona
from phasergun_desktop.writing.joining import Joiner
from phasergun_desktop.writing.model import (
    NEAREST,
    AnswerMetrics,
    AnswerResult,
    AnswerStatus,
    Confidence,
    ConfidenceLevel,
    PlanReady,
    PointStarted,
    UnitBound,
)
from phasergun_desktop.writing.model_calls import ModelCalls
from phasergun_desktop.writing.page import Page
from phasergun_desktop.writing.pair_sentences import sentence_of_pair

# What is said with an answer to a question whose confidence asks for it.
_CAVEATS = {
    BandAction.CAVEAT: (
        "Read with a caveat: the sources may speak of something near to what was asked."
    ),
    BandAction.WARNING: (
        "Read with a warning: the sources may speak of something else than what was asked."
    ),
}
# Makes what words the answers of a plan on a page with a model.
ComposerMaker = Callable[[ModelCalls, Page, Plan, LanguageModel], Composer]


@dataclass(slots=True)
class _Writing:
    """The state of one draft while it is written."""

    plan: Plan
    page: Page
    metrics: AnswerMetrics
    numbers: FootnoteNumbers
    started: float
    should_stop: Callable[[], bool]
    joiner: Joiner | None = None
    composer: Composer | None = None


class Answerer:
    """Writes drafts and answers. ``system`` is tier 1; ``standards`` gives titles by id."""

    def __init__(
        self,
        documents: IndexedDocuments,
        new_judge: Callable[[], Judge],
        *,
        system: str,
        standards: tuple[tuple[str, str], ...],
        settings: AnswerSettings,
        citations: CitationSettings = DRAFT_CITATIONS,
        confidence: ConfidenceSettings = BANDS,
    ) -> None:
        self._documents = documents
        self._new_judge = new_judge
        self._system = system
        self._standards = standards
        self._settings = settings
        self._confidence = confidence
        self._style = CitationStyle(citations, self._metadata)

    def _styled(self, numbers: FootnoteNumbers) -> tuple[Footnote, ...]:
        return tuple(map(self._style.styled, numbers.footnotes))

    def _with_styled_notes(self, event: Event) -> Event:
        if isinstance(event, UnitBound):
            return replace(event, footnotes=tuple(map(self._style.styled, event.footnotes)))
        return event

    def _metadata(self, file: str) -> DocumentMetadata:
        records = self._documents.documents()
        return next((r.metadata for r in records if r.file == file), DocumentMetadata())

    def answer(
        self,
        plan: Plan,
        model: LanguageModel | None,
        should_stop: Callable[[], bool],
        earlier: EarlierFootnotes = EarlierFootnotes(),  # noqa: B008 - a value
        compose: ComposerMaker | None = None,
        persona: str = "",
    ) -> Job[AnswerResult]:
        """Write the plan in the words of its sources; a ``model`` joins the paragraphs into prose,
        with an agent's ``persona`` behind its rules, or words the whole answer where there is a way
        to ``compose`` it. Sources keep the numbers that they have from ``earlier`` answers.

        Yields ``PlanReady``, ``PointStarted``, ``FirstToken``, ``TextStreamed``,
        ``StreamDiscarded`` and ``UnitBound``.
        A stop gives what was written so far with status ``cancelled``, a failure of the model what
        was written with status ``error``; one before anything is stated is raised
        (``PhaserGunError``).
        """
        yield PlanReady(plan)
        writing = self._begin(plan, model, should_stop, earlier, compose, persona)
        if plan.is_blocked:
            return self._result(writing, AnswerStatus.BLOCKED)
        try:
            with closing(self._write(writing)) as events:
                yield from map(self._with_styled_notes, events)
        except Cancelled:
            return self._result(writing, AnswerStatus.CANCELLED)
        except PhaserGunError as error:
            if not _states_something(writing.page):
                raise
            return self._result(writing, AnswerStatus.ERROR, error)
        if not _states_something(writing.page):
            return self._result(writing, AnswerStatus.ABSTAINED)
        return self._result(writing, AnswerStatus.COMPLETE)

    def _begin(
        self,
        plan: Plan,
        model: LanguageModel | None,
        should_stop: Callable[[], bool],
        earlier: EarlierFootnotes,
        compose: ComposerMaker | None,
        persona: str,
    ) -> _Writing:
        binder = SpanBinder(self._new_judge(), self._documents.parsed)
        numbers = FootnoteNumbers(self._documents.parsed, earlier)
        # Names alone: what else the master record states has to stand in a source.
        given = " ".join(
            reference.value.text
            for reference in named_devices(plan.references)
            if reference.value is not None
        )
        page = Page(binder, numbers, self._documents, given)
        metrics = AnswerMetrics(
            retrieval_ms=plan.retrieval_ms,
            chunks_retrieved=len({p.chunk_id for p in plan.passages}),
            model=model.name if model else "extractive",
        )
        started = time.perf_counter()
        writing = _Writing(plan, page, metrics, numbers, started, should_stop)
        if model is not None:
            calls = ModelCalls(model, metrics, should_stop, started, self._settings.temperature)
            if compose is not None:
                writing.composer = compose(calls, page, plan, model)
            else:
                writing.joiner = Joiner(calls, page, system=with_persona(self._system, persona))
        return writing

    def _write(self, writing: _Writing) -> Generator[Event, None, None]:
        page, plan = writing.page, writing.plan
        if plan.title:
            yield page.heading(plan.title)
        total = len(plan.points)
        compared = [point for point in plan.points if point.kind is PointKind.COMPARE]
        for index, point in enumerate(plan.points):
            if writing.should_stop():
                raise Cancelled
            yield PointStarted(index, total, point)
            if point.kind is PointKind.COMPARE:
                if point is compared[0]:
                    # What a rule assembles from several points belongs to none of them.
                    page.open_point(-1, point.heading, level=2 if plan.title else 1)
                    # A prompt asks for each attribute by itself, too.
                    is_of_template = bool(plan.template)
                    written = write_comparison(page, compared, tells_gaps=is_of_template)
                    yield from page.announced()
                    yield from written
                continue
            page.open_point(index, point.heading, level=2 if plan.title else 1)
            with closing(self._point(writing, point, f"point {index + 1}")) as events:
                for event in events:
                    if isinstance(event, UnitBound):
                        yield from page.announced()
                    yield event

    @staticmethod
    def _point(writing: _Writing, point: PlannedPoint, step: str) -> Generator[Event, None, None]:
        page = writing.page
        if point.kind is PointKind.VERBATIM and point.value is not None:
            text = f"{point.instruction} {point.value.text.rstrip('. ')}."
            yield page.quoted(text, point.value)
            return
        said = False
        for pair in point.pairs:
            yield page.quoted(sentence_of_pair(pair.question, pair.answer.text), pair.answer)
            said = True
        if writing.composer is not None and point.kind is PointKind.VALUE:
            said = (yield from writing.composer.write(step, point)) or said
        if point.passages and not (said and writing.composer is not None):
            said = (yield from extract(page, point, writing.joiner, step)) or said
        if not said and not point.may_be_empty:
            yield page.gap(gap_name(point), where_it_belongs(point), searched_in(point))

    def _result(
        self, writing: _Writing, status: AnswerStatus, error: PhaserGunError | None = None
    ) -> AnswerResult:
        page, plan, metrics = writing.page, writing.plan, writing.metrics
        page.settle()
        metrics.total_ms = (time.perf_counter() - writing.started) * 1000 + plan.retrieval_ms
        missing, caveat = "", ""
        notes = self._styled(writing.numbers)
        if status is AnswerStatus.ABSTAINED:
            missing = "; ".join(page.gaps)
            text = abstention(self._settings, plan)
            rationale = text.partition("\n\n")[0]
            confidence = Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), rationale)
        else:
            writing.numbers.number_standards(
                named_standards([plan.task, *(unit.text for unit in page.units)], self._standards)
                if page.units
                else ()
            )
            notes = self._styled(writing.numbers)
            text = self._rendered(page.units, notes, plan)
            confidence = confidence_of(
                page.units,
                plan,
                footnotes=notes,
                discrepancies=plan.discrepancies,
                documents=self._documents,
                settings=self._confidence,
            )
            if is_question(plan) and _states_something(page):
                caveat = _CAVEATS.get(self._confidence.action(confidence.score), "")
        return AnswerResult(
            status=status,
            text=text,
            sentences=page.units,
            footnotes=notes,
            confidence=confidence,
            plan=plan,
            metrics=metrics,
            discrepancies=(
                *without_gaps(plan, page.gaps),
                *page.discrepancies,
                *not_covered(plan.points, page.units),
            ),
            warnings=(
                *plan.warnings,
                *(writing.composer.warnings if writing.composer is not None else ()),
                *language_warnings(plan),
                *(() if is_question(plan) else tables_in_part(page.rows, page.parsed)),
                *([caveat] if caveat else []),
            ),
            missing=missing,
            error=error,
        )

    def _rendered(
        self, units: Sequence[DraftSentence], notes: tuple[Footnote, ...], plan: Plan
    ) -> str:
        text = render_markdown(units, notes, heading=self._style.settings.sources_heading)
        if self._settings.heading and is_question(plan):
            text = f"{self._settings.heading}\n\n{text}"
        return text

    def renumbered(self, result: AnswerResult, new: Mapping[int, int]) -> AnswerResult:
        """Return ``result``, which has footnotes, with the ``new`` numbers of all of them."""
        units = tuple(unit.renumbered(new) for unit in result.sentences)
        moved = [replace(note, number=new[note.number]) for note in result.footnotes]
        notes = tuple(self._style.styled(each) for each in sorted(moved, key=_number))
        text = self._rendered(units, notes, result.plan)
        return replace(result, text=text, sentences=units, footnotes=notes)


def _number(note: Footnote) -> int:
    return note.number


def is_question(plan: Plan) -> bool:
    """Whether ``plan`` is of a question that wants a short answer."""
    return bool(plan.points) and all(point.kind is PointKind.VALUE for point in plan.points)


def _states_something(page: Page) -> bool:
    """Whether a unit states something: sentences that nothing carries are not an answer."""
    return any(
        unit.kind not in (UnitKind.HEADING, UnitKind.TODO)
        and unit.support is not Support.UNSUPPORTED
        for unit in page.units
    )


def abstention(texts: AnswerSettings, plan: Plan) -> str:
    """Return the answer where nothing was found: what is missing, a document that is not read or,
    where none of those that are there can, what kind of document in which folder would help, and
    the nearest of the passages that were looked at."""
    points = plan.points
    if not points:
        return texts.fallback
    wanted = "; ".join(dict.fromkeys(gap_name(point) for point in points))
    documents = "; ".join(dict.fromkeys(where_it_belongs(point) for point in points))
    fields = {"wanted": wanted, "documents": documents}
    nearest = nearest_passages(plan)
    parts = [texts.not_in_documents.format(**fields)]
    unread = [f"{p.message} {p.remedy}" for p in plan.problems if p.code == UNREAD_DOCUMENT]
    parts += unread or [texts.ingest_hint.format(**fields)]
    if nearest:
        # Last: a window that shows them itself leaves the text out from there on.
        listed = [f"- “{snippet(each.text)}” ({each.file})" for each in nearest]
        parts.append("\n".join([NEAREST, "", *listed]))
    return "\n\n".join(parts)

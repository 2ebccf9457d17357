"""The one path that turns a plan into a checked, cited draft or answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from textwrap import shorten

from phasergun_desktop.answering.comparing.comparison import write_comparison
from phasergun_desktop.answering.comparing.named_devices import named_devices
from phasergun_desktop.answering.confidence import confidence_of
from phasergun_desktop.answering.discrepancies.coverage import not_covered, without_gaps
from phasergun_desktop.answering.model import (
    AnswerMetrics,
    AnswerResult,
    AnswerStatus,
    AuditFinding,
    Confidence,
    ConfidenceLevel,
    Plan,
    PlannedPoint,
    PlanReady,
    PointKind,
    PointStarted,
    UnitBound,
)
from phasergun_desktop.answering.passes.audit import Auditor
from phasergun_desktop.answering.passes.doubts import Doubts, Opinion
from phasergun_desktop.answering.passes.reading_room import ReadingBudget, ReadingRoom
from phasergun_desktop.answering.prompt_warnings import UNREAD_DOCUMENT
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.answering.writing.composer import Composer
from phasergun_desktop.answering.writing.extractive import extract
from phasergun_desktop.answering.writing.gaps import gap_name, searched_in, where_it_belongs
from phasergun_desktop.answering.writing.instructions import (
    Task,
    language_warnings,
    passages_text,
    task_of,
)
from phasergun_desktop.answering.writing.model_calls import ModelCalls
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.pair_sentences import labelled_pair, sentence_of_pair
from phasergun_desktop.answering.writing.repetition import is_asked_before
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.errors import Cancelled, PhaserGunError
from phasergun_desktop.grounding.binding import SpanBinder
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.grounding.rendering import render_markdown
from phasergun_desktop.grounding.standards import named_standards
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.references.model import Problem, QuestionAnswer

# So many passages are shown in place of an answer, each with so many characters.
_MOST_NEAREST, _LONGEST_SHOWN = 3, 300


@dataclass(frozen=True, slots=True)
class AnswerTexts:
    """What the product says when it cannot answer (from the profile): ``{wanted}`` is what was
    asked for, ``{documents}`` what kind of document would help."""

    fallback: str
    not_in_documents: str
    ingest_hint: str


@dataclass(frozen=True, slots=True)
class SecondPasses:
    """What is done with what a model wrote: ``audit`` and revise; ``make_opinion`` (None: none is
    asked for) makes what is asked about doubtful sentences; ``completes`` keeps each point to its
    sources and adds what was left out of them."""

    audit: bool = False
    make_opinion: Callable[[LanguageModel, Callable[[], bool]], Opinion] | None = None
    completes: bool = False


@dataclass(slots=True)
class _Writing:
    """The state of one draft while it is written."""

    plan: Plan
    page: Page
    metrics: AnswerMetrics
    numbers: FootnoteNumbers
    binder: SpanBinder
    started: float
    should_stop: Callable[[], bool]
    task: Task
    composer: Composer | None = None
    auditor: Auditor | None = None
    doubts: Doubts | None = None
    room: ReadingRoom | None = None
    findings: tuple[AuditFinding, ...] = ()
    warnings: list[str] = field(default_factory=list)

    def fitted(self, index: int, point: PlannedPoint) -> PlannedPoint:
        """Return what the model can read of ``point``; the plan then says what was really read."""
        if self.room is None:
            return point
        point = self.room.fitted(index, point)
        points = (*self.plan.points[:index], point, *self.plan.points[index + 1 :])
        self.plan = replace(self.plan, points=points)
        return point


class Answerer:
    """Writes drafts and answers. ``system`` is tier 1; ``standards`` gives titles by id."""

    def __init__(
        self,
        documents: IndexedDocuments,
        embedder: Embedder,
        *,
        system: str,
        standards: tuple[tuple[str, str], ...],
        texts: AnswerTexts,
        temperature: float = 0.0,
        passes: SecondPasses | None = None,
        budget: ReadingBudget | None = None,
    ) -> None:
        self._documents = documents
        self._embedder = embedder
        self._system = system
        self._standards = standards
        self._texts = texts
        self._temperature = temperature
        self._passes = passes or SecondPasses()
        self._budget = budget or ReadingBudget()

    def answer(
        self, plan: Plan, model: LanguageModel | None, should_stop: Callable[[], bool]
    ) -> Job[AnswerResult]:
        """Write the plan; without a model the draft is made of verbatim spans.

        Yields ``PlanReady``, ``PointStarted``, ``FirstToken``, ``TextStreamed``,
        ``StreamDiscarded`` and ``UnitBound``; with second passes ``Progress`` and ``UnitRevised``.
        A stop gives what was written so far with status ``cancelled``, a failure of the model what
        was written with status ``error``; one before anything is stated is raised
        (``PhaserGunError``).
        """
        yield PlanReady(plan)
        writing = self._begin(plan, model, should_stop)
        if plan.is_blocked:
            return self._result(writing, AnswerStatus.BLOCKED)
        try:
            yield from self._write(writing)
            yield from self._look_again(writing)
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
        self, plan: Plan, model: LanguageModel | None, should_stop: Callable[[], bool]
    ) -> _Writing:
        binder = SpanBinder(self._embedder, self._documents.parsed)
        numbers = FootnoteNumbers(self._documents.parsed)
        # Names alone: what else the master record states has to stand in a source.
        given = " ".join(
            reference.value.text
            for reference in named_devices(plan.references)
            if reference.value is not None
        )
        page = Page(binder, numbers, self._documents, given, plan.maximum_words)
        metrics = AnswerMetrics(
            retrieval_ms=plan.retrieval_ms,
            chunks_retrieved=len({p.chunk_id for p in plan.passages}),
            model=model.name if model else "extractive",
        )
        started = time.perf_counter()
        task = task_of(plan)
        writing = _Writing(plan, page, metrics, numbers, binder, started, should_stop, task)
        if model is not None:
            writing.composer = Composer(
                model,
                page,
                metrics,
                system=self._system,
                task=writing.task,
                should_stop=should_stop,
                completes=self._passes.completes,
                started=writing.started,
                temperature=self._temperature,
            )
            self._prepare_passes(writing, model)
        return writing

    def _prepare_passes(self, writing: _Writing, model: LanguageModel) -> None:
        page, metrics, should_stop = writing.page, writing.metrics, writing.should_stop
        stable = self._system + passages_text((), writing.task.summaries)
        budget = self._budget.tokens(model, stable)
        writing.room = ReadingRoom(model.count_tokens, metrics, should_stop, budget)
        if self._passes.audit:
            calls = ModelCalls(model, metrics, should_stop, writing.started, self._temperature)
            writing.auditor = Auditor(calls, page, metrics, system=self._system, task=writing.task)
        if self._passes.make_opinion is not None:
            opinion = self._passes.make_opinion(model, should_stop)
            writing.doubts = Doubts(opinion, page, metrics, model.name)

    def _write(self, writing: _Writing) -> Generator[Event, None, None]:
        page, plan = writing.page, writing.plan
        if plan.title:
            yield page.heading(plan.title)
        total = len(plan.points)
        compared = [point for point in plan.points if point.kind is PointKind.COMPARE]
        for index, planned in enumerate(plan.points):
            if writing.should_stop():
                raise Cancelled
            if page.is_full:
                page.left_out.append(gap_name(planned))
                continue
            if is_asked_before(planned, plan.points[:index]):
                continue
            point = writing.fitted(index, planned)
            yield PointStarted(index, total, point)
            if writing.composer is not None:
                writing.composer.begin(index)
            if point.kind is PointKind.COMPARE:
                if planned is compared[0]:
                    # What a rule assembles from several points belongs to none of them.
                    page.open_point(-1, point.heading, level=2 if plan.title else 1)
                    # A prompt asks for each attribute by itself, too.
                    is_of_template = bool(plan.template)
                    written = write_comparison(page, compared, tells_gaps=is_of_template)
                    yield from page.announced()
                    yield from written
                continue
            page.open_point(index, point.heading, level=2 if plan.title else 1)
            with closing(self._point(writing, point)) as events:
                for event in events:
                    if isinstance(event, UnitBound):
                        yield from page.announced()
                    yield event

    def _look_again(self, writing: _Writing) -> Generator[Event, None, None]:
        """The second passes. The draft is whole before them and stays so: a model that fails here
        costs it nothing."""
        try:
            if writing.doubts is not None:
                yield from writing.doubts.run()
            if writing.auditor is not None:
                writing.findings = yield from writing.auditor.run(writing.plan.points)
        except PhaserGunError as error:
            writing.warnings.append(
                f"The draft was not read a second time to its end: {error.message} {error.remedy}"
            )

    def _point(self, writing: _Writing, point: PlannedPoint) -> Generator[Event, None, None]:
        page = writing.page
        if point.denial is not None:
            quote = " ".join(point.denial.text.split())
            yield page.quoted(f"The sources say otherwise: “{quote}”.", point.denial)
            return
        if point.kind is PointKind.VERBATIM and point.value is not None:
            text = f"{point.instruction} {point.value.text.rstrip('. ')}."
            yield page.quoted(text, point.value)
            return
        said = False
        for pair in point.pairs:
            sentence = yield from self._pair_sentence(writing, pair)
            yield page.quoted(sentence, pair.answer)
            said = True
        if point.passages:
            if writing.composer is not None:
                said = (yield from writing.composer.write_point(point)) or said
            else:
                said = (yield from extract(page, point)) or said
        if not said and not point.may_be_empty:
            yield page.gap(gap_name(point), where_it_belongs(point), searched_in(point))

    def _pair_sentence(
        self, writing: _Writing, pair: QuestionAnswer
    ) -> Generator[Event, None, str]:
        if writing.composer is not None:
            return (yield from writing.composer.pair_sentence(pair))
        by_rule = sentence_of_pair(pair.question, pair.answer.text)
        return by_rule or labelled_pair(pair.question, pair.answer.text)

    def _result(
        self, writing: _Writing, status: AnswerStatus, error: PhaserGunError | None = None
    ) -> AnswerResult:
        page, plan, metrics = writing.page, writing.plan, writing.metrics
        page.settle()
        if writing.room is not None:
            writing.warnings.extend(writing.room.warnings)
        metrics.total_ms = (time.perf_counter() - writing.started) * 1000 + plan.retrieval_ms
        missing = ""
        if status is AnswerStatus.ABSTAINED:
            missing = "; ".join(page.gaps)
            text = abstention(self._texts, plan.points, plan.problems)
            rationale = text.partition("\n\n")[0]
            confidence = Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), rationale)
        else:
            writing.numbers.number_standards(
                named_standards([plan.task, *(unit.text for unit in page.units)], self._standards)
                if page.units
                else ()
            )
            text = render_markdown(page.units, writing.numbers.footnotes)
            confidence = confidence_of(
                page.units,
                plan,
                len(page.gaps),
                footnotes=writing.numbers.footnotes,
                discrepancies=plan.discrepancies,
                documents=self._documents,
            )
        return AnswerResult(
            status=status,
            text=text,
            sentences=page.units,
            footnotes=writing.numbers.footnotes,
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
                *page.warnings,
                *writing.warnings,
                *(language_warnings(writing.task) if writing.composer else ()),
            ),
            missing=missing,
            findings=writing.findings,
            error=error,
            is_revised=page.is_revised,
        )


def _states_something(page: Page) -> bool:
    """Whether a unit states something: sentences that nothing carries are not an answer."""
    return any(
        unit.kind not in (UnitKind.HEADING, UnitKind.TODO)
        and unit.support is not Support.UNSUPPORTED
        for unit in page.units
    )


def abstention(
    texts: AnswerTexts, points: Sequence[PlannedPoint], problems: Sequence[Problem] = ()
) -> str:
    """Return the answer where nothing was found: what is missing, a document that ``problems`` say
    is not read, and the best of the passages that were selected, or what kind of document in which
    folder would help."""
    if not points:
        return texts.fallback
    wanted = "; ".join(dict.fromkeys(gap_name(point) for point in points))
    documents = "; ".join(dict.fromkeys(where_it_belongs(point) for point in points))
    fields = {"wanted": wanted, "documents": documents}
    read = {passage for point in points for passage in point.passages}
    nearest = sorted(read, key=lambda each: (-each.score, each.file, each.start))[:_MOST_NEAREST]
    parts = [texts.not_in_documents.format(**fields)]
    parts += [f"{p.message} {p.remedy}" for p in problems if p.code == UNREAD_DOCUMENT]
    if nearest:
        listed = [f"- “{shorten(each.text, _LONGEST_SHOWN)}” ({each.file})" for each in nearest]
        parts.append("\n".join(["The passages that come nearest:", "", *listed]))
    elif len(parts) == 1:
        parts.append(texts.ingest_hint.format(**fields))
    return "\n\n".join(parts)

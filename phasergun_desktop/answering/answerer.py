"""The one path that turns a plan into a checked, cited draft or answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from phasergun_desktop.answering.comparison import Cell, bound_cell, write_comparison
from phasergun_desktop.answering.composer import Composer, labelled_pair, sentence_of_pair
from phasergun_desktop.answering.confidence import confidence_of
from phasergun_desktop.answering.counterpart import counterpart
from phasergun_desktop.answering.extractive import Extractor
from phasergun_desktop.answering.model import (
    AnswerMetrics,
    AnswerResult,
    AnswerStatus,
    Confidence,
    ConfidenceLevel,
    Plan,
    PlannedPoint,
    PlanReady,
    PointKind,
    PointStarted,
)
from phasergun_desktop.answering.page import Page
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.grounding.rendering import render_markdown
from phasergun_desktop.grounding.standards import named_standards
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.references.model import QuestionAnswer, ReferenceKind

_HELPFUL_CONTEXT = (
    "a specification or test report in Context/Ongoing, the device description in "
    "Context/Initiation, or a field of the master record"
)
_HELPFUL_PROCEDURES = "a procedure in Procedures/SOPs"


@dataclass(frozen=True, slots=True)
class AnswerTexts:
    """What the product says when it cannot answer (from the profile): ``{wanted}`` is what was
    asked for, ``{documents}`` what kind of document would help."""

    fallback: str
    not_in_documents: str
    ingest_hint: str


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
    composer: Composer | None = None
    extractor: Extractor | None = None
    rows: dict[str, list[Cell]] = field(default_factory=dict)


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
    ) -> None:
        self._documents = documents
        self._embedder = embedder
        self._system = system
        self._standards = standards
        self._texts = texts
        self._temperature = temperature

    def answer(
        self, plan: Plan, model: LanguageModel | None, should_stop: Callable[[], bool]
    ) -> Job[AnswerResult]:
        """Write the plan; without a model the draft is made of verbatim spans.

        Yields ``PlanReady``, ``PointStarted``, ``FirstToken``, ``TextStreamed``,
        ``StreamDiscarded`` and ``UnitBound``. A stop gives what was written so far with status
        ``cancelled``; an exception is a ``PhaserGunError`` of the model.
        """
        yield PlanReady(plan)
        writing = self._begin(plan, model, should_stop)
        if plan.is_blocked:
            return self._result(writing, AnswerStatus.BLOCKED)
        try:
            yield from self._write(writing)
        except Cancelled:
            return self._result(writing, AnswerStatus.CANCELLED)
        # Sentences that nothing carries are not an answer, however many there are.
        stated = any(
            unit.kind not in (UnitKind.HEADING, UnitKind.TODO)
            and unit.support is not Support.UNSUPPORTED
            for unit in writing.page.units
        )
        if not stated:
            return self._result(writing, AnswerStatus.ABSTAINED)
        return self._result(writing, AnswerStatus.COMPLETE)

    def _begin(
        self, plan: Plan, model: LanguageModel | None, should_stop: Callable[[], bool]
    ) -> _Writing:
        binder = SpanBinder(self._embedder, self._documents.parsed)
        numbers = FootnoteNumbers(self._documents.parsed)
        given = " ".join(
            reference.value.text
            for reference in plan.references
            if reference.kind is ReferenceKind.MASTER_RECORD and reference.value is not None
        )
        page = Page(binder, numbers, self._documents, given)
        metrics = AnswerMetrics(
            retrieval_ms=plan.retrieval_ms,
            chunks_retrieved=len({p.chunk_id for p in plan.passages}),
            model=model.name if model else "extractive",
        )
        writing = _Writing(plan, page, metrics, numbers, binder, time.perf_counter(), should_stop)
        if model is None:
            writing.extractor = Extractor(binder, self._embedder)
        else:
            writing.composer = Composer(
                model,
                page,
                metrics,
                system=self._system,
                title=plan.title,
                should_stop=should_stop,
                started=writing.started,
                temperature=self._temperature,
            )
        return writing

    def _write(self, writing: _Writing) -> Generator[Event, None, None]:
        page, plan = writing.page, writing.plan
        if plan.title:
            yield page.heading(plan.title)
        total = len(plan.points)
        for index, point in enumerate(plan.points):
            if writing.should_stop():
                raise Cancelled
            yield PointStarted(index, total, point)
            if point.kind is PointKind.COMPARE:
                yield from self._slot(writing, point)
                continue
            page.new_paragraph()
            if point.heading:
                yield page.heading(point.heading, level=2 if plan.title else 1)
            yield from self._point(writing, point)
        self._second_look(writing)
        yield from write_comparison(page, list(writing.rows.values()))

    def _point(self, writing: _Writing, point: PlannedPoint) -> Generator[Event, None, None]:
        page = writing.page
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
            elif writing.extractor is not None:
                said = (yield from _extract(writing.extractor, page, point)) or said
        if not said:
            yield page.gap(_gap_name(point))

    def _pair_sentence(
        self, writing: _Writing, pair: QuestionAnswer
    ) -> Generator[Event, None, str]:
        if writing.composer is not None:
            return (yield from writing.composer.pair_sentence(pair))
        by_rule = sentence_of_pair(pair.question, pair.answer.text)
        return by_rule or labelled_pair(pair.question, pair.answer.text)

    def _slot(self, writing: _Writing, point: PlannedPoint) -> Generator[Event, None, None]:
        cell = Cell(point.attribute, point.device)
        if point.value is not None:
            cell = Cell(point.attribute, point.device, point.value.text, value=point.value)
        elif point.passages and writing.composer is not None:
            text = yield from writing.composer.slot(point)
            if text:
                found = Cell(point.attribute, point.device, text)
                cell = bound_cell(found, writing.page.bind(text, point.passages))
        elif point.passages and writing.extractor is not None:
            for span in writing.extractor.best_spans(point):
                text = " ".join(span.text.split())
                found = Cell(point.attribute, point.device, text)
                cell = bound_cell(found, writing.extractor.binding(span))
        writing.rows.setdefault(point.attribute, []).append(cell)

    def _second_look(self, writing: _Writing) -> None:
        """Fill a value that one device lacks from the clause that says what the other's says.

        A small model that does not know what sort of words are wanted says NOT FOUND; shown the
        other device's value it repeats that. A rule finds the device's own words.
        """
        points = {(p.attribute, p.device): p for p in writing.plan.points}
        for row in writing.rows.values():
            example = next((cell.text for cell in row if cell.text), "")
            for at, cell in enumerate(row):
                if cell.text or not example:
                    continue
                spans = writing.binder.spans_of(points[cell.attribute, cell.device].passages)
                found = counterpart(example, spans)
                if found is not None:
                    binding = Binding((found.span,), Support.SUPPORTED, 1.0, ())
                    row[at] = Cell(cell.attribute, cell.device, found.text, binding)

    def _result(self, writing: _Writing, status: AnswerStatus) -> AnswerResult:
        page, plan, metrics = writing.page, writing.plan, writing.metrics
        metrics.total_ms = (time.perf_counter() - writing.started) * 1000 + plan.retrieval_ms
        missing = ""
        if status is AnswerStatus.ABSTAINED:
            missing = "; ".join(page.gaps)
            text = abstention(self._texts, plan.points)
            confidence = Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), text)
        else:
            writing.numbers.number_standards(
                named_standards([plan.task, *(unit.text for unit in page.units)], self._standards)
                if page.units
                else ()
            )
            text = render_markdown(page.units, writing.numbers.footnotes)
            confidence = confidence_of(page.units, plan, len(page.gaps))
        return AnswerResult(
            status=status,
            text=text,
            sentences=page.units,
            footnotes=writing.numbers.footnotes,
            confidence=confidence,
            plan=plan,
            metrics=metrics,
            discrepancies=tuple(page.discrepancies),
            missing=missing,
        )


def _extract(extractor: Extractor, page: Page, point: PlannedPoint) -> Generator[Event, None, bool]:
    said = False
    for span in extractor.best_spans(point):
        if page.repeats(span.text):
            continue
        yield page.sentence(" ".join(span.text.split()), extractor.binding(span))
        said = True
    return said


def abstention(texts: AnswerTexts, points: Sequence[PlannedPoint]) -> str:
    """Return the answer where nothing was found: what is missing and what would help."""
    if not points:
        return texts.fallback
    wanted = "; ".join(dict.fromkeys(_gap_name(point) for point in points))
    is_procedural = all(point.kind is PointKind.PROCEDURE for point in points)
    documents = _HELPFUL_PROCEDURES if is_procedural else _HELPFUL_CONTEXT
    fields = {"wanted": wanted, "documents": documents}
    return f"{texts.not_in_documents.format(**fields)}\n\n{texts.ingest_hint.format(**fields)}"


def _gap_name(point: PlannedPoint) -> str:
    text = point.instruction.partition(". ")[0].strip().rstrip(".")
    if text.endswith("?"):
        return f"an answer to “{text}”"
    return text if text[:2].isupper() else text[:1].lower() + text[1:]

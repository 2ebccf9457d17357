"""A draft without a model: the best spans of each point, word for word and cited."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import groupby

from phasergun_desktop.answering.model import PlannedPoint, PointKind, UnitBound
from phasergun_desktop.answering.writing.from_sources import add_list, add_span
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.relevance import Relevance
from phasergun_desktop.answering.writing.verbatim import is_of_the_paper, is_statement
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan, overlap, sentences_of
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.projects.layers import Layer

_SPANS_PER_POINT = 4
_MIN_RELEVANCE = 0.3
_MIN_CHARACTERS = 15
# Against the best span of the point: what a model left out is added from here, what it wrote is
# beside the point below. Set by reading 15 drafts; another sentence of the block of a kept one may
# be further away, since it goes on about the same.
_LEFT_OUT = 0.6
_BESIDE_THE_POINT = 0.5
# A section answers a point best where one of its sentences is this near to the best of all; from a
# sentence to the next, and to a list as a whole, this much is carried.
_ANSWERS_BEST = 0.8
_GOES_ON = 0.85
_LISTED = (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW)


Table = tuple[str, tuple[str, ...], tuple[str, ...]]


def table_of(span: CandidateSpan) -> Table | None:
    """Return the file, the headings and the header of the table that ``span`` is a row of."""
    if span.block.kind is not BlockKind.TABLE_ROW:
        return None
    header = tuple(name for name, _ in span.block.cells)
    return span.passage.file, span.block.heading_path, header


def _section_of(span: CandidateSpan) -> tuple[str, tuple[str, ...]]:
    return span.passage.file, span.block.heading_path


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The spans of a point, best first, each with its relevance."""

    relevance: Relevance
    spans: list[tuple[float, CandidateSpan]]

    @property
    def best(self) -> float:
        return self.spans[0][0] if self.spans else 0.0


class Extractor:
    """Chooses verbatim spans by how well they answer a point."""

    def __init__(self, binder: SpanBinder, embedder: Embedder) -> None:
        self._binder = binder
        self._embedder = embedder
        self._last: tuple[PlannedPoint, _Ranked] | None = None
        self._last_carried: tuple[PlannedPoint, dict[tuple[str, int], float]] | None = None

    def best_spans(self, point: PlannedPoint) -> list[CandidateSpan]:
        """Return the evidence of ``point``; without any at most four spans that do not overlap, in
        the order of the document; the rows of a table count as one."""
        if point.evidence:
            return [self._binder.span_of(unit) for unit in point.evidence]
        return self._chosen(point, _MIN_RELEVANCE)

    def left_out(self, point: PlannedPoint) -> list[CandidateSpan]:
        """Return those of the best spans that a text on ``point`` must not be without. A field of
        the master record stands where it was asked for, not as a sentence."""
        least = max(_MIN_RELEVANCE, _LEFT_OUT * self._ranked(point).best)
        return [
            span
            for span in self._chosen(point, least)
            if span.passage.layer is not Layer.MASTER_RECORD
        ]

    def spans_of(self, point: PlannedPoint) -> list[CandidateSpan]:
        """Return every span that a sentence on ``point`` may cite."""
        return self._binder.spans_of(point.passages)

    def is_beside(self, point: PlannedPoint, sentence: str, binding: Binding) -> bool:
        """Whether ``sentence``, carried by its spans, is not about what ``point`` asks for,
        measured by what its passages could have said."""
        context = " ".join(span.context for span in binding.spans)
        ranked = self._ranked(point)
        [score] = ranked.relevance.scores([sentence], [context])
        least = _BESIDE_THE_POINT * ranked.best
        if score >= least:
            return False
        carried = self._carried(point)
        return all(carried.get((s.passage.file, s.start), 0.0) < least for s in binding.spans)

    def _chosen(self, point: PlannedPoint, least: float) -> list[CandidateSpan]:
        is_text = point.kind not in (PointKind.VALUE, PointKind.COMPARE)
        wanted = _SPANS_PER_POINT if is_text else 1
        chosen: list[CandidateSpan] = []
        tables: set[Table] = set()
        count = 0
        for score, span in self._ranked(point).spans:
            if score < least:
                break
            # The rows of a table count as one: a reader wants all that answer, not four of them.
            table = table_of(span) if is_text else None
            is_new = table is None or table not in tables
            if is_new and count == wanted:
                continue
            if all(not overlap(span, other) for other in chosen):
                chosen.append(span)
                count += is_new
                if table is not None:
                    tables.add(table)
        return sorted(chosen, key=lambda span: (span.passage.file, span.start))

    def _ranked(self, point: PlannedPoint) -> _Ranked:
        if self._last is None or self._last[0] is not point:
            self._last = (point, self._rank(point))
        return self._last[1]

    def _rank(self, point: PlannedPoint) -> _Ranked:
        is_question = point.kind is PointKind.VALUE
        spans = [
            span
            for span in self._binder.spans_of(point.passages)
            if len(span.text) > _MIN_CHARACTERS and is_statement(span)
            if is_question or not any(map(is_of_the_paper, sentences_of(span)))
        ]
        relevance = Relevance(self._embedder, point.query, (span.context for span in spans))
        if not spans:
            return _Ranked(relevance, [])
        scores = relevance.scores([s.text for s in spans], [s.context for s in spans])
        ranked = sorted(zip(scores, spans, strict=True), key=lambda item: -item[0])
        return _Ranked(relevance, ranked)

    def _carried(self, point: PlannedPoint) -> dict[tuple[str, int], float]:
        # Sentences that are no statements are embedded for it too: only where a model is doubted.
        if self._last_carried is None or self._last_carried[0] is not point:
            self._last_carried = (point, self._carry(point))
        return self._last_carried[1]

    def _carry(self, point: PlannedPoint) -> dict[tuple[str, int], float]:
        """Return the relevance that sentences have from those before them in their section, by
        file and start: a section on the point goes on about it without saying so again. Only the
        sections that answer the point best count."""
        ranked = self._ranked(point)
        relevance = ranked.relevance
        known = {(span.passage.file, span.start, span.end): score for score, span in ranked.spans}
        single = {
            (part.passage.file, part.start): part
            for span in self._binder.spans_of(point.passages)
            for part in sentences_of(span)
        }
        parts = [single[place] for place in sorted(single)]
        new = [part for part in parts if (part.passage.file, part.start, part.end) not in known]
        scores = relevance.scores([p.text for p in new], [p.context for p in new]) if new else []
        for part, score in zip(new, scores, strict=True):
            known[part.passage.file, part.start, part.end] = score
        least = _ANSWERS_BEST * ranked.best
        carried: dict[tuple[str, int], float] = {}
        for _, group in groupby(parts, key=_section_of):
            section = list(group)
            # The date of a report is about "dates", and nothing that follows it is.
            own = [
                0.0 if is_of_the_paper(part) else known[part.passage.file, part.start, part.end]
                for part in section
            ]
            if max(own) < least:
                continue
            is_headed = relevance.is_headed(" ".join(section[0].block.heading_path[-1:]))
            floor = _BESIDE_THE_POINT * ranked.best if is_headed else 0.0
            running, before = floor, None
            for part, score in zip(section, own, strict=True):
                in_list = before is not None and before.block.kind is part.block.kind in _LISTED
                running = max(score, floor, running if in_list else running * _GOES_ON)
                carried[part.passage.file, part.start] = running
                before = part
        return carried

    @staticmethod
    def binding(span: CandidateSpan) -> Binding:
        """Return the binding of a span that is used word for word."""
        return Binding((span,), Support.SUPPORTED, 1.0, ())


def extract(
    extractor: Extractor, page: Page, point: PlannedPoint
) -> Generator[UnitBound, None, bool]:
    """Put the best spans of ``point`` on ``page``; return whether they say anything, or all they
    would say stands there already. To a question only a span that answers it is given."""
    if point.kind is PointKind.PROCEDURE and (listed := add_list(page, point)):
        yield from listed
        return True
    said = False
    for span in extractor.best_spans(point):
        if page.repeats(span.text):
            said = True
            continue
        text, binding = " ".join(span.text.split()), extractor.binding(span)
        is_answer = point.kind is not PointKind.VALUE or page.answers(
            point.query, text, binding, point.passages
        )
        if is_answer and page.has_room_for(text):
            units = add_span(page, span)
            yield from units
            said = said or bool(units)
    return said

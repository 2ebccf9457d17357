"""A draft without a model: the best spans of each point, word for word and cited."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from phasergun_desktop.answering.model import PlannedPoint, PointKind, UnitBound
from phasergun_desktop.answering.outlines.clauses import asked_parts
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.words import content_words

_SPANS_PER_POINT = 4
_MIN_RELEVANCE = 0.3
_MIN_CHARACTERS = 15


class Extractor:
    """Chooses verbatim spans by how well they answer a point."""

    def __init__(self, binder: SpanBinder, embedder: Embedder) -> None:
        self._binder = binder
        self._embedder = embedder

    def best_spans(self, point: PlannedPoint) -> list[CandidateSpan]:
        """Return at most four spans that do not overlap, in the order of the document.

        Relevance is the mean of cosine and of the share of the query's content words, 0..1; a
        query that asks for several things counts by the one that a span fits best.
        """
        spans = [
            span
            for span in self._binder.spans_of(point.passages)
            if len(span.text) > _MIN_CHARACTERS and not is_instruction_like(span.text)
        ]
        if not spans:
            return []
        parts = asked_parts(point.query)
        queries = self._embedder.embed(parts)
        vectors = self._embedder.embed([span.text for span in spans])
        asked = [set(content_words(part)) for part in parts]
        scores = [
            max(
                0.5 * float(vector @ query) + 0.5 * _share(words, span)
                for query, words in zip(queries, asked, strict=True)
            )
            for vector, span in zip(vectors, spans, strict=True)
        ]
        wanted = 1 if point.kind in (PointKind.VALUE, PointKind.COMPARE) else _SPANS_PER_POINT
        chosen: list[CandidateSpan] = []
        for index in np.argsort(-np.asarray(scores), kind="stable"):
            span = spans[int(index)]
            if scores[int(index)] < _MIN_RELEVANCE or len(chosen) == wanted:
                break
            if all(not _overlap(span, other) for other in chosen):
                chosen.append(span)
        return sorted(chosen, key=lambda span: (span.passage.file, span.start))

    @staticmethod
    def binding(span: CandidateSpan) -> Binding:
        """Return the binding of a span that is used word for word."""
        return Binding((span,), Support.SUPPORTED, 1.0, ())


def _share(asked: set[str], span: CandidateSpan) -> float:
    words = set(content_words(span.text)) | set(content_words(span.context))
    return len(asked & words) / len(asked) if asked else 0.0


def _overlap(left: CandidateSpan, right: CandidateSpan) -> bool:
    return (
        left.passage.file == right.passage.file
        and left.start < right.end
        and right.start < left.end
    )


def extract(
    extractor: Extractor, page: Page, point: PlannedPoint
) -> Generator[UnitBound, None, bool]:
    """Put the best spans of ``point`` on ``page``; return whether they say anything, or all they
    would say stands there already. To a question only a span that answers it is given."""
    if point.kind is PointKind.PROCEDURE and (listed := page.listed(point)):
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
            units = page.verbatim(span)
            yield from units
            said = said or bool(units)
    return said

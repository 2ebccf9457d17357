"""A draft without a model: the best spans of each point, word for word and cited."""

from __future__ import annotations

import numpy as np

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.words import content_words

_SPANS_PER_POINT = 4
_MIN_RELEVANCE = 0.3


class Extractor:
    """Chooses verbatim spans by how well they answer a point."""

    def __init__(self, binder: SpanBinder, embedder: Embedder) -> None:
        self._binder = binder
        self._embedder = embedder

    def best_spans(self, point: PlannedPoint) -> list[CandidateSpan]:
        """Return at most four spans that do not overlap, in the order of the document.

        Relevance is the mean of cosine and of the share of the query's content words, 0..1.
        """
        spans = [span for span in self._binder.spans_of(point.passages) if len(span.text) > 15]
        if not spans:
            return []
        query = self._embedder.embed([point.query])[0]
        vectors = self._embedder.embed([span.text for span in spans])
        asked = set(content_words(point.query))
        scores = [
            0.5 * float(vector @ query) + 0.5 * _share(asked, span)
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

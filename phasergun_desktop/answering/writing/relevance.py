"""How well a text answers what is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.answering.model import PlannedPoint
from phasergun_desktop.answering.outlines.clauses import asked_parts
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.projects.layers import Layer

_SHORT_FROM = 3


class Relevance:
    """Relevance to one query: the mean of cosine and of the share of the query's content words
    that a text or what stands above it has, about 0..1; a query that asks for several things
    counts by the one that a text fits best. The short form of what is asked counts as all of it."""

    def __init__(self, embedder: Embedder, query: str) -> None:
        self._embedder = embedder
        parts = asked_parts(query)
        self._queries = embedder.embed(parts)
        self._asked = [set(content_words(part)) for part in parts]
        self._short = [_initials(part) for part in parts]

    def scores(self, texts: Sequence[str], contexts: Sequence[str]) -> list[float]:
        """Return the relevance of each text, which stands under the headings ``contexts``."""
        vectors = self._embedder.embed(list(texts))
        near = [
            set(content_words(text)) | set(content_words(context))
            for text, context in zip(texts, contexts, strict=True)
        ]
        return [
            max(
                0.5 * float(vector @ query) + 0.5 * (short in words or _share(asked, words))
                for query, asked, short in zip(self._queries, self._asked, self._short, strict=True)
            )
            for vector, words in zip(vectors, near, strict=True)
        ]


def is_unasked_field(point: PlannedPoint, spans: Sequence[CandidateSpan]) -> bool:
    """Whether what the first of ``spans`` says stands in the master record and shares no word with
    what ``point`` asks: such a record is short, is found for anything, and a model writes all of
    it out."""
    if not spans or spans[0].passage.layer is not Layer.MASTER_RECORD:
        return False
    asked = content_words(f"{point.query} {point.instruction} {point.heading}")
    return not set(asked) & set(content_words(spans[0].text))


def _initials(part: str) -> str:
    """Return the short form of a name of three words or more ("sterility assurance level": sal):
    a document that has spelt it out once goes on with it. ``""`` where there is none."""
    name = [word for word in part.rpartition(": ")[2].split() if content_words(word)]
    is_name = len(name) >= _SHORT_FROM and all(word.isalpha() for word in name)
    return "".join(word[0] for word in name).lower() if is_name else ""


def _share(asked: set[str], words: set[str]) -> float:
    return len(asked & words) / len(asked) if asked else 0.0

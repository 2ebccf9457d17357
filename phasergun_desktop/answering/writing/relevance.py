"""How well a text answers what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from phasergun_desktop.answering.model import PlannedPoint
from phasergun_desktop.answering.outlines.clauses import asked_parts
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.projects.layers import Layer

_SHORT_FROM = 3
_FEWEST_TO_TELL = 2
_LEAST_WEIGHT = 0.1
# A part counts in full where its rarest word has this share of the weight of the rarest of all.
_TELLING = 0.5


class Relevance:
    """Relevance to one query: the mean of cosine and of the share of the query's content words
    that a text or what stands above it has, about 0..1; a query that asks for several things
    counts by the one that a text fits best. The short form of what is asked counts as all of it.
    ``above`` is what stands above the texts that are compared; a word counts the less, the more
    of these have it: in a design procedure "design" tells no section from another."""

    def __init__(self, embedder: Embedder, query: str, above: Iterable[str] = ()) -> None:
        self._embedder = embedder
        parts = asked_parts(query)
        self._queries = embedder.embed(parts)
        self._asked = [set(content_words(part)) for part in parts]
        self._named = [set(content_words(part.rpartition(": ")[2])) for part in parts]
        self._short = [_initials(part) for part in parts]
        self._weights = _rarity(set().union(*self._asked), above)
        # "risk management during design and development" does not ask for "development".
        most = max(self._weights.values(), default=1.0)
        rarest = [max((self._weights[w] for w in words), default=most) for words in self._asked]
        self._worth = [min(1.0, weight / most / _TELLING) for weight in rarest]

    def scores(self, texts: Sequence[str], contexts: Sequence[str]) -> list[float]:
        """Return the relevance of each text, which stands under the headings ``contexts``."""
        vectors = self._embedder.embed(list(texts))
        near = [
            set(content_words(text)) | set(content_words(context))
            for text, context in zip(texts, contexts, strict=True)
        ]
        return [
            max(
                worth * (0.5 * float(vector @ query) + 0.5 * self._told(asked, short, words))
                for query, asked, short, worth in zip(
                    self._queries, self._asked, self._short, self._worth, strict=True
                )
            )
            for vector, words in zip(vectors, near, strict=True)
        ]

    def is_headed(self, heading: str) -> bool:
        """Whether ``heading`` has all words of one of the things that are asked for: what stands
        below it is about that."""
        above = set(content_words(heading))
        return any(words and words <= above for words in self._named)

    def _told(self, asked: set[str], short: str, words: set[str]) -> float:
        if short in words:
            return 1.0
        whole = sum(self._weights[word] for word in asked)
        return sum(self._weights[word] for word in asked & words) / whole if asked else 0.0


def _rarity(words: set[str], above: Iterable[str]) -> dict[str, float]:
    """Return a weight of 0.1 to 1 for each of ``words``: the share of the texts without it."""
    texts = [set(content_words(text)) for text in set(above)]
    if len(texts) < _FEWEST_TO_TELL:
        return dict.fromkeys(words, 1.0)
    return {
        word: max(_LEAST_WEIGHT, sum(word not in text for text in texts) / len(texts))
        for word in words
    }


def is_unasked_field(point: PlannedPoint, spans: Sequence[CandidateSpan]) -> bool:
    """Whether the first of ``spans`` is a field of the master record of which ``point`` asks
    neither the name nor two words of its value: such a record is short, is found for anything,
    and a model writes all of it out."""
    if not spans or spans[0].passage.layer is not Layer.MASTER_RECORD:
        return False
    asked = set(content_words(f"{point.query} {point.instruction} {point.heading}"))
    name, _, value = spans[0].text.partition(":")
    return not asked & set(content_words(name)) and len(asked & set(content_words(value))) < 2


def _initials(part: str) -> str:
    """Return the short form of a name of three words or more ("sterility assurance level": sal):
    a document that has spelt it out once goes on with it. ``""`` where there is none."""
    name = [word for word in part.rpartition(": ")[2].split() if content_words(word)]
    is_name = len(name) >= _SHORT_FROM and all(word.isalpha() for word in name)
    return "".join(word[0] for word in name).lower() if is_name else ""

"""A second order of the best chunks: late interaction with the embedder's own token vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.retrieval.fusion import SCORE_DIGITS

ShouldStop = Callable[[], bool]


class Reranker(Protocol):
    """Scores passages by their words beside those of a query."""

    @property
    def identity(self) -> str:
        """What tells the scores of one from those of another."""
        ...

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        """Return a score for each text, higher is better. Raises ``ModelError``. What takes longer
        than a moment asks ``should_stop`` meanwhile and raises ``Cancelled``; where there is none,
        nobody can wait for it."""
        ...


class LateInteraction:
    """The mean, over the word pieces of a query, of the best match among those of a text: a cosine,
    -1..1. Pieces of a text beyond what the embedder reads are not seen."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def identity(self) -> str:
        """The embedder's."""
        return self._embedder.identity

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        """Return the score of each text; 0 where it or the query has no words."""
        del should_stop
        asked = self._embedder.token_vectors(query)
        made = []
        for text in texts:
            found = self._embedder.token_vectors(text)
            is_empty = not (len(asked) and len(found))
            made.append(0.0 if is_empty else float((asked @ found.T).max(axis=1).mean()))
        return made


def not_reranked(error: ModelError) -> str:
    """Return the warning that passages could not be put in a second order, and why."""
    return f"The passages are in their first order: {error.message} {error.remedy}".rstrip()


def mixed(first: Sequence[float], second: Sequence[float], weight: float) -> list[float]:
    """Return both scores in one, 0..1: ``weight`` (0..1) goes to ``second``. Each counts by its
    place between its lowest and its highest; rounded to 1e-10, so that ties are ties."""
    one, other = _spread(first), _spread(second)
    return [
        round((1.0 - weight) * a + weight * b, SCORE_DIGITS)
        for a, b in zip(one, other, strict=True)
    ]


def _spread(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    values = np.asarray(scores, dtype=np.float64)
    width = float(np.ptp(values))
    made: list[float] = (
        (values - values.min()) / width if width else np.ones(len(values))
    ).tolist()
    return made

"""The units that a prompt is answered from: every unit it allows, ranked for each of its needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.protocol import Embedder, Vector
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.index.unit_index import UnitIndex, UnitTable
from phasergun_desktop.planning.features import (
    Column,
    UnitFeatures,
    is_of_another_language,
    level,
    need_features,
    unit_features,
    unknown_name,
)
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.planning.selector import Selector
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, PROCEDURES
from phasergun_desktop.retrieval.model import SearchScope

_KEPT_PER_NEED = 300
# A common word of a language stands in more than this share of the units.
COMMON = 0.001
_MOST_TOPIC_CHARACTERS = 1200


@dataclass(frozen=True, slots=True)
class PooledUnit:
    """A unit of the pool: ``start``..``end`` of the text of a document, inside ``block``.

    ``row`` is its place in the unit table, ``score`` the probability that it answers the need,
    ``similarity`` its cosine to the need.
    """

    row: int
    document_id: int
    start: int
    end: int
    block: int
    score: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Pool:
    """The best units of each need, best first, and the table that they are rows of. ``gaps`` are
    the needs that no unit answers, as far as the selector can tell; ``chances`` how probable it is
    that a need is answered, 0..1, without those of which that cannot be told."""

    table: UnitTable
    of_need: Mapping[str, tuple[PooledUnit, ...]]
    gaps: frozenset[str] = frozenset()
    chances: Mapping[str, float] = field(default_factory=dict)


class UnitPools:
    """Makes pools: a need is compared with every unit that its scope allows."""

    def __init__(self, units: UnitIndex, embedder: Embedder, selector: Selector) -> None:
        self._units = units
        self._embedder = embedder
        self._selector = selector

    def pool(self, request: Request, documents: Sequence[DocumentRecord]) -> Pool:
        """Return the pool of ``request`` over ``documents``; a need whose scope allows nothing has
        no units and is a gap."""
        table = self._units.table()
        topic = request.topic[:_MOST_TOPIC_CHARACTERS]
        terms_of_prompt = self._units.terms(topic)
        procedures = [each.document_id for each in documents if each.layer in PROCEDURES]
        # What stands before a colon all parts of a list have in common: it is of the topic.
        queries = [need.part or need.query for need in request.needs]
        vectors = self._embedder.embed(queries)
        found: dict[str, tuple[PooledUnit, ...]] = {}
        looked: dict[str, tuple[UnitFeatures, float]] = {}
        for need, query, vector in zip(request.needs, queries, vectors, strict=True):
            rows = table.rows_of(_allowed(need.scope, documents))
            if not len(rows):
                found[need.need_id] = ()
                continue
            terms = self._units.terms(query)
            features = unit_features(table, rows, vector, terms, terms_of_prompt)
            scores = self._selector.unit.probabilities(features.columns)
            if need.scope.layers >= ALWAYS_SEARCHED:
                scores = _without_procedures(scores, np.isin(table.documents[rows], procedures))
            found[need.need_id] = _best(table, rows, scores, vector)
            looked[need.need_id] = features, level(scores)
        chances = self._chances(request, looked)
        answered = self._selector.answered(chances) if chances else frozenset(looked)
        return Pool(table, found, frozenset(found) - answered, chances)

    def _chances(
        self, request: Request, looked: Mapping[str, tuple[UnitFeatures, float]]
    ) -> dict[str, float]:
        """Return how probable it is that each need is answered; nothing where the prompt is of
        another language than the documents: it cannot be told then."""
        if not looked or self.is_foreign(request):
            return {}
        of_prompt = sum(own for _, own in looked.values()) / len(looked)
        lead = f"{request.title}. {request.needs[0].query}"
        chances: dict[str, float] = {}
        for need in request.needs:
            if need.need_id in looked:
                name = unknown_name(f"{lead}. {need.query}", self.is_known)
                row = need_features(looked[need.need_id][0], of_prompt, name)
                chances[need.need_id] = float(self._selector.need.probabilities(row)[0])
        return chances

    def is_known(self, word: str) -> bool:
        """Whether every term of ``word`` stands in some unit."""
        return all(len(places) for places in self._units.terms(word))

    def is_foreign(self, request: Request) -> bool:
        """Whether ``request`` is of another language than the documents."""
        least = COMMON * len(self._units.table())
        return is_of_another_language(
            request.topic,
            lambda word: all(len(places) > least for places in self._units.terms(word)),
        )


def _without_procedures(scores: Column, of_procedures: NDArray[np.bool_]) -> Column:
    """Return ``scores`` with 0 for the units of procedures where the others answer as well: a text
    on the device states what was done, and a company's rules stand in it only where they are what
    is asked for. (Of 39 such units in drafts whose prompts name no procedure a reader kept none.)
    """
    rules, others = scores[of_procedures], scores[~of_procedures]
    if not len(rules) or not len(others) or level(rules) > level(others):
        return scores
    return np.where(of_procedures, 0.0, scores)


def _allowed(scope: SearchScope, documents: Sequence[DocumentRecord]) -> frozenset[int]:
    return frozenset(
        record.document_id for record in documents if scope.allows(record.file, record.layer)
    )


def _best(
    table: UnitTable, rows: NDArray[np.int64], scores: Column, vector: Vector
) -> tuple[PooledUnit, ...]:
    # Rounded before ties are broken by place, so that the order does not depend on the machine.
    order = np.lexsort((rows, -scores.round(8)))[:_KEPT_PER_NEED]
    similarities = table.vectors(rows[order]) @ vector
    return tuple(
        PooledUnit(
            row=row,
            document_id=int(table.documents[row]),
            start=int(table.start[row]),
            end=int(table.end[row]),
            block=int(table.block[row]),
            score=round(float(scores[place]), 6),
            similarity=round(float(similarity), 6),
        )
        for place, row, similarity in zip(
            order.tolist(), rows[order].tolist(), similarities, strict=True
        )
    )

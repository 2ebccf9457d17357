"""The units that a prompt is answered from: every unit it allows, ranked for each of its needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.index.unit_index import UnitIndex, UnitTable
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.retrieval.model import SearchScope

Scores = NDArray[np.float64]

# Weights of standardised scores. Set on the even half of project-oxygenator's prompts, where any
# of them may be halved or doubled within 0.03 of the facts found.
_WORDS = 0.7
_TOPIC = 0.5
_DOCUMENT = 1.0
# A document is as near as the mean of its best units.
_BEST_OF_DOCUMENT = 8
_KEPT_PER_NEED = 150
_MOST_TOPIC_CHARACTERS = 1200


@dataclass(frozen=True, slots=True)
class PooledUnit:
    """A unit of the pool: ``start``..``end`` of the text of a document, inside ``block``.

    ``row`` is its place in the unit table, ``score`` how much it answers the need in standard
    deviations over all units that the need allows, ``similarity`` its cosine to the need.
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
    """The best units of each need, best first, and the table that they are rows of."""

    table: UnitTable
    of_need: Mapping[str, tuple[PooledUnit, ...]]


class UnitPools:
    """Makes pools. A need is compared with every unit that its scope allows, by meaning (cosine)
    and by words (BM25); the prompt as a whole and the unit's document count beside it."""

    def __init__(self, units: UnitIndex, embedder: Embedder) -> None:
        self._units = units
        self._embedder = embedder

    def pool(self, request: Request, documents: Sequence[DocumentRecord]) -> Pool:
        """Return the pool of ``request`` over ``documents``; a need whose scope allows nothing has
        no units."""
        table = self._units.table()
        topic = request.topic[:_MOST_TOPIC_CHARACTERS]
        queries = [*(need.query for need in request.needs), topic]
        vectors = self._embedder.embed(queries)
        found: dict[str, tuple[PooledUnit, ...]] = {}
        topics: dict[SearchScope, Scores] = {}
        for place, need in enumerate(request.needs):
            allowed = _allowed(need.scope, documents)
            rows = table.rows_of(allowed)
            if not len(rows):
                found[need.need_id] = ()
                continue
            units = table.vectors(rows)
            if need.scope not in topics:
                topics[need.scope] = self._scores(table, rows, units @ vectors[-1], topic, allowed)
            cosines = units @ vectors[place]
            own = self._scores(table, rows, cosines, need.query, allowed)
            scores = own + _TOPIC * topics[need.scope]
            scores = _standardised(
                scores + _DOCUMENT * _standardised(_of_documents(scores, table.documents[rows]))
            )
            found[need.need_id] = _best(table, rows, scores, cosines)
        return Pool(table, found)

    def _scores(
        self,
        table: UnitTable,
        rows: NDArray[np.int64],
        cosines: NDArray[np.float32],
        query: str,
        documents: Collection[int],
    ) -> Scores:
        by_words = self._units.words(query, documents)
        ids = table.unit_ids[rows].tolist()
        words = np.array([by_words.get(unit_id, 0.0) for unit_id in ids])
        return _standardised(cosines) + _WORDS * _standardised(words)


def _allowed(scope: SearchScope, documents: Sequence[DocumentRecord]) -> frozenset[int]:
    return frozenset(
        record.document_id for record in documents if scope.allows(record.file, record.layer)
    )


def _standardised(values: NDArray[np.floating]) -> Scores:
    spread = float(values.std())
    centred: Scores = values.astype(np.float64) - float(values.mean())
    return centred / spread if spread > 1e-9 else centred


def _of_documents(scores: Scores, documents: NDArray[np.int64]) -> Scores:
    """Return for each unit the mean of the best units of its document."""
    found = np.empty_like(scores)
    for document in np.unique(documents):
        of_it = documents == document
        found[of_it] = np.sort(scores[of_it])[-_BEST_OF_DOCUMENT:].mean()
    return found


def _best(
    table: UnitTable,
    rows: NDArray[np.int64],
    scores: Scores,
    cosines: NDArray[np.float32],
) -> tuple[PooledUnit, ...]:
    # Rounded before ties are broken by place, so that the order does not depend on the machine.
    order = np.lexsort((rows, -scores.round(8)))[:_KEPT_PER_NEED]
    return tuple(
        PooledUnit(
            row=int(row),
            document_id=int(table.documents[row]),
            start=int(table.start[row]),
            end=int(table.end[row]),
            block=int(table.block[row]),
            score=round(float(scores[place]), 6),
            similarity=round(float(cosines[place]), 6),
        )
        for place, row in zip(order.tolist(), rows[order].tolist(), strict=True)
    )

"""What the selector reads of a request: its needs compared with every unit that they allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.unit_table import UnitTable
from phasergun_desktop.planning.features import (
    Column,
    NeedMatch,
    Rows,
    UnitFeatures,
    best_match,
    level,
    match_need,
    need_features,
    unit_features,
    unknown_name,
)
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, PROCEDURES
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.text.other_names import OtherNames

# Where one of so many that go best with a need is stated, the need is.
NEAREST = 3
# Among fewer units it cannot be measured how far one stands out.
_FEWEST_UNITS = 100
_MOST_TOPIC_CHARACTERS = 1200


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What the selector reads of a request: ``matches`` and ``unknown_names`` of the needs that
    allow anything, by their ids, and the features of all ``units`` that they allow."""

    table: UnitTable
    matches: Mapping[str, NeedMatch]
    unknown_names: Mapping[str, float]
    units: UnitFeatures

    def need_rows(self, scores: Column) -> Iterator[tuple[str, Column]]:
        """Yield the features of each need; ``scores`` are the probabilities of the units."""
        of_prompt = level(scores)
        for need_id, match in self.matches.items():
            of_need = level(scores[self.own(need_id)])
            yield need_id, need_features(match, of_need, of_prompt, self.unknown_names[need_id])

    def own(self, need_id: str) -> Rows:
        """Return the places among the units of those that go best with the need, or, where each of
        them goes better still with another need, of the nearest."""
        own = np.flatnonzero(self.units.needs == list(self.matches).index(need_id))
        if len(own):
            return own
        return np.searchsorted(self.units.rows, nearest_rows(self.matches[need_id], NEAREST))


def look_at(
    request: Request,
    documents: Sequence[DocumentRecord],
    units: UnitIndex,
    embedder: Embedder,
    names: OtherNames,
) -> LookedAt | None:
    """Return what the selector reads of ``request`` and the ``units`` of ``documents``, each need
    under all its ``names``; None where no need allows anything."""
    table = units.table()
    topic = request.topic[:_MOST_TOPIC_CHARACTERS]
    # What stands before a colon all parts of a list have in common: it is of the topic.
    queries = [
        need.part if need.part and not need.before else need.whole_query for need in request.needs
    ]
    texts = [names.variants(each) for each in (*queries, topic)]
    everything = table.rows_of([each.document_id for each in documents])
    vectors = embedder.embed([text for names in texts for text in names])
    cosines = iter(table.cosines(everything, vectors))
    named = [[(next(cosines), units.terms(text, table)) for text in n] for n in texts]
    matches: dict[str, NeedMatch] = {}
    unknown: dict[str, float] = {}
    allowed_by: dict[SearchScope, NDArray[np.bool_]] = {}
    for need, own in zip(request.needs, named[:-1], strict=True):
        if need.scope not in allowed_by:
            allowed = _allowed(need.scope, documents)
            allowed_by[need.scope] = np.isin(table.documents[everything], list(allowed))
        is_allowed = allowed_by[need.scope]
        if not is_allowed.any():
            continue
        is_open = need.scope.layers >= ALWAYS_SEARCHED
        rules = np.array(
            [d.document_id for d in documents if is_open and d.layer in PROCEDURES], np.int64
        )
        matches[need.need_id] = best_match(
            [
                match_need(table, everything, is_allowed, cosines_of, terms, rules)
                for cosines_of, terms in own
            ]
        )
        name = f"{request.title}. {request.needs[0].query}. {need.query}"
        unknown[need.need_id] = unknown_name(name, lambda word: is_known(word, units, names))
    if not matches:
        return None
    features = unit_features(table, everything, tuple(matches.values()), named[-1])
    return LookedAt(table, matches, unknown, features)


def is_known(word: str, units: UnitIndex, names: OtherNames) -> bool:
    """Whether every term of ``word``, or of another name of the user's for it, stands in some of
    ``units``."""
    return any(all(map(len, units.terms(name))) for name in names.names_of(word))


def best_of(scores: Column, most: int) -> Rows:
    """Return the places of the ``most`` highest of ``scores``, the highest first."""
    # Rounded before ties are broken by place, so that the order does not depend on the machine.
    return np.argsort(-scores.round(8), kind="stable")[:most]


def is_measured(looked: LookedAt, documents: Sequence[DocumentRecord]) -> bool:
    """Whether it can be told how far a unit of ``documents`` stands out."""
    everything = looked.table.rows_of([each.document_id for each in documents])
    return len(everything) >= _FEWEST_UNITS and looked.table.steps.shape[1] > 0


def _allowed(scope: SearchScope, documents: Sequence[DocumentRecord]) -> frozenset[int]:
    return frozenset(
        record.document_id for record in documents if scope.allows(record.file, record.layer)
    )


def nearest_rows(match: NeedMatch, count: int) -> list[int]:
    """Return the rows of the ``count`` units that go best with a need, the best first."""
    return [int(row) for row in match.rows[best_of(match.merit, count)]]

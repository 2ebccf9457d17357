"""The units that a prompt is answered from: every unit it allows, ranked for each of its needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    best_needs,
    is_of_another_language,
)
from phasergun_desktop.planning.looked_at import (
    LookedAt,
    best_of,
    is_known,
    is_measured,
    look_at,
    nearest_rows,
)
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pair_reading import (
    ANSWERED,
    BELONGING,
    answered_columns,
    log_odds,
)
from phasergun_desktop.planning.selector import Selector
from phasergun_desktop.planning.told_gaps import told_gaps
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, ONLY_IF_NAMED
from phasergun_desktop.text.other_names import NamesNow, OtherNames

# Of all needs together, and of one without an answer.
_KEPT, _SHOWN_OF_GAP = 400, 30
# So many units are read of what may answer a question, by the selector, by meaning and by words;
# and of what may belong into a text.
READ_OF_TEXT, _READ = 100, 30
# Where it cannot be measured how far a unit stands out, the best one has the log odds that the best
# unit for a question usually has.
_USUAL_BEST = 1.5


@dataclass(frozen=True, slots=True)
class PooledUnit:
    """A unit of the pool: ``start``..``end`` of the text of a document.

    ``row`` is its place in the unit table, ``score`` the probability that it belongs into the
    text, ``similarity`` its cosine to the need.
    """

    row: int
    document_id: int
    start: int
    end: int
    score: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Pool:
    """The best units of the prompt, each under the need that it goes with best, best first, and
    the table that they are rows of. ``gaps`` are the needs that no unit answers, as far as can be
    told, and have a few units for a writer to look at; ``unsure`` the needs of which it cannot be
    said that no unit states them, gaps among them. ``chances``: how probable it is that a need is
    answered, 0..1, without those of which that cannot be told. ``is_measured``: the scores of units
    are probabilities, as they are not in a small project or of a prompt in another language."""

    table: UnitTable
    of_need: Mapping[str, tuple[PooledUnit, ...]]
    gaps: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    chances: Mapping[str, float] = field(default_factory=dict)
    is_measured: bool = False


@dataclass(frozen=True, slots=True)
class UnreadDocument:
    """A document that is only read where a prompt names it, and the need that it answers with
    probability ``chance``, 0..1."""

    document: DocumentRecord
    need: Need
    chance: float


class UnitPools:
    """Makes pools: a need is compared with every unit that its scope allows, and the best units are
    read together with the prompt by ``reader``. ``names`` gives the names of things as the settings
    say them now."""

    def __init__(
        self,
        units: UnitIndex,
        embedder: Embedder,
        selector: Selector,
        reader: UnitReader,
        names: NamesNow = OtherNames,
    ) -> None:
        self._units = units
        self._embedder = embedder
        self._selector = selector
        self.reader = reader
        self._names = names

    def without_remarks(self, request: Request) -> Request:
        """Return ``request`` without the needs that ask for nothing ("thanks, 150 words at most"),
        unless all of them would."""
        vectors = self._embedder.embed([need.quote for need in request.needs])
        asks = self._selector.asks(vectors, self._embedder.identity)
        kept = [n for n, is_asked in zip(request.needs, asks, strict=True) if is_asked or n.value]
        return replace(request, needs=tuple(kept))

    def pool(
        self, request: Request, documents: Sequence[DocumentRecord], *, is_read: bool = True
    ) -> Pool:
        """Return the pool of ``request`` over ``documents``; a need whose scope allows nothing has
        no units and is a gap. Unless ``is_read`` the selector alone tells what belongs."""
        looked = self.looked_at(request, documents)
        found: dict[str, tuple[PooledUnit, ...]] = {need.need_id: () for need in request.needs}
        if looked is None:
            return Pool(self._units.table(), found, frozenset(found))
        read = self.read_units(request, looked, documents) if is_read else None
        scores = self._scores(looked, read)
        is_foreign = self.is_foreign(request)
        chances = {} if is_foreign else self._chances(looked, documents, read)
        answered = self._selector.answered(chances) if chances else frozenset(looked.matches)
        of_each = {need.need_id for need in request.needs if need.is_of_each}
        answered |= of_each & looked.matches.keys()
        gaps = frozenset(found) - answered
        unsure = answered
        if answered and read is not None:
            asking = self._clearly_asking(request, set(looked.matches) - answered)
            told = told_gaps(asking, looked, scores, documents, self.reader)
            unsure = frozenset(looked.matches) - told
        found |= _best(looked, scores, answered)
        measured = not is_foreign and is_measured(looked, documents)
        return Pool(looked.table, found, gaps, unsure, chances, measured)

    def candidates(self, request: Request, documents: Sequence[DocumentRecord]) -> Pool:
        """Return the units of ``documents`` that may answer the questions of ``request``, each need
        by itself: those that are best by the selector, by their meaning, or by their words."""
        looked = self.looked_at(request, documents)
        found: dict[str, tuple[PooledUnit, ...]] = {need.need_id: () for need in request.needs}
        if looked is None:
            return Pool(self._units.table(), found)
        scores = self._selector.unit.probabilities(looked.units.columns)
        if not is_measured(looked, documents):
            odds = np.log(scores / (1.0 - scores))
            scores = 1.0 / (1.0 + np.exp(odds.max() - _USUAL_BEST - odds))
        for need_id, match in looked.matches.items():
            own = scores[np.searchsorted(looked.units.rows, match.rows)]
            ranked = (own, match.similarity, match.coverage)
            best = [best_of(each, _READ) for each in ranked]
            rows = match.rows[np.unique(np.concatenate(best))]
            found[need_id] = _pooled(looked, match, rows, scores)
        return Pool(looked.table, found)

    def best_unread(
        self, request: Request, documents: Sequence[DocumentRecord]
    ) -> UnreadDocument | None:
        """Return which of the documents that are only read where a prompt names them answers a need
        of ``request`` best that names none; None where there is none."""
        looked = self.looked_at(of_unread(request), documents)
        if looked is None:
            return None
        read = self.read_units(request, looked, documents)
        scores = self._scores(looked, read)
        chances = self._chances(looked, documents, read)
        best = max(chances, key=lambda need_id: chances[need_id])
        own = looked.own(best)
        row = int(looked.units.rows[own[scores[own].argmax()]])
        by_id = {each.document_id: each for each in documents}
        need = next(each for each in request.needs if each.need_id == best)
        return UnreadDocument(by_id[int(looked.table.documents[row])], need, chances[best])

    def looked_at(self, request: Request, documents: Sequence[DocumentRecord]) -> LookedAt | None:
        """Return what the selector reads of ``request`` and ``documents``; None where no need
        allows anything."""
        return look_at(request, documents, self._units, self._embedder, self._names())

    def read_units(
        self, request: Request, looked: LookedAt, documents: Sequence[DocumentRecord]
    ) -> Column | None:
        """Return what ``BELONGING`` reads of the units ``looked`` at, shape (units, 2), None where
        the cross-encoder cannot be used. The best ``READ_OF_TEXT`` by the selector are read, and
        their neighbours; what is not is taken for as improbable as the least of these."""
        scores = self._scores(looked, None)
        best = looked.units.rows[best_of(scores, READ_OF_TEXT)].tolist()
        read = self.reader.belonging_around(request.topic, looked.table, best, documents)
        if read is None:
            return None
        rows, of_rows = read
        is_asked = np.isin(rows, looked.units.rows)
        odds = np.full(len(scores), of_rows[is_asked].min())
        odds[np.searchsorted(looked.units.rows, rows[is_asked])] = of_rows[is_asked]
        return np.column_stack([log_odds(scores), odds])

    def cosines(
        self, queries: Sequence[str], documents: Sequence[DocumentRecord]
    ) -> tuple[UnitTable, Rows, NDArray[np.float32]]:
        """Return the table of units, the places in it of those of ``documents``, and their cosines
        to ``queries``, shape (queries, units)."""
        table = self._units.table()
        rows = table.rows_of([each.document_id for each in documents])
        return table, rows, table.cosines(rows, self._embedder.embed(list(queries)))

    def _clearly_asking(self, request: Request, need_ids: Collection[str]) -> tuple[Need, ...]:
        """Return those needs of ``need_ids`` that surely ask for something: the items of a
        template, which have no words in the prompt, and what is no remark."""
        needs = [need for need in request.needs if need.need_id in need_ids]
        if not needs:
            return ()
        vectors = self._embedder.embed([need.quote or need.query for need in needs])
        asks = self._selector.clearly_asks(vectors, self._embedder.identity)
        return tuple(n for n, is_asked in zip(needs, asks, strict=True) if is_asked or not n.quote)

    def read_needs(self, looked: LookedAt, read: Column) -> Column:
        """Return what ``ANSWERED`` reads of the needs ``looked`` at, in their order, shape
        (needs, 2); ``read`` is what ``read_units`` returns of the units."""
        best = [read[looked.own(need_id), 1].max() for need_id in looked.matches]
        return answered_columns(self._need_chances(looked), np.array(best))

    def _scores(self, looked: LookedAt, read: Column | None) -> Column:
        """Return how probable it is that each unit belongs into the text, by the selector alone
        unless units are ``read``."""
        if read is not None:
            return BELONGING.probabilities(read)
        return self._selector.unit.probabilities(looked.units.columns)

    def _need_chances(self, looked: LookedAt) -> Column:
        """Return the selector's probabilities that the needs are answered."""
        rows = [row for _, row in looked.need_rows(self._scores(looked, None))]
        return self._selector.need.probabilities(np.concatenate(rows))

    def _chances(
        self, looked: LookedAt, documents: Sequence[DocumentRecord], read: Column | None
    ) -> dict[str, float]:
        """Return how probable it is that each need is answered, by the selector alone unless units
        are ``read``; in a project of few units, or of units without vectors, only its words tell
        it."""
        if not is_measured(looked, documents):
            return {need_id: 1.0 - match.unknown_words for need_id, match in looked.matches.items()}
        if read is None:
            chances = self._need_chances(looked)
        else:
            chances = ANSWERED.probabilities(self.read_needs(looked, read))
        return dict(zip(looked.matches, chances.tolist(), strict=True))

    def is_known(self, word: str) -> bool:
        """Whether every term of ``word`` stands in some unit."""
        return is_known(word, self._units, self._names())

    def is_foreign(self, request: Request) -> bool:
        """Whether ``request`` is of another language than the documents."""
        return is_of_another_language(
            request.topic,
            lambda word: map(len, self._units.terms(word)),
            len(self._units.table()),
        )


def of_unread(request: Request) -> Request:
    """Return the needs of ``request`` that name no document, for the documents that are only read
    where a prompt names them."""
    needs = [
        replace(
            need,
            scope=replace(
                need.scope,
                layers=ONLY_IF_NAMED - need.scope.layers,
                files=frozenset(),
                excluded=need.scope.excluded | need.scope.files,
            ),
        )
        for need in request.needs
        if need.scope.layers >= ALWAYS_SEARCHED
    ]
    return replace(request, needs=tuple(needs))


def _best(
    looked: LookedAt, scores: Column, answered: Collection[str]
) -> dict[str, tuple[PooledUnit, ...]]:
    """Return the best units, each under the answered need that it goes with best; of a need that
    is not answered a few, for a writer to look at."""
    rows = looked.units.rows
    # Rounded before ties are broken by place, so that the order does not depend on the machine.
    order = np.lexsort((rows, -scores.round(8)))
    is_best = np.zeros(len(rows), dtype=bool)
    is_best[order[:_KEPT]] = True
    open_needs = [need_id for need_id in looked.matches if need_id in answered]
    of_need, _ = best_needs(len(looked.table), [looked.matches[need_id] for need_id in open_needs])
    found: dict[str, tuple[PooledUnit, ...]] = {}
    for need_id, match in looked.matches.items():
        if need_id in answered:
            is_kept = is_best & (of_need[rows] == open_needs.index(need_id))
        else:
            is_kept = np.isin(rows, nearest_rows(match, _SHOWN_OF_GAP))
        found[need_id] = _pooled(looked, match, rows[order[is_kept[order]]], scores)
    return found


def _pooled(
    looked: LookedAt, match: NeedMatch, rows: Rows, scores: Column
) -> tuple[PooledUnit, ...]:
    table = looked.table
    of_rows = scores[np.searchsorted(looked.units.rows, rows)]
    similarities = match.similarity[np.searchsorted(match.rows, rows)]
    return tuple(
        PooledUnit(
            row=row,
            document_id=int(table.documents[row]),
            start=int(table.start[row]),
            end=int(table.end[row]),
            score=round(float(score), 6),
            similarity=round(float(similarity), 6),
        )
        for row, score, similarity in zip(rows.tolist(), of_rows, similarities, strict=True)
    )

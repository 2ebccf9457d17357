"""The units that a prompt is answered from: every unit it allows, ranked for each of its needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
    UnitFeatures,
    best_match,
    best_needs,
    is_of_another_language,
    level,
    match_need,
    need_features,
    unit_features,
    unknown_name,
)
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.other_names import with_other_names
from phasergun_desktop.planning.pair_reading import (
    ANSWERED,
    ANSWERS,
    BELONGING,
    BELONGS,
    PairReader,
    answered_columns,
    log_odds,
    pair_text,
)
from phasergun_desktop.planning.selector import Selector
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, ONLY_IF_NAMED, PROCEDURES
from phasergun_desktop.retrieval.model import SearchScope

# Of all needs together, and of one without an answer.
_KEPT, _SHOWN_OF_GAP = 400, 30
# So many units are read of what may answer a question, by the selector, by meaning and by words;
# of what may belong into a text; and of what goes best with a need that seems to be a gap. From
# these log odds on a unit answers the need.
READ_OF_TEXT, _READ, _READ_OF_NEED = 100, 30, 12
_ANSWERS_FROM = 1.0
# Where one of so many that go best with a need is stated, the need is.
_NEAREST = 3
# Among fewer units it cannot be measured how far one stands out: the best one then has the log odds
# that the best unit for a question usually has.
_FEWEST_UNITS, _USUAL_BEST = 100, 1.5
_MOST_TOPIC_CHARACTERS = 1200


@dataclass(frozen=True, slots=True)
class PooledUnit:
    """A unit of the pool: ``start``..``end`` of the text of a document, inside ``block``.

    ``row`` is its place in the unit table, ``score`` the probability that it belongs into the
    text, ``similarity`` its cosine to the need.
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
    """The best units of the prompt, each under the need that it goes with best, best first, and
    the table that they are rows of. ``gaps`` are
    the needs that no unit answers, as far as the selector can tell; ``chances`` how probable it is
    that a need is answered, 0..1, without those of which that cannot be told. ``nearest`` are the
    rows that go best with each need that is answered, under whichever need they stand, and those
    that answer one which seems to be a gap."""

    table: UnitTable
    of_need: Mapping[str, tuple[PooledUnit, ...]]
    gaps: frozenset[str] = frozenset()
    chances: Mapping[str, float] = field(default_factory=dict)
    nearest: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnreadDocument:
    """A document that is only read where a prompt names it, and the need that it answers with
    probability ``chance``, 0..1."""

    document: DocumentRecord
    need: Need
    chance: float


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
        return np.searchsorted(self.units.rows, _nearest(self.matches[need_id], _NEAREST))


class UnitPools:
    """Makes pools: a need is compared with every unit that its scope allows, and the best units are
    read together with the prompt by ``reader``."""

    def __init__(
        self, units: UnitIndex, embedder: Embedder, selector: Selector, reader: PairReader
    ) -> None:
        self._units = units
        self._embedder = embedder
        self._selector = selector
        self._reader = reader

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the cross-encoder could not be used the last time, and what follows."""
        return self._reader.warnings

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
        nearest = {
            need_id: tuple(_nearest(looked.matches[need_id], _NEAREST)) for need_id in answered
        }
        if answered and is_read:
            nearest |= self._answering(request, looked, documents, set(looked.matches) - answered)
        found |= _best(looked, scores, answered)
        return Pool(looked.table, found, frozenset(found) - answered, chances, nearest)

    def candidates(self, request: Request, documents: Sequence[DocumentRecord]) -> Pool:
        """Return the units of ``documents`` that may answer the questions of ``request``, each need
        by itself: those that are best by the selector, by their meaning, or by their words."""
        looked = self.looked_at(request, documents)
        found: dict[str, tuple[PooledUnit, ...]] = {need.need_id: () for need in request.needs}
        if looked is None:
            return Pool(self._units.table(), found)
        scores = self._selector.unit.probabilities(looked.units.columns)
        if not _is_measured(looked, documents):
            odds = np.log(scores / (1.0 - scores))
            scores = 1.0 / (1.0 + np.exp(odds.max() - _USUAL_BEST - odds))
        for need_id, match in looked.matches.items():
            own = scores[np.searchsorted(looked.units.rows, match.rows)]
            ranked = (own, match.similarity, match.coverage)
            best = [best_of(each, _READ) for each in ranked]
            rows = match.rows[np.unique(np.concatenate(best))]
            found[need_id] = _pooled(looked, match, rows, scores)
        return Pool(looked.table, found)

    def texts(self, pool: Pool, units: Sequence[PooledUnit]) -> list[tuple[str, str]]:
        """Return for each of ``units`` its context and its text."""
        return self._units.texts(pool.table, [unit.row for unit in units])

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
        table = self._units.table()
        topic = request.topic[:_MOST_TOPIC_CHARACTERS]
        # What stands before a colon all parts of a list have in common: it is of the topic.
        queries = [need.part or need.query for need in request.needs]
        texts = [with_other_names(each) for each in (*queries, topic)]
        everything = table.rows_of([each.document_id for each in documents])
        vectors = self._embedder.embed([text for names in texts for text in names])
        cosines = iter(table.cosines(everything, vectors))
        named = [[(next(cosines), self._units.terms(text, table)) for text in n] for n in texts]
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
            unknown[need.need_id] = unknown_name(name, self.is_known)
        if not matches:
            return None
        units = unit_features(table, everything, tuple(matches.values()), named[-1])
        return LookedAt(table, matches, unknown, units)

    def read_units(
        self, request: Request, looked: LookedAt, documents: Sequence[DocumentRecord]
    ) -> Column | None:
        """Return what ``BELONGING`` reads of the units ``looked`` at, shape (units, 2), None where
        the cross-encoder cannot be used. The best ``READ_OF_TEXT`` by the selector are read; what
        is not is taken for as improbable as the least of these."""
        scores = self._scores(looked, None)
        best = best_of(scores, READ_OF_TEXT)
        pairs = self._pair_texts(looked, looked.units.rows[best].tolist(), documents)
        read = self._reader.logits(request.topic, pairs)
        if read is None:
            return None
        odds = np.full(len(scores), read[:, BELONGS].min())
        odds[best] = read[:, BELONGS]
        return np.column_stack([log_odds(scores), odds])

    def _answering(
        self,
        request: Request,
        looked: LookedAt,
        documents: Sequence[DocumentRecord],
        need_ids: Collection[str],
    ) -> dict[str, tuple[int, ...]]:
        """Return of those of ``need_ids`` that some unit answers by itself the rows of these, best
        first: a part of a prompt that is named in a word or two seems to be a gap, though what is
        stated for another says it."""
        found = {}
        for need in (each for each in request.needs if each.need_id in need_ids):
            rows = _nearest(looked.matches[need.need_id], _READ_OF_NEED)
            read = self._reader.logits(need.query, self._pair_texts(looked, rows, documents))
            if read is not None and read[:, ANSWERS].max() >= _ANSWERS_FROM:
                best = best_of(read[:, ANSWERS], _NEAREST)
                found[need.need_id] = tuple(
                    rows[place] for place in best if read[place, ANSWERS] >= _ANSWERS_FROM
                )
        return found

    def _pair_texts(
        self, looked: LookedAt, rows: Sequence[int], documents: Sequence[DocumentRecord]
    ) -> list[str]:
        files = {each.document_id: each.file for each in documents}
        of_rows = [files[document] for document in looked.table.documents[[*rows]].tolist()]
        texts = self._units.texts(looked.table, rows)
        return [pair_text(file, *text) for file, text in zip(of_rows, texts, strict=True)]

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
        if not _is_measured(looked, documents):
            return {need_id: 1.0 - match.unknown_words for need_id, match in looked.matches.items()}
        if read is None:
            chances = self._need_chances(looked)
        else:
            chances = ANSWERED.probabilities(self.read_needs(looked, read))
        return dict(zip(looked.matches, chances.tolist(), strict=True))

    def is_known(self, word: str) -> bool:
        """Whether every term of ``word`` stands in some unit."""
        return all(len(places) for places in self._units.terms(word))

    def is_foreign(self, request: Request) -> bool:
        """Whether ``request`` is of another language than the documents."""
        return is_of_another_language(
            request.topic,
            lambda word: map(len, self._units.terms(word)),
            len(self._units.table()),
        )


def best_of(scores: Column, most: int) -> Rows:
    """Return the places of the ``most`` highest of ``scores``, the highest first."""
    # Rounded before ties are broken by place, so that the order does not depend on the machine.
    return np.argsort(-scores.round(8), kind="stable")[:most]


def _is_measured(looked: LookedAt, documents: Sequence[DocumentRecord]) -> bool:
    """Whether it can be told how far a unit of ``documents`` stands out."""
    everything = looked.table.rows_of([each.document_id for each in documents])
    return len(everything) >= _FEWEST_UNITS and looked.table.steps.shape[1] > 0


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


def _allowed(scope: SearchScope, documents: Sequence[DocumentRecord]) -> frozenset[int]:
    return frozenset(
        record.document_id for record in documents if scope.allows(record.file, record.layer)
    )


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
            is_kept = np.isin(rows, _nearest(match, _SHOWN_OF_GAP))
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
            block=int(table.block[row]),
            score=round(float(score), 6),
            similarity=round(float(similarity), 6),
        )
        for row, score, similarity in zip(rows.tolist(), of_rows, similarities, strict=True)
    )


def _nearest(match: NeedMatch, count: int) -> list[int]:
    return [int(row) for row in match.rows[best_of(match.merit, count)]]

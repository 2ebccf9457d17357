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
    PairReader,
    answered_columns,
    log_odds,
    pair_text,
)
from phasergun_desktop.planning.selector import Selector
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, ONLY_IF_NAMED
from phasergun_desktop.text.other_names import NamesNow, OtherNames

# Of all needs together, and of one without an answer.
_KEPT, _SHOWN_OF_GAP = 400, 30
# So many units are read of what may answer a question, by the selector, by meaning and by words;
# of what may belong into a text; and, for a need that seems to be a gap, of what goes best with it
# and with the whole prompt.
READ_OF_TEXT, _READ, _READ_OF_NEED, _READ_OF_PROMPT = 100, 30, 12, 25
# Below even odds that the best unit belongs to a need read alone, and below these of that and of
# the best answer together, it can be said that none states it. Of what is told so in twelve judged
# projects that the cross-encoder learnt nothing of (``python -m tests.benchmarks near_misses``) 9
# of 22 are missing; by what goes best with the need, and by the first bound alone, 10 of 56 were.
_STATED_FROM, _STATED_OR_ANSWERED_FROM = 0.0, -1.0
# A unit states what the prompt says not to write where the mean of what is read of that is above
# even odds, and by so much, in log odds, above that the unit belongs. Of what is left out so for 80
# prompts on twelve judged projects, which this was set on, 10 of 55 judged units belong; for 50 on
# 22 others, of which the cross-encoder learnt, 2 of 59. Of all that is selected for them half do.
_EXCLUSION_MARGIN = 3.0
# Where it cannot be measured how far a unit stands out, the best one has the log odds that the best
# unit for a question usually has.
_USUAL_BEST = 1.5


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
        reader: PairReader,
        names: NamesNow = OtherNames,
    ) -> None:
        self._units = units
        self._embedder = embedder
        self._selector = selector
        self._reader = reader
        self._names = names

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
        gaps = frozenset(found) - answered
        unsure = answered
        if answered and read is not None:
            of_prompt = looked.units.rows[best_of(scores, _READ_OF_PROMPT)]
            unsure |= self._may_be_stated(
                request, looked, documents, set(looked.matches) - answered, of_prompt
            )
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
        return look_at(request, documents, self._units, self._embedder, self._names())

    def read_units(
        self, request: Request, looked: LookedAt, documents: Sequence[DocumentRecord]
    ) -> Column | None:
        """Return what ``BELONGING`` reads of the units ``looked`` at, shape (units, 2), None where
        the cross-encoder cannot be used. The best ``READ_OF_TEXT`` by the selector are read; what
        is not is taken for as improbable as the least of these."""
        scores = self._scores(looked, None)
        best = best_of(scores, READ_OF_TEXT)
        pairs = self._pair_texts(looked.table, looked.units.rows[best].tolist(), documents)
        read = self._reader.belonging(request.topic, pairs)
        if read is None:
            return None
        odds = np.full(len(scores), read.min())
        odds[best] = read
        return np.column_stack([log_odds(scores), odds])

    def cosines(
        self, queries: Sequence[str], documents: Sequence[DocumentRecord]
    ) -> tuple[UnitTable, Rows, NDArray[np.float32]]:
        """Return the table of units, the places in it of those of ``documents``, and their cosines
        to ``queries``, shape (queries, units)."""
        table = self._units.table()
        rows = table.rows_of([each.document_id for each in documents])
        return table, rows, table.cosines(rows, self._embedder.embed(list(queries)))

    def answering(
        self, question: str, rows: Sequence[int], documents: Sequence[DocumentRecord]
    ) -> Column | None:
        """Return the log odds that the units at ``rows`` answer ``question``, shape (rows,); None
        where there are none or the cross-encoder cannot be used."""
        texts = self._pair_texts(self._units.table(), rows, documents)
        return self._reader.answering(question, texts) if texts else None

    def excluded(
        self,
        request: Request,
        pool: Pool,
        units: Sequence[PooledUnit],
        documents: Sequence[DocumentRecord],
    ) -> frozenset[int]:
        """Return the rows of those of ``units``, which are of ``pool``, that go better with what
        the prompt says not to write than with what it asks for; none where scores are no
        probabilities."""
        if not (request.exclusions and units and pool.is_measured):
            return frozenset()
        rows = np.array([unit.row for unit in units])
        texts = self._pair_texts(pool.table, rows.tolist(), documents)
        asked = log_odds(np.array([unit.score for unit in units]))
        found: set[int] = set()
        for what in request.exclusions:
            belongs = self._reader.belonging(what, texts)
            answers = self._reader.answering(what, texts)
            if belongs is not None and answers is not None:
                read = (belongs + answers) / 2
                is_excluded = (read > 0.0) & (read - asked > _EXCLUSION_MARGIN)
                found.update(rows[is_excluded].tolist())
        return frozenset(found)

    def _may_be_stated(
        self,
        request: Request,
        looked: LookedAt,
        documents: Sequence[DocumentRecord],
        need_ids: Collection[str],
        of_prompt: Rows,
    ) -> set[str]:
        """Return those of ``need_ids`` that some unit may state, each read alone with what goes
        best with it and with the prompt (the rows ``of_prompt``), and those that may ask for
        nothing. (With the words of the prompt, as they stand there: a query without those of form,
        or with the section's title or the whole prompt, told less.)"""
        needs = [need for need in request.needs if need.need_id in need_ids]
        if not needs:
            return set()
        vectors = self._embedder.embed([need.quote or need.query for need in needs])
        asks = self._selector.clearly_asks(vectors, self._embedder.identity)
        found = set()
        for need, is_asked in zip(needs, asks, strict=True):
            # The items of a template have no words in the prompt.
            if need.quote and not is_asked:
                found.add(need.need_id)
                continue
            match = looked.matches[need.need_id]
            nearest = nearest_rows(match, _READ_OF_NEED)
            allowed = of_prompt[np.isin(of_prompt, match.rows)]
            others = sorted(set(allowed.tolist()) - set(nearest))
            texts = [self._pair_texts(looked.table, rows, documents) for rows in (nearest, others)]
            if not self._is_unstated(need.quote or need.query, texts):
                found.add(need.need_id)
        return found

    def _is_unstated(self, query: str, texts: Sequence[Sequence[str]]) -> bool:
        """Whether it can be said that none of ``texts`` states ``query``; the first ones are read
        first, which for most is enough."""
        belongs = -np.inf
        for some in filter(None, texts):
            read = self._reader.belonging(query, some)
            if read is None or read.max() >= _STATED_FROM:
                return False
            belongs = max(belongs, read.max())
        answers = self._reader.answering(query, [text for some in texts for text in some])
        return answers is not None and belongs + answers.max() < _STATED_OR_ANSWERED_FROM

    def _pair_texts(
        self, table: UnitTable, rows: Sequence[int], documents: Sequence[DocumentRecord]
    ) -> list[str]:
        files = {each.document_id: each.file for each in documents}
        of_rows = [files[document] for document in table.documents[[*rows]].tolist()]
        texts = self._units.texts(table, rows)
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
            block=int(table.block[row]),
            score=round(float(score), 6),
            similarity=round(float(similarity), 6),
        )
        for row, score, similarity in zip(rows.tolist(), of_rows, similarities, strict=True)
    )

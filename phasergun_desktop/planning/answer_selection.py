"""Which units answer a question, as a cross-encoder tells that reads the two together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.evidence_points import planned_unit, unit_span
from phasergun_desktop.planning.model import PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pair_reading import log_odds
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools, UnreadDocument, of_unread
from phasergun_desktop.planning.selector import Logistic
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.whole_lists import asks_for_all, asks_for_number
from phasergun_desktop.retrieval.model import Place
from phasergun_desktop.text.numbered_series import Numbered, numbered_in

# How probable it is that a unit, the best of those that are read, answers: by the cross-encoder's
# log odds and those of the selector. An answer states the best two of the units that are so
# probable, of several parts the best of each; one to a question for all of something, all of them.
# ``packaging/train_cross_encoder.py FILE --hold … --fit`` fits and prints the three on questions of
# twelve projects that were not learnt of: from the bound on, with 72 word pieces of a unit read,
# 799 of 1,220 have what answers among the best two, 76 have something else, and 454 of 532 without
# an answer are refused.
#
# Of a question that goes on from another the third is how near a unit stands to what answered that,
# 0..1 (in the same document, by the logarithm of the code points between, from ``_FAR`` on not at
# all), and the fourth 1: what is read of two questions says less. Of 180 follow-ups on fifteen
# projects 108 are right so and 36 wrong (``python -m tests.benchmarks follow_ups``): both were set
# on these, and on each half of them about as much is gained. Without the fourth 110 are right and
# 46 wrong, without both 103 and 42.
ANSWERING = Logistic(-0.759, (0.321, 0.274, 1.5, -0.5))
_FAR = 5000
_ANSWERS_FROM, _MOST_STATED = 0.48, 2
# A row states only a part of what is asked where that is all of something, or how many there are:
# of 100 such questions on twelve projects 58 of 75 are right from here and 46 from the bound above,
# 18 and 20 of the 25 without an answer are refused.
_LISTED_FROM = 0.35
# A unit that stands for a numbered thing that the question names ("H-09") states something of just
# that. Of 183 such questions on sixteen projects, most of which were learnt of, 91 of 117 are right
# from here and 87 from the bound above, 6 wrong from both, 61 and 60 of the 66 without an answer
# are refused; from 0.3 on 92, 7 and 59.
_NAMED_FROM = 0.4
# Where the cross-encoder cannot be used, this share of the selector's log odds stands for its own:
# of five the best on the even half of the questions on project-oxygenator.
_WITHOUT = 0.25


class AnswerFinder:
    """Finds the units that answer questions in the documents of the index."""

    def __init__(self, documents: IndexedDocuments, pools: UnitPools) -> None:
        self._documents = documents
        self._pools = pools

    def of(self, request: Request, keep: Callable[[Pool], Pool]) -> tuple[PlannedNeed, ...]:
        """Return the needs of ``request`` with the units that were read for each out of what
        ``keep`` leaves, best first; those that answer are selected. ``score`` and ``chance`` are
        the probabilities that a unit, and that any, answers."""
        documents = self._documents.documents()
        pool = keep(self._pools.candidates(request, documents))
        answered = [
            self._answered(need, pool, documents, request.cited_before) for need in request.needs
        ]
        if all(need.is_field for need in request.needs):
            return tuple(map(_filled_in, answered))
        return _stating(answered, _MOST_STATED)

    def best_unread(self, request: Request) -> UnreadDocument | None:
        """Return which of the documents that are only read where a prompt names them answers a
        question of ``request`` best that names none; None where none would be stated."""
        answered = self.of(of_unread(request), lambda pool: pool)
        found = [each for each in answered if each.may_be_stated or each.selected]
        if not found:
            return None
        best = max(found, key=lambda each: each.chance)
        need = next(each for each in request.needs if each.need_id == best.need.need_id)
        file = best.units[0].passage.file
        record = next(each for each in self._documents.documents() if each.file == file)
        return UnreadDocument(record, need, best.chance)

    def _answered(
        self,
        need: Need,
        pool: Pool,
        documents: Sequence[DocumentRecord],
        cited_before: Sequence[Place],
    ) -> PlannedNeed:
        read = list(self._readable(pool.of_need[need.need_id], documents))
        if not read:
            return PlannedNeed(need, chance=0.0)
        belongs = log_odds(np.array([unit.score for unit, _ in read]))
        rows = [row for _, row in read]
        answers = self._pools.reader.answering(need.whole_query, pool.table, rows, documents)
        if answers is None:
            answers = _WITHOUT * belongs
        near = np.array([_nearness(unit.place, cited_before) for unit, _ in read])
        goes_on = np.full(len(read), float(bool(need.before)))
        columns = np.column_stack([answers, belongs, near, goes_on])
        chances = ANSWERING.probabilities(columns).round(6)
        chances[_of_others(need, [unit for unit, _ in read])] = 0.0
        units = tuple(
            _judged(read[place][0], float(chances[place]))
            for place in np.argsort(-chances, kind="stable")
        )
        return PlannedNeed(need, units, units[0].score)

    def _readable(
        self, pooled: Sequence[PooledUnit], documents: Sequence[DocumentRecord]
    ) -> Iterator[tuple[PlannedUnit, int]]:
        """Yield those of ``pooled`` that can stand in an answer, with their rows."""
        records = {record.document_id: record for record in documents}
        for unit in pooled:
            span = unit_span(self._documents, records[unit.document_id], unit)
            planned = planned_unit(
                span,
                self._documents.parsed(unit.document_id),
                selected=False,
                score=unit.score,
                similarity=unit.similarity,
            )
            if planned.can_stand:
                yield planned, unit.row


def _nearness(place: Place, cited: Sequence[Place]) -> float:
    """Return how near ``place`` stands to the nearest of those ``cited``, 0..1."""
    file, start, end = place
    apart = [max(0, low - end, start - high) for other, low, high in cited if other == file]
    return max(0.0, 1.0 - math.log1p(min(apart)) / math.log(_FAR)) if apart else 0.0


def _judged(unit: PlannedUnit, chance: float) -> PlannedUnit:
    return replace(unit, score=chance, passage=replace(unit.passage, score=chance))


def _of_others(need: Need, units: Sequence[PlannedUnit]) -> list[bool]:
    """Return which of ``units`` stand for others of the numbered things that ``need`` names and for
    none of these: what is said of H-03 is no answer on H-09, of which some unit says something."""
    asked = numbered_in(need.quote)
    named = [_stands_for(unit) if asked else frozenset() for unit in units]
    if not any(asked & each for each in named):
        return [False] * len(units)
    series = {name for name, _ in asked}
    return [not asked & each and any(name in series for name, _ in each) for each in named]


def _stands_for(unit: PlannedUnit) -> frozenset[Numbered]:
    """Return the numbered things that ``unit`` names, or its document or its headings do."""
    passage = unit.passage
    around = (PurePosixPath(passage.file).stem, passage.title, *passage.heading_path)
    return numbered_in("; ".join((*around, passage.text)).replace("_", " "))


def _least(need: Need, unit: PlannedUnit) -> float:
    if asks_for_all(need) or asks_for_number(need):
        return _LISTED_FROM
    asked = numbered_in(need.quote)
    return _NAMED_FROM if asked and asked & _stands_for(unit) else _ANSWERS_FROM


def _filled_in(field: PlannedNeed) -> PlannedNeed:
    """Return the ``field`` of a form with its best unit selected if that is likely to answer."""
    units = (
        replace(u, selected=not at and u.score >= _least(field.need, u))
        for at, u in enumerate(field.units)
    )
    return replace(field, units=tuple(units))


def _stating(needs: Sequence[PlannedNeed], most: int) -> tuple[PlannedNeed, ...]:
    """Return ``needs`` with what answers them selected: of each the best unit, then the best of all
    up to ``most`` together, or one for each; everything for a question for all of something. A unit
    is selected for the need that it answers best, and is no gap of another."""
    likely = [
        [unit for unit in need.units if unit.score >= _least(need.need, unit)] for need in needs
    ]
    chosen = {units[0].place for units in likely if units}
    ranked = sorted(
        ((unit, at) for at, units in enumerate(likely) for unit in units),
        key=lambda each: -each[0].score,
    )
    home: dict[Place, int] = {}
    for unit, at in ranked:
        if unit.place not in chosen and len(chosen) < max(most, len(needs)):
            chosen.add(unit.place)
        if unit.place in chosen or asks_for_all(needs[at].need):
            home.setdefault(unit.place, at)
    return tuple(
        replace(
            need,
            units=tuple(replace(u, selected=home.get(u.place) == at) for u in need.units),
            may_be_stated=bool(likely[at]),
        )
        for at, need in enumerate(needs)
    )

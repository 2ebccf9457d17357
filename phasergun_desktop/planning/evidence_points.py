"""The evidence of a prompt's needs: units of the pool chosen to cover every need in few words, as
passages."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from heapq import nlargest

import numpy as np

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, block_before, whole_span
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.model import PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.planning.pair_reading import log_odds
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.planning.verbatim import as_written, is_statement, table_of
from phasergun_desktop.retrieval.model import Passage

# A unit is left out that is less probable than this share of the best, as the geometric mean of its
# need's best and the prompt's. (Not an absolute bound: of a prompt in another language than the
# documents every unit is less probable, and of a need with a scope of its own.) For 395 prompts on
# twelve projects that the cross-encoder learnt nothing of, 0.772 of what belongs is stated, and
# 0.470 of what is stated belongs (0.15: 0.796 and 0.423, 0.25: 0.744 and 0.518).
LEAST_SHARE = 0.2
# At most so many times as many units are stated as are expected to belong, by the best that are
# read: on eight judged projects the F2-measure was highest there. On six others, of what is stated
# for prompts that one to three units answer 0.114 belong, not 0.083 (four to ten 0.218, not 0.179,
# more 0.410, not 0.366), and of what belongs 0.56 is stated, not 0.57 (0.60, not 0.63; 0.55, not
# 0.57). Of what is stated for 70 prompts in another language than the documents, on 52 projects,
# 0.172 belong, and of what belongs 0.491 is stated (without the bound 0.125 and 0.519; with 1.5
# 0.232 and 0.456, but of the 12 wanted facts that drafts of two German prompts have 5 are lost). In
# projects of fewer than a hundred units all are improbable, and so few may well be stated.
_MOST_TIMES, _COUNTED, _FEWEST_UNMEASURED = 2.5, 100, 5
# Units of two documents with a cosine above this say the same; the rows of one table only look
# alike, and in one document the same is said in the same words.
_SAME, _SAME_WORDS = 0.92, 0.999
# A unit states what the prompt says not to write where the mean of what is read of that is above
# even odds, and by so much, in log odds, above that the unit belongs. Of what is left out so for
# the prompts of twelve judged projects, which this was set on, 2 of 28 judged units belong; from
# 3.0 on none of 11, from 0.0 on 5 of 34 did (of 25 then 1).
_MARGIN = 1.0

Words = Callable[[PooledUnit], int]


def evidence_of(
    request: Request, documents: IndexedDocuments, pools: UnitPools, keep: Callable[[Pool], Pool]
) -> tuple[PlannedNeed, ...]:
    """Return the needs of ``request`` with what of ``documents`` was looked at for each: what
    ``keep`` leaves of the pool. What the prompt says not to write is not selected."""
    records = documents.documents()
    by_id = {record.document_id: record for record in records}
    made: dict[int, CandidateSpan] = {}

    def span(unit: PooledUnit) -> CandidateSpan:
        if unit.row not in made:
            made[unit.row] = unit_span(documents, by_id[unit.document_id], unit)
        return made[unit.row]

    excluded: set[int] = set()

    def words(unit: PooledUnit) -> int:
        found = span(unit)
        states = is_statement(found) and unit.row not in excluded
        return len(found.text.split()) if states else 0

    pool, reader = keep(pools.pool(request, records)), pools.reader
    evidence = select_evidence(request, pool, words)
    read: set[int] = set()
    # What comes in for what the prompt says not to write may be that, too.
    while new := [u for units in evidence.values() for u in units if u.row not in read]:
        read.update(unit.row for unit in new)
        left_out = excluded_units(request.exclusions, pool, new, records, reader)
        if not left_out:
            break
        excluded |= left_out
        evidence = select_evidence(request, pool, words)
    return tuple(
        PlannedNeed(
            need,
            tuple(_planned(pool.of_need[need.need_id], evidence[need.need_id], span, documents)),
            pool.chances.get(need.need_id, float(need.need_id not in pool.gaps)),
            may_be_stated=need.need_id in pool.unsure and not evidence[need.need_id],
        )
        for need in request.needs
    )


def select_evidence(
    request: Request, pool: Pool, words: Words
) -> dict[str, tuple[PooledUnit, ...]]:
    """Return what the text should state of the pool of each need, by the ids of the needs, in the
    order of the documents. A prompt that has no need but gaps abstains.

    The best unit of each need comes first, then the most probable ones. No unit stands twice, none
    says what another says; together they have at most 1.2 times the words that the prompt asks for,
    and are not many more than are expected to belong. ``words`` returns the length of a unit in
    words, 0 for one that states nothing by itself: it is not chosen.
    """
    chosen: dict[str, list[PooledUnit]] = {need.need_id: [] for need in request.needs}
    open_needs = {n: units for n, units in pool.of_need.items() if n not in pool.gaps}
    best_of = {need_id: units[0].score for need_id, units in open_needs.items() if units}
    best_of_all = max(best_of.values(), default=0.0)
    of_each = {need.need_id for need in request.needs if need.is_of_each}
    least = {
        need_id: LEAST_SHARE * math.sqrt(it * (it if need_id in of_each else best_of_all))
        for need_id, it in best_of.items()
    }
    waiting = {
        need_id: [unit for unit in units if unit.score >= least[need_id]]
        for need_id, units in open_needs.items()
    }
    taken: set[int] = set()
    said: list[tuple[int, Vector]] = []
    left = request.words * TOLERANCE
    scores = nlargest(_COUNTED, (unit.score for units in open_needs.values() for unit in units))
    fewest = 1 if pool.is_measured else _FEWEST_UNMEASURED
    most = max(len(open_needs), fewest, _MOST_TIMES * sum(scores))
    while len(said) < most:
        best: tuple[bool, float, str] | None = None
        for need_id, units in waiting.items():
            while units and not _fits(units[0], taken, left, words):
                units.pop(0)
            if not units:
                continue
            ranked = (not chosen[need_id], units[0].score, need_id)
            if best is None or ranked[:2] > best[:2]:
                best = ranked
        if best is None:
            break
        unit = waiting[best[2]].pop(0)
        vector = pool.table.vectors(np.array([unit.row]))[0]
        taken.add(unit.row)
        if any(
            float(vector @ other) > (_SAME_WORDS if document == unit.document_id else _SAME)
            for document, other in said
        ):
            continue
        said.append((unit.document_id, vector))
        left -= words(unit)
        chosen[best[2]].append(unit)
    return {n: tuple(sorted(units, key=lambda each: each.row)) for n, units in chosen.items()}


def _fits(unit: PooledUnit, taken: set[int], left: float, words: Words) -> bool:
    return unit.row not in taken and 0 < words(unit) <= left


def excluded_units(
    exclusions: Sequence[str],
    pool: Pool,
    units: Sequence[PooledUnit],
    documents: Sequence[DocumentRecord],
    reader: UnitReader,
) -> frozenset[int]:
    """Return the rows of those of ``units``, which are of ``pool``, that go better with one of the
    ``exclusions`` of a prompt than with what it asks for; none where scores are no probabilities.
    """
    if not (exclusions and units and pool.is_measured):
        return frozenset()
    rows = [unit.row for unit in units]
    asked = log_odds(np.array([unit.score for unit in units]))
    found: set[int] = set()
    for what in exclusions:
        belongs = reader.belonging(what, pool.table, rows, documents)
        answers = reader.answering(what, pool.table, rows, documents)
        if belongs is not None and answers is not None:
            read = (belongs + answers) / 2
            found.update(np.array(rows)[(read > 0.0) & (read - asked > _MARGIN)].tolist())
    return frozenset(found)


def unit_span(
    documents: IndexedDocuments, record: DocumentRecord, unit: PooledUnit
) -> CandidateSpan:
    """Return ``unit`` of a document as a span."""
    passage = unit_passage(documents, record, unit.start, unit.end, unit.score)
    return whole_span(passage, documents.parsed(unit.document_id))


def unit_passage(
    documents: IndexedDocuments, record: DocumentRecord, start: int, end: int, score: float
) -> Passage:
    """Return ``start``..``end`` of a document's text, which lie in one block, as a passage."""
    document = documents.parsed(record.document_id)
    chunks = documents.chunks(record.document_id)
    chunk = next((c.chunk_id for c in chunks if c.start <= start < c.end), None)
    headings = block_before(document, start).heading_path
    return Passage.of(record, start, end, document.text[start:end], headings, chunk, score)


def planned_unit(
    span: CandidateSpan,
    document: ParsedDocument,
    *,
    selected: bool,
    score: float = 1.0,
    similarity: float = 0.0,
) -> PlannedUnit:
    """Return ``span`` of ``document`` as a unit of a plan."""
    return PlannedUnit(
        span.passage,
        selected,
        score,
        similarity,
        table=table_of(span.passage.file, span.block, document),
        can_stand=bool(as_written(span)[0]),
    )


def _planned(
    pool: Sequence[PooledUnit],
    selected: Collection[PooledUnit],
    span: Callable[[PooledUnit], CandidateSpan],
    documents: IndexedDocuments,
) -> Iterator[PlannedUnit]:
    rows = {unit.row for unit in selected}
    for unit in pool:
        yield planned_unit(
            span(unit),
            documents.parsed(unit.document_id),
            selected=unit.row in rows,
            score=unit.score,
            similarity=unit.similarity,
        )

"""The evidence of a prompt's needs as passages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from phasergun_desktop.grounding.candidate_spans import CandidateSpan, block_before, whole_span
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.evidence import select_evidence
from phasergun_desktop.planning.excluded_units import excluded_units
from phasergun_desktop.planning.model import PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.verbatim import as_written, is_statement, table_of
from phasergun_desktop.retrieval.model import Passage


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
    while new := [u for each in evidence for u in each.selected if u.row not in read]:
        read.update(unit.row for unit in new)
        left_out = excluded_units(request.exclusions, pool, new, records, reader)
        if not left_out:
            break
        excluded |= left_out
        evidence = select_evidence(request, pool, words)
    return tuple(
        PlannedNeed(
            need,
            tuple(_planned(each.pool, each.selected, span)),
            pool.chances.get(need.need_id, 1.0),
            may_be_stated=need.need_id in pool.unsure and not each.selected,
        )
        for need, each in zip(request.needs, evidence, strict=True)
    )


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
    span: CandidateSpan, *, selected: bool, score: float = 1.0, similarity: float = 0.0
) -> PlannedUnit:
    """Return ``span`` as a unit of a plan."""
    return PlannedUnit(
        span.passage,
        selected,
        score,
        similarity,
        table=table_of(span),
        can_stand=bool(as_written(span)[0]),
    )


def _planned(
    pool: Sequence[PooledUnit],
    selected: Collection[PooledUnit],
    span: Callable[[PooledUnit], CandidateSpan],
) -> Iterator[PlannedUnit]:
    rows = {unit.row for unit in selected}
    for unit in pool:
        yield planned_unit(
            span(unit), selected=unit.row in rows, score=unit.score, similarity=unit.similarity
        )

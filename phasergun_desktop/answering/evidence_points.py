"""The evidence of a prompt's needs as passages, and the points that are written from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from phasergun_desktop.answering.model import PlannedNeed, PlannedPoint, PlannedUnit, PointKind
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.answering.writing.extractive import table_of
from phasergun_desktop.answering.writing.verbatim import is_of_the_paper, is_statement
from phasergun_desktop.grounding.candidates import CandidateSpan, block_before, whole_span
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.planning.evidence import select_evidence
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools
from phasergun_desktop.retrieval.model import Passage


class EvidenceFinder:
    """Finds the evidence of a request in the documents of the index."""

    def __init__(self, documents: IndexedDocuments, pools: UnitPools) -> None:
        self._documents = documents
        self._pools = pools

    @property
    def pools(self) -> UnitPools:
        """What makes the pools."""
        return self._pools

    def of(
        self, request: Request, keep: Callable[[Pool], Pool] = lambda pool: pool
    ) -> tuple[PlannedNeed, ...]:
        """Return the needs of ``request`` with what was looked at for each: what ``keep`` leaves
        of the pool."""
        records = self._documents.documents()
        by_id = {record.document_id: record for record in records}
        made: dict[int, CandidateSpan] = {}

        def span(unit: PooledUnit) -> CandidateSpan:
            if unit.row not in made:
                made[unit.row] = self._span(unit, by_id[unit.document_id])
            return made[unit.row]

        def words(unit: PooledUnit) -> int:
            found = span(unit)
            states = is_statement(found) and not is_of_the_paper(found)
            return len(found.text.split()) if states else 0

        pool = keep(self._pools.pool(request, records))
        return tuple(
            PlannedNeed(
                need,
                tuple(_planned(each.pool, each.selected, span)),
                pool.chances.get(need.need_id, 1.0),
                each.is_covered,
            )
            for need, each in zip(request.needs, select_evidence(request, pool, words), strict=True)
        )

    def points(self, needs: Sequence[PlannedNeed]) -> list[PlannedPoint]:
        """Return a point for each need that states what is selected for it, word for word; the
        rows of a table stand together where its first one does."""
        selected = self._with_whole_tables([each.selected for each in needs])
        return [
            PlannedPoint(
                kind=PointKind.DESCRIBE,
                heading=each.need.heading,
                query=each.need.query,
                instruction=each.need.name,
                scope=each.need.scope,
                passages=tuple(units),
                relevance=max((unit.similarity for unit in each.units), default=0.0),
                evidence=tuple(units),
                is_supplement=not units and each.is_covered,
            )
            for each, units in zip(needs, selected, strict=True)
        ]

    def _with_whole_tables(self, selected: Sequence[Sequence[Passage]]) -> list[list[Passage]]:
        first: dict[object, int] = {}
        placed: list[tuple[int, Passage]] = []
        for place, units in enumerate(selected):
            for unit in units:
                span = whole_span(unit, self._documents.parsed(unit.document_id))
                table = table_of(span)
                placed.append((place if table is None else first.setdefault(table, place), unit))
        return [
            sorted((unit for at, unit in placed if at == place), key=lambda u: (u.file, u.start))
            for place in range(len(selected))
        ]

    def _span(self, unit: PooledUnit, record: DocumentRecord) -> CandidateSpan:
        passage = unit_passage(self._documents, record, unit.start, unit.end, unit.score)
        return whole_span(passage, self._documents.parsed(unit.document_id))


def unit_passage(
    documents: IndexedDocuments, record: DocumentRecord, start: int, end: int, score: float
) -> Passage:
    """Return ``start``..``end`` of a document's text, which lie in one block, as a passage."""
    document = documents.parsed(record.document_id)
    chunks = documents.chunks(record.document_id)
    block = block_before(document, start)
    return Passage(
        document_id=record.document_id,
        file=record.file,
        sha256=record.sha256,
        title=record.title,
        layer=record.layer,
        chunk_id=next((c.chunk_id for c in chunks if c.start <= start < c.end), ChunkId("")),
        start=start,
        end=end,
        text=document.text[start:end],
        heading_path=block.heading_path,
        score=score,
    )


def _planned(
    pool: Sequence[PooledUnit],
    selected: Collection[PooledUnit],
    span: Callable[[PooledUnit], CandidateSpan],
) -> Iterator[PlannedUnit]:
    rows = {unit.row for unit in selected}
    for unit in pool:
        yield PlannedUnit(span(unit).passage, unit.row in rows, unit.score, unit.similarity)

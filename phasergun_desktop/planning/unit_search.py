"""Finds units of any document by a query of the writer, to be put into a text by hand."""

from __future__ import annotations

from phasergun_desktop.embedding.embedder import Embedder, Vector
from phasergun_desktop.grounding.candidate_spans import whole_span
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.planning.evidence_points import planned_unit, unit_passage
from phasergun_desktop.planning.model import FoundUnits, PlannedUnit
from phasergun_desktop.planning.sources import IndexedDocuments, Searcher
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Hit, Place, SearchScope
from phasergun_desktop.text.words import content_words

_MOST_HITS = 20
_MOST_OF_HIT = 4


class UnitSearch:
    """Searches every layer: what a prompt allows does not bind the writer's own hand."""

    def __init__(
        self, documents: IndexedDocuments, searcher: Searcher, units: UnitIndex, embedder: Embedder
    ) -> None:
        self._documents = documents
        self._searcher = searcher
        self._units = units
        self._embedder = embedder

    def find(self, query: str, limit: int) -> FoundUnits:
        """Return at most ``limit`` units that can stand in a text, best first: the best ones of
        each hit, by the words that they share with ``query`` and their cosine to it."""
        search = self._searcher.search(query, SearchScope(layers=frozenset(Layer)), _MOST_HITS)
        if not search.hits:
            return FoundUnits((), search)
        vector = self._embedder.embed([query])[0]
        wanted = frozenset(content_words(query))
        found: dict[Place, tuple[float, PlannedUnit]] = {}
        for hit in search.hits:
            ranked = sorted(self._of_hit(hit, vector, wanted), key=lambda pair: -pair[0])
            for merit, unit in ranked[:_MOST_OF_HIT]:
                found.setdefault(unit.place, (merit, unit))
        best = sorted(found.values(), key=lambda pair: -pair[0])
        return FoundUnits(tuple(unit for _, unit in best[:limit]), search)

    def _of_hit(
        self, hit: Hit, vector: Vector, wanted: frozenset[str]
    ) -> list[tuple[float, PlannedUnit]]:
        table = self._units.table()
        rows = table.rows_of([hit.document_id])
        inside = (table.start[rows] >= hit.start) & (table.end[rows] <= hit.end)
        rows = rows[inside]
        records = {record.document_id: record for record in self._documents.documents()}
        record = records.get(hit.document_id)
        if record is None or not len(rows):
            return []
        document = self._documents.parsed(hit.document_id)
        made = []
        for row, cosine in zip(rows.tolist(), table.cosines(rows, vector[None])[0], strict=True):
            start, end = int(table.start[row]), int(table.end[row])
            passage = unit_passage(self._documents, record, start, end, hit.score)
            similarity = round(float(cosine), 6)
            unit = planned_unit(
                whole_span(passage, document), document, selected=False, similarity=similarity
            )
            shared = wanted.intersection(content_words(passage.text))
            share = len(shared) / len(wanted) if wanted else 0.0
            if unit.can_stand:
                made.append((similarity + share, unit))
        return made

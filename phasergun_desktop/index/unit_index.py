"""The units of a project's documents, by their vectors and by their words."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import match_expression, query_terms
from phasergun_desktop.index.rows import as_bytes
from phasergun_desktop.index.stored_vectors import version_of
from phasergun_desktop.index.unit_rows import decompressed

# Of so many units the vectors are made at once: they stay in the processor's cache.
_BLOCK = 1024
# Of the words that were looked for, 4 bytes each.
_KEPT_PLACES = 8_000_000


@dataclass(frozen=True, slots=True)
class UnitTable:
    """All units of an index, ordered by document and place. The arrays have one entry a unit.

    ``start`` and ``end`` are code points of the document's text, ``block`` the ordinal of the
    block, ``words`` how many words it has; units of a document that have the same headings and
    lead-in have the same number in ``sections``. ``steps`` (n, dimensions) times ``scales`` (n,)
    are the vectors, of norm 1; zeros of a unit that has none. ``by_id`` are the places by
    rising id.
    """

    unit_ids: NDArray[np.int64]
    documents: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    block: NDArray[np.int64]
    words: NDArray[np.int64]
    sections: NDArray[np.int64]
    steps: NDArray[np.int8]
    scales: NDArray[np.float32]
    by_id: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", np.argsort(self.unit_ids))

    def __len__(self) -> int:
        return len(self.unit_ids)

    def rows_of(self, documents: Collection[int]) -> NDArray[np.int64]:
        """Return the places in the table of the units of ``documents``."""
        wanted = np.fromiter(documents, np.int64, len(documents))
        return np.flatnonzero(np.isin(self.documents, wanted))

    def places_of(self, unit_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places in the table of the units ``unit_ids``, rising; others are left out."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        near = np.searchsorted(self.unit_ids, unit_ids, sorter=self.by_id)
        places = self.by_id[near.clip(max=len(self) - 1)]
        return np.sort(places[self.unit_ids[places] == unit_ids])

    def vectors(self, rows: NDArray[np.int64]) -> Vector:
        """Return the vectors at ``rows`` as float32 of shape (len(rows), dimensions)."""
        made: Vector = self.steps[rows].astype(np.float32) * self.scales[rows, None]
        return made

    def cosines(self, rows: NDArray[np.int64], vectors: Vector) -> NDArray[np.float32]:
        """Return the cosines of the units at ``rows`` to ``vectors``, shape (n, dimensions), as
        (n, len(rows)): zeros where no unit has a vector."""
        made = np.zeros((len(vectors), len(rows)), dtype=np.float32)
        if not self.steps.shape[1]:
            return made
        turned = np.ascontiguousarray(vectors.T)
        for first in range(0, len(rows), _BLOCK):
            # The last block is as long as the others: units that are alike have one cosine.
            start = max(0, min(first, len(rows) - _BLOCK))
            block = rows[start : start + _BLOCK]
            made[:, start : start + _BLOCK] = (self.vectors(block) @ turned).T
        return made


class UnitIndex:
    """Reads units with the vectors of the embedder ``identity``; the table is kept for one version
    of the index. Safe on any thread."""

    def __init__(self, store: IndexStore, identity: str) -> None:
        self._store = store
        self._identity = identity
        self._lock = threading.Lock()
        self._kept: tuple[int, UnitTable] | None = None
        self._found = _FoundTerms()

    def table(self) -> UnitTable:
        """Return every unit."""
        with self._store.reading() as connection:
            version = version_of(connection)
            with self._lock:
                if self._kept is not None and self._kept[0] == version:
                    return self._kept[1]
            rows = connection.execute(
                "SELECT u.unit_id, u.document_id, u.start, u.end, u.block, v.vector, w.text, "
                "w.context FROM units u JOIN unit_words w ON w.rowid = u.unit_id "
                "LEFT JOIN unit_vectors v ON v.identity = ? AND v.text_hash = u.text_hash "
                "ORDER BY u.document_id, u.ordinal",
                (self._identity,),
            ).fetchall()
            sections: dict[tuple[object, object], int] = {}
            places = np.array(
                [
                    (
                        *row[:5],
                        len(str(row[6]).split()),
                        sections.setdefault((row[1], row[7]), len(sections)),
                    )
                    for row in rows
                ],
                dtype=np.int64,
            ).reshape(len(rows), 7)
            steps, scales = decompressed(
                None if row[5] is None else as_bytes(row[5]) for row in rows
            )
        ids, documents, start, end, block, words, of_section = np.ascontiguousarray(places.T)
        table = UnitTable(ids, documents, start, end, block, words, of_section, steps, scales)
        with self._lock:
            self._kept = (version, table)
        return table

    def texts(self, table: UnitTable, rows: Sequence[int]) -> list[tuple[str, str]]:
        """Return for each of ``rows`` of ``table`` the context of the unit and its text."""
        ids = table.unit_ids[np.asarray(rows, dtype=np.int64)].tolist()
        with self._store.reading() as connection:
            found = connection.execute(
                "SELECT rowid, context, text FROM unit_words "
                "WHERE rowid IN (SELECT value FROM json_each(?))",
                (json.dumps(ids),),
            ).fetchall()
        by_id = {as_int(row[0]): (str(row[1]), str(row[2])) for row in found}
        return [by_id[each] for each in ids]

    def terms(self, query: str, table: UnitTable | None = None) -> tuple[NDArray[np.int64], ...]:
        """Return for each content word of ``query`` the places in ``table`` (the newest) of the
        units that have it in their text or context. Whoever goes on with places gives the table
        that they are for: another one may be there a moment later."""
        table = self.table() if table is None else table
        found: list[NDArray[np.int64]] = []
        for term in query_terms(query):
            places = self._found.get(table, term)
            if places is None:
                places = self._places(table, term)
                self._found.keep(table, term, places)
            found.append(places)
        return tuple(found)

    def _places(self, table: UnitTable, term: str) -> NDArray[np.int64]:
        with self._store.reading() as connection:
            # As one text: a number at a time takes three times as long.
            (joined,) = connection.execute(
                "SELECT group_concat(rowid) FROM unit_words WHERE unit_words MATCH ?",
                (match_expression((term,)),),
            ).fetchone()
        return table.places_of(np.fromstring(joined or "", dtype=np.int64, sep=","))


class _FoundTerms:
    """Keeps the places of terms in the newest table. Safe on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: UnitTable | None = None
        self._kept: OrderedDict[str, NDArray[np.int32]] = OrderedDict()
        self._count = 0

    def get(self, table: UnitTable, term: str) -> NDArray[np.int64] | None:
        with self._lock:
            if self._table is not table or term not in self._kept:
                return None
            self._kept.move_to_end(term)
            return self._kept[term].astype(np.int64)

    def keep(self, table: UnitTable, term: str, places: NDArray[np.int64]) -> None:
        with self._lock:
            if self._table is not table:
                self._table, self._count = table, 0
                self._kept.clear()
            if term not in self._kept:
                self._kept[term] = places.astype(np.int32)
                self._count += len(places)
            while self._count > _KEPT_PLACES and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._count -= len(oldest)

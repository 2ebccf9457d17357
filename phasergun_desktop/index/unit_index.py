"""The units of a project's documents, by their vectors and by their words."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import match_expression, query_terms
from phasergun_desktop.index.rows import as_bytes, as_int
from phasergun_desktop.index.stored_vectors import version_of
from phasergun_desktop.index.unit_rows import decompressed


@dataclass(frozen=True, slots=True)
class UnitTable:
    """All units of an index, ordered by document and place. The arrays have one entry a unit.

    ``start`` and ``end`` are code points of the document's text, ``block`` the ordinal of the
    block, ``words`` how many words it has; units of a document that have the same headings and
    lead-in have the same number in ``sections``. ``steps`` (n, dimensions) times ``scales`` (n,)
    are the vectors, of norm 1; zeros of a unit that has none.
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

    def __len__(self) -> int:
        return len(self.unit_ids)

    def rows_of(self, documents: Collection[int]) -> NDArray[np.int64]:
        """Return the places in the table of the units of ``documents``."""
        wanted = np.fromiter(documents, np.int64, len(documents))
        return np.flatnonzero(np.isin(self.documents, wanted))

    def vectors(self, rows: NDArray[np.int64]) -> Vector:
        """Return the vectors at ``rows`` as float32 of shape (len(rows), dimensions)."""
        made: Vector = self.steps[rows].astype(np.float32) * self.scales[rows, None]
        return made

    def cosines(self, rows: NDArray[np.int64], vector: Vector) -> NDArray[np.float32]:
        """Return the cosines of the units at ``rows`` to ``vector``, shape (dimensions,): zeros
        where no unit has a vector."""
        if not self.steps.shape[1]:
            return np.zeros(len(rows), dtype=np.float32)
        made: NDArray[np.float32] = self.vectors(rows) @ vector
        return made


class UnitIndex:
    """Reads units with the vectors of the embedder ``identity``; the table is kept for one version
    of the index. Safe on any thread."""

    def __init__(self, store: IndexStore, identity: str) -> None:
        self._store = store
        self._identity = identity
        self._lock = threading.Lock()
        self._kept: tuple[int, UnitTable] | None = None

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
        with self._store.reading() as connection:
            found = [
                connection.execute(
                    "SELECT rowid FROM unit_words WHERE unit_words MATCH ?",
                    (match_expression((term,)),),
                ).fetchall()
                for term in query_terms(query)
            ]
        return tuple(
            np.flatnonzero(np.isin(table.unit_ids, [as_int(row[0]) for row in rows]))
            for rows in found
        )

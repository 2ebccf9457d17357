"""The units of a project's documents, by their vectors and by their words."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.protocol import Vector
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import match_expression, query_terms
from phasergun_desktop.index.rows import as_bytes, as_int
from phasergun_desktop.index.stored_vectors import version_of
from phasergun_desktop.index.unit_rows import decompressed

# A unit's own words count more than those of its headings, which it shares.
_WEIGHTS = (1.0, 0.6)


@dataclass(frozen=True, slots=True)
class UnitTable:
    """All units of an index, ordered by document and place. The arrays have one entry a unit.

    ``start`` and ``end`` are code points of the document's text, ``block`` the ordinal of the
    block; ``steps`` (n, dimensions) times ``scales`` (n,) are the vectors, of norm 1.
    """

    unit_ids: NDArray[np.int64]
    documents: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    block: NDArray[np.int64]
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


class UnitIndex:
    """Reads units; the table is kept for one version of the index. Safe on any thread."""

    def __init__(self, store: IndexStore, identity: str) -> None:
        self._store = store
        self._identity = identity
        self._lock = threading.Lock()
        self._kept: tuple[int, UnitTable] | None = None

    def table(self) -> UnitTable:
        """Return every unit that has a vector."""
        with self._store.reading() as connection:
            version = version_of(connection)
            with self._lock:
                if self._kept is not None and self._kept[0] == version:
                    return self._kept[1]
            rows = connection.execute(
                "SELECT u.unit_id, u.document_id, u.start, u.end, u.block, v.vector FROM units u "
                "JOIN unit_vectors v ON v.identity = ? AND v.text_hash = u.text_hash "
                "ORDER BY u.document_id, u.ordinal",
                (self._identity,),
            ).fetchall()
        places = np.array([row[:5] for row in rows], dtype=np.int64).reshape(len(rows), 5)
        steps, scales = decompressed(as_bytes(row[5]) for row in rows)
        columns = [np.ascontiguousarray(places[:, column]) for column in range(5)]
        table = UnitTable(columns[0], columns[1], columns[2], columns[3], columns[4], steps, scales)
        with self._lock:
            self._kept = (version, table)
        return table

    def words(self, query: str, documents: Collection[int]) -> dict[int, float]:
        """Return the BM25 score (above 0) of the units of ``documents`` that have any content
        word of ``query`` in their text or context, by unit id."""
        terms = query_terms(query)
        if not terms or not documents:
            return {}
        with self._store.reading() as connection:
            rows = connection.execute(
                "SELECT u.unit_id, -bm25(unit_words, ?, ?) FROM unit_words "
                "JOIN units u ON u.unit_id = unit_words.rowid "
                "WHERE unit_words MATCH ? AND u.document_id IN (SELECT value FROM json_each(?))",
                (*_WEIGHTS, match_expression(terms), json.dumps(sorted(documents))),
            ).fetchall()
        return {as_int(row[0]): float(row[1]) for row in rows}

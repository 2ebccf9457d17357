"""The vectors in the database, by the text they were made of."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.rows import as_bytes, as_int, vectors_from
from phasergun_desktop.storage.database import Database

# Kept in the index: the user's embedder that has read every window, as of the last sync.
OWN_EMBEDDER = "own_embedder"


@dataclass(frozen=True, slots=True)
class VectorChanges:
    """What a vector index misses: ``ids`` rising, ``vectors`` (len(ids), dimensions)."""

    version: int
    ids: NDArray[np.int64]
    vectors: Vector
    removed: tuple[int, ...]


class StoredVectors:
    """Reads vectors. ``identity`` is always that of the embedder that made them."""

    # CROSS JOIN: windows first. SQLite would rather read all vectors of an embedder.

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_windows(self, window_ids: Collection[int], identity: str) -> dict[int, Vector]:
        """The vectors of these windows by id, each of shape (dimensions,); those without a vector
        are left out."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT w.window_id, e.vector FROM windows w CROSS JOIN embeddings e ON "
                "e.identity = ? AND e.text_hash = w.text_hash WHERE w.window_id IN "
                "(SELECT value FROM json_each(?))",
                (identity, json.dumps(sorted(window_ids))),
            ).fetchall()
        vectors = vectors_from([as_bytes(row[1]) for row in rows], 0)
        return {as_int(row[0]): vector for row, vector in zip(rows, vectors, strict=True)}

    def missing(self, identity: str, names: Collection[bytes]) -> frozenset[bytes]:
        """Those text hashes of windows for which ``identity`` has no vector stored."""
        return self._missing("embeddings", identity, names)

    def missing_units(self, identity: str, names: Collection[bytes]) -> frozenset[bytes]:
        """Those text hashes of units for which ``identity`` has no vector stored."""
        return self._missing("unit_vectors", identity, names)

    def _missing(self, table: str, identity: str, names: Collection[bytes]) -> frozenset[bytes]:
        with self._database.reading() as connection:
            known = set()
            for name in names:
                row = connection.execute(
                    f"SELECT 1 FROM {table} WHERE identity = ? AND text_hash = ?",  # noqa: S608
                    (identity, name),
                ).fetchone()
                if row is not None:
                    known.add(name)
        return frozenset(names) - known

    def unembedded_documents(self, identity: str) -> frozenset[int]:
        """The documents that have windows or units without a vector of ``identity``."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT document_id FROM windows w WHERE NOT EXISTS (SELECT 1 FROM embeddings e "
                "WHERE e.identity = ? AND e.text_hash = w.text_hash) "
                "UNION SELECT document_id FROM units u WHERE NOT EXISTS (SELECT 1 FROM "
                "unit_vectors v WHERE v.identity = ? AND v.text_hash = u.text_hash)",
                (identity, identity),
            )
            return frozenset(as_int(row[0]) for row in rows)

    def documents_without(self, own: str) -> frozenset[int]:
        """The documents that have windows without a vector of ``own``, the user's embedder."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT document_id FROM windows w WHERE NOT EXISTS (SELECT 1 FROM "
                "embeddings e WHERE e.identity = ? AND e.text_hash = w.text_hash)",
                (own,),
            )
            return frozenset(as_int(row[0]) for row in rows)

    def changes(self, since: int, identity: str, dimensions: int) -> VectorChanges:
        """What happened to windows after version ``since`` (0: everything there is)."""
        with self._database.reading() as connection:
            version = version_of(connection)
            (most,) = connection.execute(
                "SELECT COUNT(*) FROM windows WHERE sequence > ?", (since,)
            ).fetchone()
            rows = connection.execute(
                "SELECT w.window_id, e.vector FROM windows w CROSS JOIN embeddings e ON "
                "e.identity = ? AND e.text_hash = w.text_hash WHERE w.sequence > ? "
                "ORDER BY w.window_id",
                (identity, since),
            )
            # Row by row: all rows at once would be as large as all vectors, twice.
            ids = np.empty(most, dtype=np.int64)
            vectors = np.empty((most, dimensions), dtype=np.float32)
            count = 0
            for window_id, vector in rows:
                ids[count], vectors[count] = window_id, vectors_from([vector], dimensions)[0]
                count += 1
            removed = connection.execute(
                "SELECT window_id FROM removed_windows WHERE sequence > ?", (since,)
            ).fetchall()
        gone = tuple(as_int(row[0]) for row in removed)
        return VectorChanges(version, ids[:count], vectors[:count], gone)


def version_of(connection: Connection) -> int:
    """The number that rises with every change of documents."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'sequence'").fetchone()
    return int(row[0])

"""The rows of a document's units, of their words and of their compressed vectors."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.chunking.citable_units import UnitSpan
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.rows import as_int, text_hash

# In front of the steps.
SCALE_BYTES = 4
_LARGEST = 127


def write_units(
    connection: sqlite3.Connection, document_id: int, units: Sequence[UnitSpan]
) -> None:
    """Replace the units of a document and their words."""
    remove_units(connection, document_id)
    for ordinal, unit in enumerate(units):
        row = connection.execute(
            "INSERT INTO units (document_id, ordinal, start, end, block, text_hash) "
            "VALUES (?, ?, ?, ?, ?, ?) RETURNING unit_id",
            (
                document_id,
                ordinal,
                unit.start,
                unit.end,
                unit.block,
                text_hash(unit.embedded_text),
            ),
        ).fetchone()
        connection.execute(
            "INSERT INTO unit_words (rowid, text, context) VALUES (?, ?, ?)",
            (as_int(row[0]), unit.text, unit.context),
        )


def remove_units(connection: sqlite3.Connection, document_id: int) -> None:
    """Forget the units of a document and their words; the vectors stay for who uses them again."""
    connection.execute(
        "DELETE FROM unit_words WHERE rowid IN (SELECT unit_id FROM units WHERE document_id = ?)",
        (document_id,),
    )
    connection.execute("DELETE FROM units WHERE document_id = ?", (document_id,))


def write_unit_vectors(
    connection: sqlite3.Connection, identity: str, vectors: Mapping[bytes, Vector]
) -> None:
    """Store vectors, shape (dimensions,) and norm 1, by the hash of their texts."""
    connection.executemany(
        "INSERT OR IGNORE INTO unit_vectors VALUES (?, ?, ?)",
        [(identity, name, compressed(vectors[name])) for name in sorted(vectors)],
    )


def compressed(vector: Vector) -> bytes:
    """Return a vector as its scale (float32) and a byte for each dimension.

    A cosine changes by less than 0.002 by it.
    """
    scale = float(np.abs(vector).max()) / _LARGEST or 1.0
    steps = np.rint(vector / scale).astype(np.int8)
    return struct.pack("<f", scale) + bytes(steps.tobytes())


def decompressed(
    blobs: Sequence[bytes | None], dimensions: int
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return stored vectors as steps, shape (n, dimensions), and scales, shape (n,); zeros where
    there is none. Raises ``ValueError`` for a vector of another length."""
    size = SCALE_BYTES + dimensions
    joined = b"".join(bytes(size) if each is None else each for each in blobs)
    table = np.frombuffer(joined, dtype=np.int8).reshape(len(blobs), size)
    scales = np.ascontiguousarray(table[:, :SCALE_BYTES]).view("<f4")[:, 0].astype(np.float32)
    return table[:, SCALE_BYTES:], scales

"""The digests of all that the index keeps of one document, written with its rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from phasergun_desktop.storage.problems import is_damage
from phasergun_desktop.storage.row_digests import row_digest

# What is kept of the document ``:id``, with the vectors of the embedder ``:identity`` and, for its
# windows, of the user's ``:own``; its row in ``files`` has a digest of its own, since it changes
# without the document. The first search waits for a comparison of what it shows, which is a third.
_SEARCHED = (
    "SELECT * FROM documents WHERE document_id = :id",
    "SELECT * FROM contents WHERE document_id = :id",
    "SELECT * FROM windows WHERE document_id = :id ORDER BY ordinal",
    (
        "SELECT f.* FROM windows w CROSS JOIN window_words f ON f.rowid = w.window_id "
        "WHERE w.document_id = :id ORDER BY w.ordinal"
    ),
    (
        "SELECT e.vector FROM windows w CROSS JOIN embeddings e ON e.identity = :identity "
        "AND e.text_hash = w.text_hash WHERE w.document_id = :id ORDER BY w.ordinal"
    ),
    (
        "SELECT e.vector FROM windows w CROSS JOIN embeddings e ON e.identity = :own "
        "AND e.text_hash = w.text_hash WHERE w.document_id = :id ORDER BY w.ordinal"
    ),
    "SELECT * FROM chunk_sets WHERE document_id = :id ORDER BY chunker",
    "SELECT * FROM chunks WHERE document_id = :id ORDER BY chunker, ordinal",
)
_UNITS = (
    "SELECT * FROM units WHERE document_id = :id ORDER BY ordinal",
    (
        "SELECT f.* FROM units u CROSS JOIN unit_words f ON f.rowid = u.unit_id "
        "WHERE u.document_id = :id ORDER BY u.ordinal"
    ),
    (
        "SELECT v.vector FROM units u CROSS JOIN unit_vectors v ON v.identity = :identity "
        "AND v.text_hash = u.text_hash WHERE u.document_id = :id ORDER BY u.ordinal"
    ),
)


def write_digest(
    connection: sqlite3.Connection,
    document_id: int,
    identity: str | None = None,
    own: str | None = None,
) -> None:
    """Write the digests of the rows as they are now; the last step of every change of a document.

    ``identity`` and ``own`` (``""`` for none) are the embedders whose vectors are in it, by
    default those that were.
    """
    row = connection.execute(
        "SELECT identity, own_identity FROM document_digests WHERE document_id = ?", (document_id,)
    ).fetchone()
    before = ("", "") if row is None else row
    identity = before[0] if identity is None else identity
    own = before[1] if own is None else own
    digests = [
        _digest(connection, document_id, identity, own, rows) for rows in (_SEARCHED, _UNITS)
    ]
    connection.execute(
        "INSERT OR REPLACE INTO document_digests "
        "(document_id, identity, own_identity, digest, unit_digest) VALUES (?, ?, ?, ?, ?)",
        (document_id, identity, own, *digests),
    )


def is_intact(
    connection: sqlite3.Connection, document_id: int, *, searched_alone: bool = False
) -> bool:
    """Whether the rows of a document, or with ``searched_alone`` all but its units, are those that
    were written; so they are of an unknown one."""
    try:
        row = connection.execute(
            "SELECT s.identity, s.own_identity, s.digest, s.unit_digest FROM documents d "
            "LEFT JOIN document_digests s USING (document_id) WHERE d.document_id = ?",
            (document_id,),
        ).fetchone()
        if row is None:
            return True
        identity, own, *digests = row
        parts = (_SEARCHED,) if searched_alone else (_SEARCHED, _UNITS)
        return all(
            _digest(connection, document_id, identity, own, rows) == digest
            for rows, digest in zip(parts, digests, strict=False)
        )
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return False


def damaged_files(connection: sqlite3.Connection) -> list[bytes]:
    """Return the names of the rows of ``files`` that are not as they were written."""
    with bytes_for_text(connection):
        rows = connection.execute("SELECT * FROM files").fetchall()
    return [row[0] for row in rows if row_digest(row[:-1]).encode() != row[-1]]


@contextmanager
def bytes_for_text(connection: sqlite3.Connection) -> Iterator[None]:
    """Read text as bytes: a damaged one may be no UTF-8."""
    connection.text_factory = bytes
    try:
        yield
    finally:
        connection.text_factory = str


def _digest(
    connection: sqlite3.Connection,
    document_id: int,
    identity: str,
    own: str,
    queries: Sequence[str],
) -> str:
    """Return the digest of the rows of ``queries`` as they are now."""
    asked = {"id": document_id, "identity": identity, "own": own}
    with bytes_for_text(connection):
        return row_digest(
            [
                value
                for query in queries
                for row in connection.execute(query, asked)
                for value in row
            ]
        )

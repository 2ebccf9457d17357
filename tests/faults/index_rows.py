"""The rows of an index that every index of the same folder has, whatever its history."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

Rows = list[list[tuple[object, ...]]]

# All that is kept, without numbers and versions that depend on the history of the index.
_DOCUMENT = """
SELECT d.file, d.layer, d.sha256, d.format, d.title, d.category, d.kind, d.tags, d.confidentiality,
    d.metadata, d.page_sizes, d.pages, d.parser_version, d.window_version, d.mime, d.warnings,
    c.text, c.body, s.identity, s.own_identity
FROM documents d JOIN contents c USING (document_id) JOIN document_digests s USING (document_id)
"""
_TABLES = (
    "SELECT * FROM files",
    _DOCUMENT,
    """
    SELECT d.file, w.ordinal, w.start, w.end, w.heading_path, w.prefix, w.block, w.locator,
        w.text_hash, w.keyword_hash, f.text, f.title, f.heading_path, f.number, f.tags
    FROM windows w JOIN documents d USING (document_id) JOIN window_words f ON f.rowid = w.window_id
    """,
    """
    SELECT d.file, u.ordinal, u.start, u.end, u.block, u.text_hash, f.text, f.context
    FROM units u JOIN documents d USING (document_id) JOIN unit_words f ON f.rowid = u.unit_id
    """,
    "SELECT d.file, s.chunker FROM chunk_sets s JOIN documents d USING (document_id)",
    """
    SELECT d.file, c.chunker, c.ordinal, c.chunk_id, c.start, c.end, c.heading_path, c.prefix
    FROM chunks c JOIN documents d USING (document_id)
    """,
    "SELECT identity, text_hash, vector FROM embeddings",
    "SELECT identity, text_hash, vector FROM unit_vectors",
    "SELECT key, value FROM meta WHERE key NOT IN ('index_id', 'sequence') AND value <> ''",
    "SELECT count(*) FROM contents",
    "SELECT count(*) FROM windows",
    "SELECT count(*) FROM units",
    "SELECT count(*) FROM chunks",
    "SELECT count(*) FROM window_words",
    "SELECT count(*) FROM unit_words",
    "SELECT count(*) FROM document_digests",
)


def index_rows(path: Path) -> Rows:
    """Return all rows of an index that two indexes of the same folder have in common; every index
    in it, and those of words, fit their rows."""
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
        assert found == "ok", found
        for table in ("window_words", "unit_words"):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        return [sorted(connection.execute(query).fetchall(), key=repr) for query in _TABLES]


def first_difference(rows: Rows, expected: Rows) -> str:
    """Return the first table in which two indexes differ, with the rows; ``""`` for none."""
    for query, found, wanted in zip(_TABLES, rows, expected, strict=True):
        if found != wanted:
            more = [row for row in found if row not in wanted]
            fewer = [row for row in wanted if row not in found]
            return f"{query}\nmore: {more}\nfewer: {fewer}"[:300]
    return ""

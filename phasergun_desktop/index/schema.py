"""The tables of a project's index; SQLite is the truth, all else is derived."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.document_digests import write_digest
from phasergun_desktop.storage.database import Database, Migration, execute_script, open_derived
from phasergun_desktop.storage.problems import UNWRITABLE
from phasergun_desktop.storage.read_only_opening import open_unwritable
from phasergun_desktop.storage.row_digests import row_digest

INDEX_FILE = "index.db"
WORD_TOKENIZER = "porter unicode61 remove_diacritics 2"

_TABLES = f"""
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
    file TEXT PRIMARY KEY,
    layer TEXT,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    mtime_ns INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

CREATE TABLE documents (
    document_id INTEGER PRIMARY KEY AUTOINCREMENT,
    file TEXT NOT NULL UNIQUE,
    layer TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    format TEXT NOT NULL,
    title TEXT NOT NULL,
    category TEXT NOT NULL,
    kind TEXT NOT NULL,
    tags TEXT NOT NULL,
    confidentiality TEXT NOT NULL,
    metadata TEXT NOT NULL,
    page_sizes TEXT NOT NULL,
    pages INTEGER,
    parser_version TEXT NOT NULL,
    window_version TEXT NOT NULL,
    summary TEXT NOT NULL,
    sequence INTEGER NOT NULL
);

CREATE TABLE contents (
    document_id INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    text TEXT NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE windows (
    window_id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    heading_path TEXT NOT NULL,
    prefix TEXT NOT NULL,
    block INTEGER NOT NULL,
    locator TEXT NOT NULL,
    text_hash BLOB NOT NULL,
    keyword_hash BLOB NOT NULL,
    sequence INTEGER NOT NULL
);
CREATE INDEX windows_by_document ON windows (document_id, ordinal);
CREATE INDEX windows_by_hash ON windows (text_hash);
CREATE INDEX windows_by_sequence ON windows (sequence);

CREATE TABLE removed_windows (
    window_id INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL
);
CREATE INDEX removed_by_sequence ON removed_windows (sequence);

CREATE VIRTUAL TABLE window_words USING fts5 (
    text, title, heading_path, number, tags,
    tokenize = '{WORD_TOKENIZER}'
);

CREATE TABLE embeddings (
    embedding_id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (identity, text_hash)
);

CREATE TABLE chunk_sets (
    document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    chunker TEXT NOT NULL,
    PRIMARY KEY (document_id, chunker)
) WITHOUT ROWID;

CREATE TABLE chunks (
    document_id INTEGER NOT NULL,
    chunker TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    chunk_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    heading_path TEXT NOT NULL,
    prefix TEXT NOT NULL,
    PRIMARY KEY (document_id, chunker, ordinal),
    FOREIGN KEY (document_id, chunker) REFERENCES chunk_sets ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX chunks_by_id ON chunks (chunk_id);
"""


def _first_tables(connection: sqlite3.Connection) -> None:
    execute_script(connection, _TABLES)
    # Tells a snapshot of this index from one of an index that was deleted and made anew.
    rows = [("index_id", uuid.uuid4().hex), ("sequence", "0")]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)


def _kinds_of_problems(connection: sqlite3.Connection) -> None:
    execute_script(connection, "ALTER TABLE files ADD COLUMN problem TEXT NOT NULL DEFAULT '';")


def _what_reading_found(connection: sqlite3.Connection) -> None:
    script = """
    ALTER TABLE documents ADD COLUMN mime TEXT NOT NULL DEFAULT '';
    ALTER TABLE documents ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]';
    """
    execute_script(connection, script)


def _units(connection: sqlite3.Connection) -> None:
    script = f"""
    CREATE TABLE units (
        unit_id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        block INTEGER NOT NULL,
        text_hash BLOB NOT NULL
    );
    CREATE INDEX units_by_document ON units (document_id, ordinal);
    CREATE INDEX units_by_hash ON units (text_hash);
    CREATE TABLE unit_vectors (
        identity TEXT NOT NULL,
        text_hash BLOB NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (identity, text_hash)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE unit_words USING fts5 (
        text, context, tokenize = '{WORD_TOKENIZER}'
    );
    """
    execute_script(connection, script)


def _digests(connection: sqlite3.Connection) -> None:
    script = """
    ALTER TABLE files ADD COLUMN digest TEXT NOT NULL DEFAULT '';
    CREATE TABLE document_digests (
        document_id INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
        identity TEXT NOT NULL,
        digest TEXT NOT NULL
    );
    """
    execute_script(connection, script)
    for file, *values in connection.execute("SELECT * FROM files").fetchall():
        digest = row_digest((file, *values[:-1]))
        connection.execute("UPDATE files SET digest = ? WHERE file = ?", (digest, file))
    last = connection.execute(
        "SELECT identity FROM embeddings ORDER BY embedding_id DESC LIMIT 1"
    ).fetchone()
    connection.execute(
        "INSERT INTO document_digests SELECT document_id, ?, '' FROM documents",
        ("" if last is None else last[0],),
    )


def _terms_of_windows(connection: sqlite3.Connection) -> None:
    script = """
    CREATE VIRTUAL TABLE window_terms USING fts5vocab (window_words, instance);
    CREATE VIRTUAL TABLE window_vocabulary USING fts5vocab (window_words, row);
    """
    execute_script(connection, script)


def _own_vectors(connection: sqlite3.Connection) -> None:
    script = "ALTER TABLE document_digests ADD COLUMN own_identity TEXT NOT NULL DEFAULT '';"
    execute_script(connection, script)


def _digests_of_units(connection: sqlite3.Connection) -> None:
    script = "ALTER TABLE document_digests ADD COLUMN unit_digest TEXT NOT NULL DEFAULT '';"
    execute_script(connection, script)
    for (document_id,) in connection.execute("SELECT document_id FROM documents").fetchall():
        write_digest(connection, document_id)


MIGRATIONS: Sequence[Migration] = (
    _first_tables,
    _kinds_of_problems,
    _what_reading_found,
    _units,
    _digests,
    _terms_of_windows,
    _own_vectors,
    _digests_of_units,
)


def open_index(folder: Path, problem: StorageError | None = None) -> Database:
    """Open ``index.db`` in ``folder``; a damaged one is made anew, since it is derived.

    Where it cannot be written, as is known by ``problem`` or found out, it is opened for reading;
    an absent one is an empty index then. Raises ``StorageError``.
    """
    path = folder / INDEX_FILE
    try:
        if problem is not None:
            raise problem
        return open_derived(path, MIGRATIONS)
    except UNWRITABLE as found:
        return open_unwritable(path, MIGRATIONS, found)

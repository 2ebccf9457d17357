"""The tables of a project's index; SQLite is the truth, all else is derived."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.database import Database, Migration, execute_script, open_derived
from phasergun_desktop.storage.problems import UNWRITABLE
from phasergun_desktop.storage.read_only_opening import open_unwritable

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
    sha256 TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT ''
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
    sequence INTEGER NOT NULL,
    mime TEXT NOT NULL DEFAULT '',
    warnings TEXT NOT NULL DEFAULT '[]'
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

CREATE TABLE document_digests (
    document_id INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    identity TEXT NOT NULL,
    digest TEXT NOT NULL,
    own_identity TEXT NOT NULL DEFAULT '',
    unit_digest TEXT NOT NULL DEFAULT ''
);

CREATE VIRTUAL TABLE window_terms USING fts5vocab (window_words, instance);
CREATE VIRTUAL TABLE window_vocabulary USING fts5vocab (window_words, row);
"""


def _earlier_form(_connection: sqlite3.Connection) -> None:
    """Leave the database as it is: forms 1 to 8 of the index are not brought up to date."""


def _all_tables(connection: sqlite3.Connection) -> None:
    """Create the tables; fails where those of an earlier form are there, which ``open_derived``
    then deletes."""
    execute_script(connection, _TABLES)
    # Tells a snapshot of this index from one of an index that was deleted and made anew.
    rows = [("index_id", uuid.uuid4().hex), ("sequence", "0")]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)


MIGRATIONS: Sequence[Migration] = (*(_earlier_form,) * 8, _all_tables)


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

"""Writing the index: one document is one short transaction."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from phasergun_desktop.chunking.citable_units import UnitSpan
from phasergun_desktop.chunking.model import ChunkSpan
from phasergun_desktop.chunking.windows import WindowSpan
from phasergun_desktop.documents.document_codec import dumps, encoded
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.document_digests import write_digest
from phasergun_desktop.index.records import FileRecord
from phasergun_desktop.index.rows import (
    INSERT_FILE,
    as_int,
    file_to_row,
    metadata_text,
    pages_text,
    strings_text,
    text_hash,
    vector_blob,
)
from phasergun_desktop.index.unit_rows import remove_units, write_unit_vectors, write_units
from phasergun_desktop.index.window_rows import WindowWriter, remove_windows, rewrite_words
from phasergun_desktop.projects.categories import CategoryEntry
from phasergun_desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Everything that is written for one document. ``file`` has state, size, time and digest.

    ``windows``, ``units`` and ``chunks`` are of ``document``; ``window_version`` (units too) and
    ``chunker`` name what made them.
    """

    file: FileRecord
    document: ParsedDocument
    title: str
    entry: CategoryEntry
    windows: tuple[WindowSpan, ...]
    units: tuple[UnitSpan, ...]
    window_version: str
    chunks: tuple[ChunkSpan, ...]
    chunker: str

    def embedded_texts(self) -> dict[bytes, str]:
        """The texts of the windows by their hash."""
        texts = (window.embedded_text(self.document.text) for window in self.windows)
        return {text_hash(text): text for text in texts}

    def unit_texts(self) -> dict[bytes, str]:
        """The texts of the units, as the embedder reads them, by their hash."""
        return {text_hash(unit.embedded_text): unit.embedded_text for unit in self.units}


@dataclass(frozen=True, slots=True)
class OwnVectors:
    """``vectors`` of texts of windows by their hash, each of shape (dimensions,), by the user's
    embedder ``identity``."""

    identity: str
    vectors: Mapping[bytes, Vector]


class IndexWriter:
    """The only one who changes a project's index. Every change raises the version by one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write_files(self, records: Iterable[FileRecord]) -> None:
        """Insert or replace the states of files; their documents are not touched."""
        with self._database.transaction() as connection:
            for record in records:
                _write_file(connection, record)

    def write_meta(self, key: str, value: str) -> None:
        """Keep a value for the next sync."""
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def write_document(
        self,
        entry: IndexEntry,
        identity: str,
        vectors: Mapping[bytes, Vector],
        unit_vectors: Mapping[bytes, Vector],
        own: OwnVectors | None = None,
        *,
        old: str = "",
        all_windows: bool = False,
    ) -> None:
        """Write a document with its windows, units, words, vectors and chunks, all or nothing.

        ``old`` is the name under which it is in the index, if that is another one.
        ``vectors`` (of windows) and ``unit_vectors`` hold by text hash those that are not stored
        yet, shape (dimensions,), made by the embedder ``identity``; with those of ``own`` all
        windows have vectors of the user's embedder too. Windows whose text is unchanged keep their
        id, and their rows for keyword and vector search are not touched, except that
        ``all_windows`` makes the vector index read them all again (the embedder has changed).
        """
        with self._database.transaction() as connection:
            sequence = next_sequence(connection)
            if old:
                connection.execute(
                    "UPDATE documents SET file = ? WHERE file = ?", (entry.file.file, old)
                )
                connection.execute("DELETE FROM files WHERE file = ?", (old,))
            document_id = _write_document_row(connection, entry, sequence)
            _write_vectors(connection, identity, vectors)
            if own is not None:
                _write_vectors(connection, own.identity, own.vectors)
            windows = WindowWriter(connection, document_id, sequence)
            windows.write(entry.document, entry.windows)
            write_unit_vectors(connection, identity, unit_vectors)
            write_units(connection, document_id, entry.units)
            if all_windows:
                connection.execute(
                    "UPDATE windows SET sequence = ? WHERE document_id = ?",
                    (sequence, document_id),
                )
            _write_chunks(connection, document_id, entry)
            write_digest(connection, document_id, identity, "" if own is None else own.identity)
            _write_file(connection, entry.file)

    def write_chunks(self, file: str, chunks: ChunkSet) -> None:
        """Store a chunk set beside those of other chunkers."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT document_id FROM documents WHERE file = ?", (file,)
            ).fetchone()
            if row is not None:
                next_sequence(connection)
                _replace_chunks(connection, row[0], chunks.chunker, file, chunks, keep_others=True)
                write_digest(connection, row[0])

    def describe(self, file: str, entry: CategoryEntry) -> None:
        """Change what is said of a document (category, kind, tags); nothing is embedded."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT document_id FROM documents WHERE file = ?", (file,)
            ).fetchone()
            if row is not None:
                next_sequence(connection)
                _describe(connection, row[0], entry)

    def remove(self, files: Collection[str]) -> None:
        """Forget files and their documents."""
        with self._database.transaction() as connection:
            sequence = next_sequence(connection)
            for file in sorted(files):
                _remove_document(connection, file, sequence)
                connection.execute("DELETE FROM files WHERE file = ?", (file,))

    def remove_document(self, record: FileRecord) -> None:
        """Forget the document of a file that stays in the folder (failed or skipped now)."""
        with self._database.transaction() as connection:
            sequence = next_sequence(connection)
            _remove_document(connection, record.file, sequence)
            _write_file(connection, record)

    def remove_unused_vectors(self, identity: str, own: str | None = "") -> None:
        """Forget vectors that no window uses and those of embedders other than ``identity`` and
        ``own``, the user's: empty where none is used, None where it is not known which."""
        used = {"identity": identity, "own": own}
        with self._database.transaction() as connection:
            # A document whose texts all stand in others is not written again for a new embedder.
            others = connection.execute(
                "SELECT document_id FROM document_digests "
                "WHERE identity <> :identity OR own_identity <> ifnull(:own, own_identity)",
                used,
            ).fetchall()
            for (document_id,) in others:
                write_digest(connection, document_id, identity, own)
            connection.execute(
                "DELETE FROM embeddings WHERE identity NOT IN (:identity, ifnull(:own, identity)) "
                "OR text_hash NOT IN (SELECT text_hash FROM windows)",
                used,
            )
            connection.execute(
                "DELETE FROM unit_vectors WHERE identity <> :identity OR text_hash NOT IN "
                "(SELECT text_hash FROM units)",
                used,
            )


@dataclass(frozen=True, slots=True)
class ChunkSet:
    """The chunks that ``chunker`` made of ``document``."""

    document: ParsedDocument
    chunker: str
    chunks: tuple[ChunkSpan, ...]


def chunk_id_of(file: str, document: ParsedDocument, chunk: ChunkSpan) -> str:
    """Return the id of a chunk: a hash of file, block range and text (20 hex digits)."""
    offset = chunk.start - document.blocks[chunk.first_block].start
    key = (file, chunk.first_block, chunk.last_block, offset)
    digest = hashlib.sha256(json.dumps(key).encode("utf-8"))
    digest.update(document.text[chunk.start : chunk.end].encode("utf-8", "replace"))
    return digest.hexdigest()[:20]


def next_sequence(connection: sqlite3.Connection) -> int:
    """Raise the version of the index by one and return it."""
    row = connection.execute(
        "UPDATE meta SET value = value + 1 WHERE key = 'sequence' RETURNING value"
    ).fetchone()
    return int(row[0])


def _write_file(connection: sqlite3.Connection, record: FileRecord) -> None:
    connection.execute(INSERT_FILE, file_to_row(record))


def _write_document_row(connection: sqlite3.Connection, entry: IndexEntry, sequence: int) -> int:
    file, document, said = entry.file, entry.document, entry.entry
    values = {
        "file": file.file,
        "layer": "" if file.layer is None else file.layer.value,
        "sha256": file.sha256,
        "format": document.format,
        "title": entry.title,
        "category": said.category,
        "kind": said.kind,
        "tags": strings_text(said.tags),
        "confidentiality": said.confidentiality,
        "metadata": metadata_text(document.metadata),
        "page_sizes": pages_text(document.pages),
        "pages": document.metadata.pages,
        "parser_version": document.parser_version,
        "window_version": entry.window_version,
        "sequence": sequence,
        "mime": document.mime,
        "warnings": strings_text(document.warnings),
    }
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    changes = ", ".join(f"{name} = excluded.{name}" for name in values if name != "file")
    row = connection.execute(
        f"INSERT INTO documents ({names}) VALUES ({marks}) "  # noqa: S608 - names of ours
        f"ON CONFLICT (file) DO UPDATE SET {changes} RETURNING document_id",
        values,
    ).fetchone()
    document_id = as_int(row[0])
    body = encoded(document)
    body["text"] = ""  # kept once, in a column of its own
    connection.execute(
        "INSERT OR REPLACE INTO contents VALUES (?, ?, ?)",
        (document_id, document.text, dumps(body)),
    )
    return document_id


def _write_vectors(
    connection: sqlite3.Connection, identity: str, vectors: Mapping[bytes, Vector]
) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO embeddings (identity, text_hash, vector) VALUES (?, ?, ?)",
        [(identity, name, vector_blob(vectors[name])) for name in sorted(vectors)],
    )


def _write_chunks(connection: sqlite3.Connection, document_id: int, entry: IndexEntry) -> None:
    chunks = ChunkSet(entry.document, entry.chunker, entry.chunks)
    _replace_chunks(connection, document_id, entry.chunker, entry.file.file, chunks)


def _replace_chunks(
    connection: sqlite3.Connection,
    document_id: int,
    chunker: str,
    file: str,
    chunks: ChunkSet,
    *,
    keep_others: bool = False,
) -> None:
    # Other chunkers' sets are of the old text; they are made again when they are asked for.
    if keep_others:
        connection.execute(
            "DELETE FROM chunk_sets WHERE document_id = ? AND chunker = ?", (document_id, chunker)
        )
    else:
        connection.execute("DELETE FROM chunk_sets WHERE document_id = ?", (document_id,))
    connection.execute("INSERT INTO chunk_sets VALUES (?, ?)", (document_id, chunker))
    connection.executemany(
        "INSERT INTO chunks (document_id, chunker, ordinal, chunk_id, start, end, heading_path, "
        "prefix) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                document_id,
                chunker,
                ordinal,
                chunk_id_of(file, chunks.document, chunk),
                chunk.start,
                chunk.end,
                strings_text(chunk.heading_path),
                chunk.prefix,
            )
            for ordinal, chunk in enumerate(chunks.chunks)
        ],
    )


def _describe(connection: sqlite3.Connection, document_id: int, entry: CategoryEntry) -> None:
    connection.execute(
        "UPDATE documents SET category = ?, kind = ?, tags = ?, confidentiality = ? "
        "WHERE document_id = ?",
        (
            entry.category,
            entry.kind,
            strings_text(entry.tags),
            entry.confidentiality,
            document_id,
        ),
    )
    rewrite_words(connection, document_id)
    write_digest(connection, document_id)


def _remove_document(connection: sqlite3.Connection, file: str, sequence: int) -> None:
    row = connection.execute("SELECT document_id FROM documents WHERE file = ?", (file,)).fetchone()
    if row is None:
        return
    windows = connection.execute(
        "SELECT window_id FROM windows WHERE document_id = ?", (row[0],)
    ).fetchall()
    remove_windows(connection, [as_int(each[0]) for each in windows], sequence)
    remove_units(connection, as_int(row[0]))
    connection.execute("DELETE FROM documents WHERE document_id = ?", (row[0],))

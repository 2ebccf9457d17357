"""Reading the index of a project; every thread may read while one writes."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from sqlite3 import Connection

from phasergun_desktop.documents.document_codec import from_parts
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.integrity import IndexIntegrity
from phasergun_desktop.index.records import Chunk, DocumentRecord, FileRecord, FileState, Window
from phasergun_desktop.index.rows import (
    SELECT_CHUNK,
    SELECT_DOCUMENT,
    SELECT_FILE,
    SELECT_WINDOW,
    as_bytes,
    as_int,
    chunk_from_row,
    document_from_row,
    file_from_row,
    window_from_row,
)
from phasergun_desktop.index.stored_vectors import StoredVectors, version_of
from phasergun_desktop.kept_values import KeptValues
from phasergun_desktop.storage.database import Database

# About 60 MB of parsed documents at most; a project's usual documents all fit.
_CACHED_CHARACTERS = 4_000_000
_LISTED = "(SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class DocumentVersions:
    """What made the stored form of a document."""

    record: DocumentRecord
    parser_version: str
    window_version: str
    chunkers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Documents:
    version: int
    records: tuple[DocumentRecord, ...]
    by_id: Mapping[int, DocumentRecord]


class IndexStore:
    """The records, texts, windows, vectors and chunks of one project.

    ``is_tidy`` says that no vector is left that nothing uses: a sync that is broken off leaves
    some.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.integrity = IndexIntegrity(database)
        self.vectors = StoredVectors(database)
        self.is_tidy = False
        self._lock = threading.Lock()
        self._parsed: KeptValues[tuple[int, int], ParsedDocument] = KeptValues(
            _CACHED_CHARACTERS, lambda document: len(document.text)
        )
        self._documents = _Documents(-1, (), {})

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Make the reads inside see one state of the index; see ``IndexIntegrity.watched``."""
        with self.integrity.watched(), self._database.reading() as connection:
            yield connection

    @property
    def write_problem(self) -> StorageError | None:
        """Why the index cannot be brought up to date; None where it can."""
        return self._database.write_problem

    def version(self) -> int:
        """A number that rises with every change of documents."""
        with self.reading() as connection:
            return version_of(connection)

    def index_id(self) -> str:
        """The name of this database, another one when the index was deleted and made anew."""
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'index_id'").fetchone()
            return str(row[0])

    def files(self) -> tuple[FileRecord, ...]:
        """Every file of the folder with its state, sorted by name."""
        with self.reading() as connection:
            rows = connection.execute(f"{SELECT_FILE} ORDER BY f.file").fetchall()
            return tuple(file_from_row(row) for row in rows)

    def pending_files(self) -> int:
        """Return how many files of the folder are known and not read yet."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT COUNT(*) FROM files WHERE state = ?", (FileState.PENDING.value,)
            ).fetchone()
            return as_int(row[0])

    def window_count(self) -> int:
        """Return how many windows all documents have."""
        with self.reading() as connection:
            return as_int(connection.execute("SELECT COUNT(*) FROM windows").fetchone()[0])

    def file(self, file: str) -> FileRecord | None:
        """The record of one file."""
        with self.reading() as connection:
            row = connection.execute(f"{SELECT_FILE} WHERE f.file = ?", (file,)).fetchone()
            return None if row is None else file_from_row(row)

    def documents(self) -> tuple[DocumentRecord, ...]:
        """Every indexed document, sorted by file."""
        return self._current_documents().records

    def documents_by_id(self) -> Mapping[int, DocumentRecord]:
        """Every indexed document by its id."""
        return self._current_documents().by_id

    def document_by_file(self, file: str) -> DocumentRecord | None:
        """The document of ``file``, or None if it is not indexed."""
        with self.reading() as connection:
            row = connection.execute(f"{SELECT_DOCUMENT} WHERE file = ?", (file,)).fetchone()
            return None if row is None else document_from_row(row)

    def document_versions(self) -> tuple[DocumentVersions, ...]:
        """Every document with what made its stored form."""
        with self.reading() as connection:
            chunkers: dict[int, set[str]] = {}
            for document_id, chunker in connection.execute(
                "SELECT document_id, chunker FROM chunk_sets"
            ):
                chunkers.setdefault(as_int(document_id), set()).add(str(chunker))
            rows = connection.execute(f"{SELECT_DOCUMENT} ORDER BY file")
            found = []
            for row in rows:
                record = document_from_row(row)
                made_by = frozenset(chunkers.get(record.document_id, ()))
                found.append(DocumentVersions(record, str(row[12]), str(row[13]), made_by))
            return tuple(found)

    def parsed(self, document_id: int) -> ParsedDocument:
        """The document as it was parsed. Raises KeyError for an unknown one."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT sequence FROM documents WHERE document_id = ?", (document_id,)
            ).fetchone()
            if row is None:
                raise KeyError(document_id)
            key = (document_id, as_int(row[0]))
            if (kept := self._parsed.peek(key)) is not None:
                return kept
            self.integrity.require(connection, document_id)
            text, body = connection.execute(
                "SELECT text, body FROM contents WHERE document_id = ?", (document_id,)
            ).fetchone()
            document = from_parts(as_bytes(body), str(text))
        self._parsed.put(key, document)
        return document

    def text(self, document_id: int) -> str:
        """The text of a document. Raises KeyError for an unknown one."""
        with self.reading() as connection:
            self.integrity.require(connection, document_id)
            row = connection.execute(
                "SELECT text FROM contents WHERE document_id = ?", (document_id,)
            ).fetchone()
        if row is None:
            raise KeyError(document_id)
        return str(row[0])

    def text_slice(self, document_id: int, start: int, end: int) -> str:
        """Code points ``start``..``end`` of a document's text, for a search: its units are not
        compared with what was written. Raises KeyError."""
        with self.reading() as connection:
            self.integrity.require(connection, document_id, searched_alone=True)
            row = connection.execute(
                "SELECT substr(text, ?, ?) FROM contents WHERE document_id = ?",
                (start + 1, end - start, document_id),
            ).fetchone()
        if row is None:
            raise KeyError(document_id)
        return str(row[0])

    def meta(self, key: str) -> str:
        """A value that the last sync left, ``""`` if none."""
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def windows(self, window_ids: Collection[int]) -> dict[int, Window]:
        """The windows ``window_ids`` by their ids; unknown ones are left out."""
        with self.reading() as connection:
            rows = connection.execute(
                f"{SELECT_WINDOW} WHERE window_id IN {_LISTED}", (json.dumps(sorted(window_ids)),)
            )
            windows = [window_from_row(row) for row in rows]
        return {each.window_id: each for each in windows}

    def chunks_of(self, documents: Sequence[int], chunker: str) -> dict[int, tuple[Chunk, ...]]:
        """The chunk sets of ``documents``; those that ``chunker`` has not made are left out."""
        asked = json.dumps(sorted(documents))
        with self.reading() as connection:
            sets = connection.execute(
                "SELECT document_id FROM chunk_sets WHERE chunker = ? AND document_id IN "
                "(SELECT value FROM json_each(?))",
                (chunker, asked),
            ).fetchall()
            rows = connection.execute(
                f"{SELECT_CHUNK} WHERE chunker = ? AND document_id IN {_LISTED} "
                "ORDER BY document_id, ordinal",
                (chunker, asked),
            ).fetchall()
            found: dict[int, list[Chunk]] = {as_int(row[0]): [] for row in sets}
            for row in rows:
                chunk = chunk_from_row(row)
                found[chunk.document_id].append(chunk)
        return {document_id: tuple(chunks) for document_id, chunks in found.items()}

    def _current_documents(self) -> _Documents:
        with self.reading() as connection:
            version = version_of(connection)
            with self._lock:
                known = self._documents
            if known.version == version:
                return known
            rows = connection.execute(f"{SELECT_DOCUMENT} ORDER BY file").fetchall()
            records = tuple(document_from_row(row) for row in rows)
        current = _Documents(version, records, {each.document_id: each for each in records})
        with self._lock:
            self._documents = current
        return current

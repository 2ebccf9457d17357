"""Whether the index is what was written, and what is done where it is not."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from phasergun_desktop.index.document_digests import damaged_files, is_intact
from phasergun_desktop.index.index_writer import next_sequence
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.storage.database import Database, execute_script
from phasergun_desktop.storage.problems import StorageDamagedError, is_damage

_WORDS = ("window_words", "unit_words")
# The schema apart from FTS5's own tables, whose form is that of the library.
_SCHEMA = """
SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB '*_words_*' ORDER BY 1, 2
"""
# Rows that belong to no document are checked by what must hold of them.
_UNSOUND = """
WITH numbered (name, highest) AS (
    SELECT 'documents', max(document_id) FROM documents
    UNION SELECT 'windows', max(window_id) FROM windows
    UNION SELECT 'windows', max(window_id) FROM removed_windows
    UNION SELECT 'units', max(unit_id) FROM units
), versions (version) AS (
    SELECT max(sequence) FROM documents
    UNION SELECT max(sequence) FROM windows
    UNION SELECT max(sequence) FROM removed_windows
)
SELECT 'a number is given twice' FROM numbered LEFT JOIN sqlite_sequence USING (name)
    WHERE highest > ifnull(seq, 0) OR typeof(seq) NOT IN ('integer', 'null') OR seq >> 48
UNION SELECT 'a number is given to nothing' FROM sqlite_sequence
    WHERE name NOT IN (SELECT name FROM numbered)
UNION SELECT 'the version is lost' WHERE NOT EXISTS (
    SELECT 1 FROM meta WHERE key = 'sequence' AND value NOT GLOB '*[^0-9]*'
    AND CAST(value AS INTEGER) >= (SELECT ifnull(max(version), 0) FROM versions)
)
UNION SELECT 'the name is lost' WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'index_id')
UNION SELECT 'an unknown value' FROM meta
    WHERE key NOT IN
        ('index_id', 'sequence', 'categories', 'parser_version', 'own_embedder', 'disks')
UNION SELECT 'a window is there and removed' FROM removed_windows JOIN windows USING (window_id)
"""
# While a file waits to be read again its old document is there.
_HALF = """
SELECT 1 FROM files WHERE state = 'indexed' AND file NOT IN (SELECT file FROM documents)
UNION ALL
SELECT 1 FROM documents WHERE file NOT IN (SELECT file FROM files)
"""
# A file that the index does not know is read as a new one is. Of the vectors those stay that are
# in the digest of a document.
_REMOVE_HALF = """
DELETE FROM documents WHERE file NOT IN (SELECT file FROM files);
DELETE FROM files WHERE state = 'indexed' AND file NOT IN (SELECT file FROM documents);
DELETE FROM contents WHERE document_id NOT IN (SELECT document_id FROM documents);
DELETE FROM windows WHERE document_id NOT IN (SELECT document_id FROM documents);
DELETE FROM units WHERE document_id NOT IN (SELECT document_id FROM documents);
DELETE FROM chunk_sets WHERE document_id NOT IN (SELECT document_id FROM documents);
DELETE FROM document_digests WHERE document_id NOT IN (SELECT document_id FROM documents);
DELETE FROM chunks
    WHERE (document_id, chunker) NOT IN (SELECT document_id, chunker FROM chunk_sets);
DELETE FROM window_words WHERE rowid NOT IN (SELECT window_id FROM windows);
DELETE FROM unit_words WHERE rowid NOT IN (SELECT unit_id FROM units);
DELETE FROM embeddings WHERE (identity, text_hash) NOT IN
    (SELECT identity, text_hash FROM windows JOIN document_digests USING (document_id)
    UNION SELECT own_identity, text_hash FROM windows JOIN document_digests USING (document_id));
DELETE FROM unit_vectors WHERE (identity, text_hash) NOT IN
    (SELECT identity, text_hash FROM units JOIN document_digests USING (document_id));
DELETE FROM removed_windows;
"""
# What reading damaged rows ends in.
_SYMPTOMS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    sqlite3.Error,
)

_MADE_ANEW = (
    "The index of this project was damaged, or of another version: all documents were read again."
)
_MENDED = "The index of this project was damaged and has been mended; documents read again: {}."

_log = logging.getLogger(__name__)


class IndexIntegrity:
    """Finds rows that are not those that were written, and has them written again.

    ``on_damage`` is called, on any thread, when damage shows while the index is read;
    ``is_sound`` says that all was compared.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.is_sound = False
        self._is_told = False
        self._intact: set[tuple[int, bool]] = set()
        self.on_damage: Callable[[], None] | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raise ``StorageDamagedError`` where the reads inside fail for damage."""
        try:
            yield
        except StorageDamagedError as error:
            self._note()
            raise self._error() from error
        except _SYMPTOMS as error:
            if self.is_sound or not self._is_damaged():
                raise
            self._note()
            raise self._error() from error

    def require(
        self, connection: sqlite3.Connection, document_id: int, *, searched_alone: bool = False
    ) -> None:
        """Raise ``StorageDamagedError`` where the rows of a document, or with ``searched_alone``
        all but its units, are not those that were written; compared once."""
        asked = {(document_id, False), (document_id, searched_alone)}
        if self.is_sound or not asked.isdisjoint(self._intact):
            return
        if not is_intact(connection, document_id, searched_alone=searched_alone):
            raise self._error()
        self._intact.add((document_id, searched_alone))

    def mend(self) -> Generator[Event, None, tuple[str, ...]]:
        """Compare everything, once a process and when damage was noticed, and remove the documents
        that are damaged, so that a sync reads them again; return sentences on what was found.

        Raises ``StorageDamagedError`` where more than documents is damaged, ``StorageError``.
        """
        if self.is_sound:
            return ()
        yield Progress("Checking the index")
        with self._damage_alone(), self._database.transaction() as connection:
            is_damaged = bool(self._problem(connection))
            if is_damaged:
                # They are made of the rows.
                connection.execute("REINDEX")
                for table in _WORDS:
                    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")  # noqa: S608
                if found := self._problem(connection):
                    raise sqlite3.DatabaseError(found)
                self._forget_read(connection)
            numbers = connection.execute("SELECT document_id FROM documents").fetchall()
        damaged = []
        for done, (document_id,) in enumerate(numbers):
            yield Progress("Checking the index", done, len(numbers), "documents")
            with self._database.reading() as connection:
                if not is_intact(connection, document_id):
                    damaged.append((document_id,))
        with self._damage_alone():
            count = self._remove(damaged)
        if count or is_damaged:
            _log.warning("The index was damaged; documents that are read again: %d.", count)
        self.is_sound, self._is_told = True, False
        is_made_anew, self._database.is_made_anew = self._database.is_made_anew, False
        if is_made_anew:
            return (_MADE_ANEW,)
        return (_MENDED.format(count),) if count or is_damaged else ()

    def make_anew(self) -> None:
        """Empty the index; the next sync reads everything."""

        def begin(connection: sqlite3.Connection) -> None:
            # Above every version that a cache in any process can have.
            connection.execute(
                "UPDATE meta SET value = ? WHERE key = 'sequence'", (time.time_ns() // 1_000_000,)
            )

        _log.warning("The index is damaged and is made anew.")
        self._database.make_anew(begin)
        self._intact.clear()
        self.is_sound = False

    def _remove(self, documents: list[tuple[int]]) -> int:
        with self._database.transaction() as connection:
            files = [(file,) for file in damaged_files(connection)]
            if not documents and not files and not connection.execute(_HALF).fetchall():
                return 0
            before = connection.execute("SELECT count(*) FROM documents").fetchone()[0]
            connection.executemany("DELETE FROM documents WHERE document_id = ?", documents)
            connection.executemany("DELETE FROM files WHERE file = CAST(? AS TEXT)", files)
            execute_script(connection, _REMOVE_HALF)
            self._forget_read(connection)
            after = connection.execute("SELECT count(*) FROM documents").fetchone()[0]
        return max(int(before - after), len(files), 1)

    def _forget_read(self, connection: sqlite3.Connection) -> None:
        """Let no cache go on with what it has read of a damaged index."""
        next_sequence(connection)
        connection.execute(
            "UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'index_id'"
        )

    def _is_damaged(self) -> bool:
        try:
            with self._database.reading() as connection:
                if self._problem(connection, words=False) or damaged_files(connection):
                    return True
                numbers = connection.execute("SELECT document_id FROM documents").fetchall()
                return not all(is_intact(connection, number) for (number,) in numbers)
        except StorageDamagedError:
            return True
        except sqlite3.Error as error:
            return is_damage(error)

    def _problem(self, connection: sqlite3.Connection, *, words: bool = True) -> str:
        """Return what is wrong with more than the rows of a document, ``""`` if nothing."""
        try:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                return str(found)
            with self._database.fresh() as new:
                schema = new.connection().execute(_SCHEMA).fetchall()
            if connection.execute(_SCHEMA).fetchall() != schema:
                return "the schema is another one"
            for (found,) in connection.execute(_UNSOUND).fetchall():
                return str(found)
            for table in _WORDS if words else ():
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            return str(error)
        return ""

    def _note(self) -> None:
        self.is_sound = False
        self._intact.clear()
        # Once: a sync that cannot mend it would be called for again and again.
        if self.on_damage is not None and not self._is_told:
            self._is_told = True
            self.on_damage()

    def _error(self) -> StorageDamagedError:
        return StorageDamagedError(
            "Index damaged",
            "A part of what was read of the documents of this project is damaged on the disk.",
            "It is read again when the index is brought up to date, in an open window at once or "
            "by `phasergun index`; then try again.",
        )

    @contextmanager
    def _damage_alone(self) -> Iterator[None]:
        # No statement here fails on a sound database.
        try:
            yield
        except sqlite3.Error as error:
            raise self._error() from error

"""Vectors that the projects of this user share: a text that another one has is not read again."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.database import (
    Database,
    Migration,
    execute_script,
    open_derived,
    remove_database,
)
from phasergun_desktop.storage.problems import StorageDamagedError

MOST_BYTES = 500_000_000
SHARED_FILE = "shared-vectors.db"
# What a row takes beside its vector: the names of its text and of its embedder, and their index.
_ROW_BYTES = 250
_DAY_S = 86_400
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


def _tables(connection: sqlite3.Connection) -> None:
    script = """
    CREATE TABLE vectors (
        identity TEXT NOT NULL,
        text_hash BLOB NOT NULL,
        vector BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        project_id TEXT NOT NULL,
        used_day INTEGER NOT NULL,
        UNIQUE (identity, text_hash)
    );
    CREATE INDEX vectors_by_project ON vectors (project_id);
    CREATE INDEX vectors_by_day ON vectors (used_day);
    """
    execute_script(connection, script)


_MIGRATIONS: Sequence[Migration] = (_tables,)


class SharedVectors:
    """Keeps vectors by the identity of their embedder and the hash of their text, about
    ``most_bytes`` of them; those go first that were not used for longest. Each project's index has
    its own besides: this is a copy. Safe on any thread and in several processes; what goes wrong
    here costs time alone, and raises nothing."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._opened: Database | None = None

    def found(self, identity: str, names: Collection[bytes]) -> dict[bytes, Vector]:
        """Return those of the vectors of texts (by hash) that are kept, shape (dimensions,)."""

        def read(database: Database) -> dict[bytes, Vector]:
            found: dict[bytes, Vector] = {}
            with database.transaction() as connection:
                for name in names:
                    row = connection.execute(
                        "UPDATE vectors SET used_day = ? WHERE identity = ? AND text_hash = ? "
                        "RETURNING vector, checksum",
                        (_today(), identity, name),
                    ).fetchone()
                    # A flipped bit must not become a vector of the index.
                    if row is not None and _checksum(identity, name, row[0]) == row[1]:
                        found[name] = np.frombuffer(row[0], dtype="<f4").astype(np.float32)
            return found

        return self._tried(read, {}) if names else {}

    def keep(self, identity: str, vectors: Mapping[bytes, Vector], project_id: str) -> None:
        """Keep ``vectors`` of texts (by hash) that a project has brought."""

        def write(database: Database) -> None:
            contents = {name: each.astype("<f4").tobytes() for name, each in vectors.items()}
            with database.transaction() as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (
                            identity,
                            name,
                            content,
                            _checksum(identity, name, content),
                            project_id,
                            _today(),
                        )
                        for name, content in contents.items()
                    ],
                )
                self._evict(connection)

        if vectors:
            self._tried(write, None)

    def forget(self, project_id: str) -> None:
        """Delete what a project brought: a vector tells something of its text."""

        def delete(database: Database) -> None:
            with database.transaction() as connection:
                # Not every SQLite writes over what is deleted; the file of changes has it too.
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute("DELETE FROM vectors WHERE project_id = ?", (project_id,))
            database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        if self._path.exists():
            self._tried(delete, None)

    def clear(self) -> int:
        """Delete everything; return how many bytes it took."""

        def delete(database: Database) -> int:
            size = self._path.stat().st_size
            with database.transaction() as connection:
                connection.execute("DELETE FROM vectors")
            # The file itself stays: another process may have it open.
            database.connection().execute("VACUUM")
            return size

        return self._tried(delete, 0) if self._path.exists() else 0

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _evict(self, connection: sqlite3.Connection) -> None:
        (count, size) = connection.execute(
            "SELECT count(*), ifnull(max(length(vector)), 0) FROM vectors"
        ).fetchone()
        over = count - self._most_bytes // (size + _ROW_BYTES)
        if over > 0:
            connection.execute(
                "DELETE FROM vectors WHERE rowid IN "
                "(SELECT rowid FROM vectors ORDER BY used_day, rowid LIMIT ?)",
                (over,),
            )

    def _tried(self, use: Callable[[Database], _T], otherwise: _T) -> _T:
        try:
            with self._lock:
                if self._opened is None:
                    self._opened = open_derived(self._path, _MIGRATIONS)
                database = self._opened
            return use(database)
        except StorageDamagedError:
            _log.warning("The shared vectors are damaged and made anew.")
            self._delete()
        except StorageError as error:
            _log.warning("The shared vectors cannot be used: %s", error.title)
        return otherwise

    def _delete(self) -> None:
        self.close()
        try:
            remove_database(self._path)
        except (OSError, StorageError) as error:
            _log.warning("The shared vectors cannot be deleted: %s", type(error).__name__)


@dataclass(frozen=True, slots=True)
class ProjectVectors:
    """What one project takes from ``shared`` and brings there."""

    shared: SharedVectors
    project_id: str

    def found(self, identity: str, names: Collection[bytes]) -> dict[bytes, Vector]:
        """See ``SharedVectors.found``."""
        return self.shared.found(identity, names)

    def keep(self, identity: str, vectors: Mapping[bytes, Vector]) -> None:
        """See ``SharedVectors.keep``."""
        self.shared.keep(identity, vectors, self.project_id)


def _checksum(identity: str, name: bytes, content: object) -> int:
    """Return the sum of a vector and of what it is looked for by: a damaged index of SQLite leads
    to the row of another text."""
    # A flipped bit makes text or nothing of it, too.
    return zlib.crc32(
        content if isinstance(content, bytes) else b"", zlib.crc32(identity.encode() + name)
    )


def _today() -> int:
    return int(time.time()) // _DAY_S

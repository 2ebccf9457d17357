"""One SQLite file: opened, migrated, and lent to every thread as a connection of its own."""

from __future__ import annotations

import os
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import private_file, private_folder
from phasergun_desktop.storage.problems import (
    StorageDamagedError,
    StorageNewerError,
    closed_error,
    damaged_error,
    newer_error,
    replaced_error,
    sqlite_errors,
    storage_errors,
)

Migration = Callable[[sqlite3.Connection], None]

BUSY_TIMEOUT_MS = 5_000
CHECKED_AT_OPEN_BYTES = 32 * 2**20


class _Use(Enum):
    NONE = auto()
    READING = auto()
    WRITING = auto()


@dataclass(slots=True)
class _Lent:
    connection: sqlite3.Connection
    use: _Use = _Use.NONE
    after_commit: list[Callable[[], None]] = field(default_factory=list)


class Access(Enum):
    """How a database is opened."""

    WRITE = auto()
    READ = auto()
    # From a disk where not even SQLite's companions can be made; nobody else may write the file.
    UNCHANGING = auto()
    # Empty, where there is no file and none can be made.
    MEMORY = auto()


_READING = (Access.READ, Access.UNCHANGING)


def execute_script(connection: sqlite3.Connection, script: str) -> None:
    """Run the statements of ``script`` one by one inside the open transaction.

    ``Connection.executescript`` commits first and would tear a migration apart. A statement
    ends with ``;`` at the end of a line (triggers keep their inner ones).
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    if statement.strip():
        connection.execute(statement)


class Database:
    """A database file with an ordered, append-only list of migrations.

    ``PRAGMA user_version`` counts the migrations that have run. A migration gets a connection
    inside a transaction and must not commit (``execute_script`` for several statements).
    Connections are in autocommit mode: write inside ``transaction()`` only.

    ``READ`` and ``UNCHANGING`` open the file without the right to write and do not migrate; it
    must exist and have the newest form. ``write_problem`` is why nothing can be written, raised
    by ``transaction()``. ``is_made_anew``: what was there before could not be used and is gone.
    ``is_synced`` is for what cannot be made again: a transaction that has
    ended is on the disk, also when the power fails; without it the last ones may be lost then.
    None begins where the file was moved away: nobody would find what is written into it.
    Raises ``StorageError`` (``storage.problems`` has its children).
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration],
        *,
        access: Access = Access.WRITE,
        write_problem: StorageError | None = None,
        is_synced: bool = False,
    ) -> None:
        self._path = path
        self._migrations = tuple(migrations)
        self._access = access
        self._is_synced = is_synced
        self._inode: int | None = None
        self._memory_name = f"/{uuid.uuid4().hex}"
        self.write_problem: StorageError | None = None
        self.is_made_anew = False
        self._guard = threading.Lock()
        # Keyed by thread id, not threading.local: Qt ends Python's thread state after every
        # slot, which would drop the connection each time.
        self._lent: dict[int, _Lent] = {}
        self._is_closed = False
        try:
            with storage_errors(path):
                self._prepare(write_problem)
            self.write_problem = write_problem
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> Path:
        """The database file."""
        return self._path

    @property
    def is_read_only(self) -> bool:
        """Whether writing is refused."""
        return self._access is not Access.WRITE

    def connection(self) -> sqlite3.Connection:
        """Return this thread's connection (opened at first use).

        Errors of statements run on it directly come as ``sqlite3.Error``; inside ``reading()``
        and ``transaction()`` they come as ``StorageError``.
        """
        return self._this_thread().connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for reads that all see one state of the database.

        Inside an open ``reading()`` or ``transaction()`` of this thread it joins that one.
        """
        lent = self._this_thread()
        with sqlite_errors(self._path):
            if lent.use is not _Use.NONE:
                yield lent.connection
                return
            with self._used(lent, _Use.READING):
                lent.connection.execute("BEGIN")
                try:
                    yield lent.connection
                finally:
                    if lent.connection.in_transaction:
                        lent.connection.execute("ROLLBACK")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for writing: committed at the end, rolled back on any exception.

        The right to write is taken at once, so that a busy database is reported before work
        is done. A ``transaction()`` inside another of the same thread joins it.
        """
        if self.write_problem is not None:
            raise self.write_problem
        lent = self._this_thread()
        if self._access in _READING or lent.use is _Use.READING:
            raise RuntimeError("a transaction cannot start inside reading or read-only use")
        with sqlite_errors(self._path):
            if lent.use is _Use.WRITING:
                yield lent.connection
                return
            with self._used(lent, _Use.WRITING):
                lent.connection.execute("BEGIN IMMEDIATE")
                try:
                    self._require_in_place()
                    yield lent.connection
                    lent.connection.execute("COMMIT")
                except BaseException:
                    lent.after_commit.clear()
                    # A full disk makes SQLite roll back by itself.
                    if lent.connection.in_transaction:
                        lent.connection.execute("ROLLBACK")
                    raise
        actions, lent.after_commit = lent.after_commit, []
        for action in actions:
            action()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Do ``action`` when the open transaction of this thread is on the disk; never, when it
        is rolled back."""
        lent = self._this_thread()
        if lent.use is not _Use.WRITING:
            raise RuntimeError("there is no transaction to wait for")
        lent.after_commit.append(action)

    def damage(self) -> str:
        """Return what SQLite finds wrong with the file, ``""`` if it is sound (reads it all)."""
        try:
            rows = self.connection().execute("PRAGMA quick_check(1)").fetchall()
        except sqlite3.DatabaseError as error:
            return str(error)
        found = str(rows[0][0]) if rows else ""
        return "" if found == "ok" else found

    def fresh(self) -> Database:
        """Return an empty database of the same form, in memory."""
        return Database(self._path, self._migrations, access=Access.MEMORY)

    def make_anew(self, begin: Callable[[sqlite3.Connection], None]) -> None:
        """Replace everything by an empty database, in which ``begin`` has written first.

        Who is reading, in this process or another, goes on reading the old one until the read
        ends. Fails with ``StorageDamagedError`` where the file's first page is none of SQLite's.
        """
        with self.fresh() as new, sqlite_errors(self._path):
            with new.transaction() as connection:
                begin(connection)
            new.connection().backup(self.connection())
        self.is_made_anew = True

    def close(self) -> None:
        """Close the connections of every thread; afterwards the object cannot be used.

        What another thread reads just now is broken off, what it writes is written to its end;
        that thread closes its connection then.
        """
        with self._guard:
            self._is_closed = True
            idle = [lent for lent in self._lent.values() if lent.use is _Use.NONE]
            for lent in self._lent.values():
                if lent.use is _Use.READING:
                    lent.connection.interrupt()
        for lent in idle:
            lent.connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _this_thread(self) -> _Lent:
        me = threading.get_ident()
        with self._guard:
            lent = self._lent.get(me)
            self._require_open(lent)
            if lent is None:
                with storage_errors(self._path):
                    lent = _Lent(self._connect())
                self._lent[me] = lent
            return lent

    def _require_open(self, lent: _Lent | None) -> None:
        if self._is_closed and (lent is None or lent.use is not _Use.WRITING):
            raise closed_error(self._path)

    def _require_in_place(self) -> None:
        # As SQLite itself tells it, which does not ask where it keeps a write-ahead log.
        # (0 is that of a system that tells none.)
        if self._inode and _inode(self._path) not in (0, self._inode):
            raise replaced_error(self._path)

    @contextmanager
    def _used(self, lent: _Lent, use: _Use) -> Iterator[None]:
        # SQLite crashes where a connection is closed under a statement that runs.
        with self._guard:
            self._require_open(lent)
            lent.use = use
        try:
            yield
        finally:
            with self._guard:
                lent.use = _Use.NONE
                is_closed = self._is_closed
            if is_closed:
                lent.connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path if self._access is Access.WRITE else self._uri(),
            uri=self._access is not Access.WRITE,
            timeout=BUSY_TIMEOUT_MS / 1000,
            isolation_level=None,
            check_same_thread=False,  # close() comes from another thread
        )
        try:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            if self._access is Access.WRITE:
                connection.execute("PRAGMA journal_mode = WAL")
                level = "FULL" if self._is_synced else "NORMAL"
                connection.execute(f"PRAGMA synchronous = {level}")
                # macOS: a plain sync leaves it in the disk's own memory. No effect elsewhere.
                connection.execute(f"PRAGMA fullfsync = {int(self._is_synced)}")
            else:
                # The folder for SQLite's temporary files may be as full as the disk.
                connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _uri(self) -> str:
        if self._access is Access.MEMORY:
            return f"file:{self._memory_name}?vfs=memdb"
        # SQLite takes no host in a URI: a Windows share goes into the path (``file:////host/…``).
        name = self._path.absolute().as_posix()
        slash = "" if name.startswith("/") else "/"
        how = "immutable=1" if self._access is Access.UNCHANGING else "mode=ro"
        return f"file://{slash}{quote(name, safe='/:')}?{how}"

    def _prepare(self, write_problem: StorageError | None) -> None:
        if self._access is Access.WRITE:
            private_folder(self._path.parent)
            private_file(self._path)
            if self._is_synced:
                self._inode = _inode(self._path)
        newest = len(self._migrations)
        connection = self.connection()
        found = _user_version(connection)
        if found > newest:
            raise newer_error(self._path, found, newest)
        if self._access in _READING:
            if found < newest:
                # What keeps it from being brought up to date is what must be mended.
                raise write_problem or StorageError(
                    "Older version",
                    f"{self._path.name} has not been brought up to date yet.",
                    "Open the project in the window or index it once, then try again.",
                )
            return
        if found < newest:
            self._migrate(newest)

    def _migrate(self, newest: int) -> None:
        # One transaction for all: a kill in the middle leaves the old form whole. The version
        # is read again inside, since another process may have migrated meanwhile.
        with self.transaction() as connection:
            found = _user_version(connection)
            for migration in self._migrations[found:]:
                migration(connection)
            if found < newest:
                connection.execute(f"PRAGMA user_version = {newest}")


def _user_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _inode(path: Path) -> int | None:
    with storage_errors(path):
        try:
            return path.stat().st_ino
        except (FileNotFoundError, NotADirectoryError):
            return None


def _is_writable_form(database: Database) -> bool:
    """Whether SQLite does not take the file, which may be written, for one that it can only read:
    it does so by the version in its header."""
    # Never by the header itself: closing a file ends the locks that SQLite has on it in this
    # process, and the next other process to close deletes the write-ahead log in use.
    connection = database.connection()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("PRAGMA user_version = 0")
    except sqlite3.OperationalError as error:
        is_refused = error.sqlite_errorcode == sqlite3.SQLITE_READONLY
        return not (is_refused and os.access(database.path, os.W_OK))
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return True


def remove_database(path: Path) -> None:
    """Delete a database file with its companions (``-wal``, ``-shm``); absent is fine."""
    with storage_errors(path):
        for each in database_files(path):
            each.unlink(missing_ok=True)


def database_files(path: Path) -> tuple[Path, ...]:
    """The file and the companions that SQLite keeps beside it."""
    return (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")))


def open_derived(path: Path, migrations: Sequence[Migration]) -> Database:
    """Open a database that can be rebuilt; a damaged or newer one, and one that cannot be migrated,
    is deleted and made anew.

    Files beyond ``CHECKED_AT_OPEN_BYTES`` are not read through first, since that would take
    seconds; damage inside them shows when they are read.
    """
    try:
        database = Database(path, migrations)
        is_checked = path.stat().st_size <= CHECKED_AT_OPEN_BYTES
        if _is_writable_form(database) and not (is_checked and database.damage()):
            return database
        database.close()
        raise damaged_error(path)
    except (StorageDamagedError, StorageNewerError, sqlite3.Error):
        # What SQLite says of a damaged schema is not known for damage.
        remove_database(path)
    database = Database(path, migrations)
    database.is_made_anew = True
    return database

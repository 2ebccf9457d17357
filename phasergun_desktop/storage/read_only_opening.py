"""Opens a database for reading where the disk is full or cannot be written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.database import Access, Database, Migration, database_files
from phasergun_desktop.storage.problems import UNWRITABLE, storage_errors


def open_unwritable(path: Path, migrations: Sequence[Migration], problem: StorageError) -> Database:
    """Open what can be read of a database that ``problem`` keeps from being written.

    An absent or empty file is an empty database in memory. Raises ``StorageError`` when the file
    cannot be read either.
    """
    with storage_errors(path):
        if not _has_content(path):
            return Database(path, migrations, access=Access.MEMORY, write_problem=problem)
    try:
        return _opened(path, migrations, problem, Access.READ)
    except UNWRITABLE:
        # SQLite wants to make a file beside it. Without one, what a killed process left in the
        # write-ahead log would be passed over in silence.
        if _has_content(database_files(path)[1]):
            raise
    return _opened(path, migrations, problem, Access.UNCHANGING)


def _opened(
    path: Path, migrations: Sequence[Migration], problem: StorageError, access: Access
) -> Database:
    database = Database(path, migrations, access=access, write_problem=problem)
    try:
        with database.reading() as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        database.close()
        raise
    return database


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0

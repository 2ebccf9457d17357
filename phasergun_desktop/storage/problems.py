"""What can go wrong with the disk and SQLite, each as a sentence with a remedy."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phasergun_desktop.errors import StorageError


class StorageFullError(StorageError):
    """The disk has no room left."""


class StorageLockedError(StorageError):
    """Another process keeps the database busy."""


class StorageDamagedError(StorageError):
    """The file is not a database or its content is damaged."""


class StorageNewerError(StorageError):
    """The file was written by a newer version of the product."""


class StorageDeniedError(StorageError):
    """The place cannot be written or read."""


class StorageDiskError(StorageError):
    """The disk itself fails."""


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
# A database that can be read may lie on a disk that has one of these.
UNWRITABLE = (StorageFullError, StorageDeniedError, StorageDiskError)
_WRONG_PLACE = (FileNotFoundError, NotADirectoryError, FileExistsError, IsADirectoryError)


def full_error(path: Path) -> StorageFullError:
    """The error for a disk without room."""
    return StorageFullError(
        "Disk full",
        f"There is no room left on the disk to write {path.name}.",
        f"Free some space on the disk that holds {path.parent}, then try again.",
    )


def denied_error(path: Path) -> StorageDeniedError:
    """The error for a place that cannot be written or read."""
    return StorageDeniedError(
        "No access",
        f"{path.name} cannot be opened or written in {path.parent}.",
        "Check that the folder exists, that you may write to it, and that no other program "
        "keeps the file open.",
    )


def damaged_error(path: Path) -> StorageDamagedError:
    """The error for a damaged file."""
    return StorageDamagedError(
        "File damaged",
        f"{path.name} is damaged and cannot be read.",
        "Open the project again: it is repaired then, as far as it can be read.",
    )


def newer_error(path: Path, found: int, known: int) -> StorageNewerError:
    """The error for a file of a newer version of the product."""
    return StorageNewerError(
        "Newer version",
        f"{path.name} was written by a newer version of PhaserGun "
        f"(format {found}; this version knows {known}).",
        "Start the newer version, or update this one.",
    )


def replaced_error(path: Path) -> StorageError:
    """The error for a database that has another file, or none, in its place while it is open."""
    return StorageError(
        "File replaced",
        f"{path.name} was moved away or replaced while this project was open.",
        "Close PhaserGun and open this project again.",
    )


def closed_error(path: Path) -> StorageError:
    """The error for a database that was closed while it was used, or before."""
    return StorageError(
        "Project closed", f"{path.name} has been closed.", "Open the project again."
    )


def _locked_error(path: Path) -> StorageLockedError:
    return StorageLockedError(
        "Database busy",
        f"Another program keeps {path.name} busy.",
        "Close other PhaserGun windows on this project, then try again.",
    )


def from_os_error(error: OSError, path: Path) -> StorageError:
    """Return the sentence for a failed file operation on ``path``."""
    if error.errno in _FULL:
        return full_error(path)
    if error.errno in _DENIED or isinstance(error, _WRONG_PLACE):
        return denied_error(path)
    return StorageError(
        "File not written",
        f"{path.name} could not be written or read ({error.strerror or type(error).__name__}).",
        "Check the disk and the connection to it, then try again.",
    )


def from_sqlite_error(error: sqlite3.Error, path: Path) -> StorageError | None:
    """Return the sentence for an SQLite error, or None where the error is a bug of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python's own, without a number: a column of text that is none.
        return damaged_error(path) if str(error).startswith("Could not decode") else None
    primary = code & 0xFF
    # SQLite's shared memory could not grow, which is how a full disk shows when a file is opened.
    if primary == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return full_error(path)
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return _locked_error(path)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged_error(path)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return denied_error(path)
    if primary == sqlite3.SQLITE_INTERRUPT:
        return closed_error(path)
    if primary == sqlite3.SQLITE_IOERR:
        return StorageDiskError(
            "Disk problem",
            f"The disk reported an error while {path.name} was read or written.",
            "Check the disk and the connection to it, then try again.",
        )
    return None


def is_damage(error: sqlite3.Error) -> bool:
    """Whether ``error`` comes of a damaged file, where statements that are known to be right
    failed: the disk can be written, has room and works, and nobody keeps the file busy."""
    translated = from_sqlite_error(error, Path())
    return translated is None or isinstance(translated, StorageDamagedError)


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about ``path`` into ``StorageError``; bugs of ours stay as they are."""
    try:
        yield
    except UnicodeDecodeError as error:
        # What SQLite has to say quotes a damaged name of a table, which Python cannot read.
        raise damaged_error(path) from error
    except sqlite3.Error as error:
        translated = from_sqlite_error(error, path)
        if translated is None:
            raise
        raise translated from error


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of file operations on ``path`` into ``StorageError``."""
    try:
        with sqlite_errors(path):
            yield
    except OSError as error:
        raise from_os_error(error, path) from error

"""Whole copies of a database beside it, one of each day and of each version that opened it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from phasergun_desktop.paths import private_file, private_folder, sync_folder
from phasergun_desktop.storage.problems import damaged_error, storage_errors

KEPT = 5
_FOLDER = "copies"
_UNFINISHED = "unfinished"
_TIME = "%Y%m%d-%H%M%S-%f"


class SafetyCopies:
    """The copies of the database ``path``. SQLite finds nothing wrong with one when it is made, and
    none is written again, so that later damage does not reach it."""

    def __init__(self, path: Path, form: int) -> None:
        """``form`` is the number of the product's migrations: a new one is a reason for a copy
        before anything is migrated."""
        self._path = path
        self._form = form
        self._folder = path.with_name(_FOLDER)

    def newest_first(self) -> tuple[Path, ...]:
        """Return the copies that are there."""
        found = self._folder.glob(f"{self._path.stem}-*{self._path.suffix}")
        return tuple(sorted(found, key=lambda copy: copy.name, reverse=True))

    def make_if_due(self, now: datetime) -> bool:
        """Copy the database unless there is a copy of the day ``now`` (UTC) by this version, and
        let go the oldest beyond ``KEPT``; return whether one was made.

        The whole database is read first: raises ``StorageDamagedError`` where it is not sound,
        ``StorageError`` where it cannot be copied.
        """
        today = [
            copy for copy in self._until(now)[:1] if copy.name.startswith(self._name(now, "%Y%m%d"))
        ]
        if today and today[0].stem.endswith(f"-{self._form}"):
            return False
        with storage_errors(self._path):
            if not self._path.is_file() or not self._path.stat().st_size:
                return False
            private_folder(self._folder)
            unfinished = self._folder / _UNFINISHED
            unfinished.unlink(missing_ok=True)
            private_file(unfinished)
            self._copy_to(unfinished)
            name = f"{self._name(now, _TIME)}-{self._form}{self._path.suffix}"
            unfinished.replace(self._folder / name)
            sync_folder(self._folder)
            for old in self._until(now)[KEPT:]:
                old.unlink(missing_ok=True)
        return True

    def _until(self, now: datetime) -> list[Path]:
        """Return the copies that were not made after ``now``, the last one first: those of a clock
        that was wrong must not take the places of new ones."""
        end = self._name(now, _TIME)
        return [copy for copy in self.newest_first() if copy.name[: len(end)] <= end]

    def _name(self, now: datetime, form: str) -> str:
        return f"{self._path.stem}-{now.strftime(form)}"

    def _copy_to(self, target: Path) -> None:
        # SQLite's own backup takes the pages as they are, with what is still in the write-ahead
        # log: a page of a copy can stand in the place of the same page of the database.
        with (
            closing(sqlite3.connect(self._path, isolation_level=None)) as source,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            if source.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise damaged_error(self._path)
            source.backup(copy)
            # One file, without a log of its own.
            copy.execute("PRAGMA journal_mode = DELETE")
        with target.open("r+b") as file:
            os.fsync(file.fileno())

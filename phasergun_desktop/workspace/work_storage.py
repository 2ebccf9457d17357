"""The database of what the user made in a project: drafts, their versions, and the activity log."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from phasergun_desktop.activity.anchor import AnchorFile, anchor_beside
from phasergun_desktop.activity.log import ActivityLog, create_activity
from phasergun_desktop.drafts.store import DraftStore, create_draft_versions, create_drafts
from phasergun_desktop.drafts.typed_prompts import create_typed_prompts
from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.atomic_files import move_aside
from phasergun_desktop.storage.database import Database, Migration, database_files
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.opening import open_unwritable
from phasergun_desktop.storage.problems import (
    UNWRITABLE,
    StorageDamagedError,
    denied_error,
    storage_errors,
)

# Append to this list, never change it.
WORK_MIGRATIONS: Sequence[Migration] = (
    create_activity,
    create_drafts,
    create_draft_versions,
    create_typed_prompts,
)
WORK_FILE = "work.db"
_LOCK_FILE = "work.lock"
_LOCK_WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class WorkStorage:
    """Drafts and log of one project in one database. ``warnings`` are sentences on what was not
    as it should be when it was opened."""

    database: Database
    drafts: DraftStore
    activity: ActivityLog
    warnings: tuple[str, ...] = ()

    def transaction(self) -> AbstractContextManager[Connection]:
        """Keep what is written inside all or not at all. Raises ``StorageError``."""
        return self.database.transaction()


def open_work(folder: Path, problem: StorageError | None = None) -> WorkStorage:
    """Open the database in ``folder``; for reading, where it cannot be written, as is known by
    ``problem`` or found out. Raises ``StorageError``.

    An empty file where there was work is never taken for a new one: it is kept aside.
    """
    path = folder / WORK_FILE
    anchor = anchor_beside(path)
    warnings: list[str] = []
    if anchor.is_damaged():
        warnings.append(_unknown_end(folder))
    try:
        if problem is not None:
            raise problem
        with storage_errors(path):
            database = _opened(path, anchor, warnings)
    except UNWRITABLE as found:
        database = open_unwritable(path, WORK_MIGRATIONS, found)
        warnings.append(f"Drafts and log can only be read: {found.message} {found.remedy}")
    activity = ActivityLog(database)
    try:
        lost = activity.lost_entries()
        if lost:
            warnings.insert(0, _lost(path, lost))
        elif not database.is_read_only:
            activity.note_end()
    except StorageDamagedError as damage:
        # The drafts may be whole, and the index is: whatever reads the damaged part says so.
        warnings.insert(0, f"{damage.message} {damage.remedy}")
    except BaseException:
        database.close()
        raise
    return WorkStorage(database, DraftStore(database), activity, tuple(warnings))


def _opened(path: Path, anchor: AnchorFile, warnings: list[str]) -> Database:
    if not _was_lost(path, anchor):
        return Database(path, WORK_MIGRATIONS, is_synced=True)
    with ProjectLock(path.with_name(_LOCK_FILE)) as lock:
        # Two windows may find the loss at once: the second has the database that the first made.
        if not lock.wait(_LOCK_WAIT_S):
            raise denied_error(path)
        if _was_lost(path, anchor) and any(each.exists() for each in database_files(path)):
            aside = move_aside(path, *database_files(path)[1:])
            warnings.append(f"{path.name} was empty; it is kept as {aside.name}.")
        return Database(path, WORK_MIGRATIONS, is_synced=True)


def _was_lost(path: Path, anchor: AnchorFile) -> bool:
    """Whether the file is absent or empty although there was work. SQLite would delete the
    write-ahead log of such a file, which may hold all that is left."""
    if _size(path) > 0:
        return False
    was_used = anchor.read().entries > 0 or anchor.is_damaged()
    return was_used or _size(database_files(path)[1]) > 0


def _size(path: Path) -> int:
    """Return the bytes of a file, 0 where there is none: another window may just move it."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _unknown_end(folder: Path) -> str:
    return (
        "The note of how many entries the activity log has is damaged: were some missing, "
        f"nothing would tell. Restore activity.json from a backup of {folder} to know it."
    )


def _lost(path: Path, lost: int) -> str:
    entries = "1 entry" if lost == 1 else f"{lost} entries"
    return (
        f"{path.name} is not the one that was written last: {entries} of the activity log and the "
        f"drafts of that time are missing. Restore it from a backup of {path.parent} to have them "
        "back."
    )

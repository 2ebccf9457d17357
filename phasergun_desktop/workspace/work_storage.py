"""The database of what the user made in a project: drafts, their versions, and the activity log."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from phasergun_desktop.activity.anchor import AnchorFile, anchor_beside
from phasergun_desktop.activity.log import ActivityLog, add_activity_texts, create_activity
from phasergun_desktop.conversations.conversation_store import (
    ConversationStore,
    create_conversations,
)
from phasergun_desktop.drafts.draft_store import DraftStore
from phasergun_desktop.drafts.draft_tables import (
    add_draft_digests,
    create_draft_trash,
    create_draft_versions,
    create_drafts,
)
from phasergun_desktop.drafts.typed_prompts import add_loaded_digests, create_typed_prompts
from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.atomic_files import move_aside
from phasergun_desktop.storage.database import (
    CHECKED_AT_OPEN_BYTES,
    Database,
    Migration,
    database_files,
    remove_database,
)
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import (
    UNWRITABLE,
    StorageDamagedError,
    damaged_error,
    denied_error,
    storage_errors,
)
from phasergun_desktop.storage.read_only_opening import open_unwritable
from phasergun_desktop.storage.safety_copies import SafetyCopies
from phasergun_desktop.workspace.work_salvage import Salvage, Saved, salvage_into

_log = logging.getLogger(__name__)

# Append to this list, never change it.
WORK_MIGRATIONS: Sequence[Migration] = (
    create_activity,
    create_drafts,
    create_draft_versions,
    create_typed_prompts,
    add_draft_digests,
    create_draft_trash,
    create_conversations,
    add_loaded_digests,
    add_activity_texts,
)
WORK_FILE = "work.db"
_LOCK_FILE = "work.lock"
_UNFINISHED, _SALVAGED = "work.db.unfinished", "work.db.salvaged"
SAVED_IN_WORDS = {
    Saved.WHOLE: "whole",
    Saved.EARLIER: "as they were earlier",
    Saved.DOUBTFUL: "with words that may have changed",
    Saved.LOST: "lost",
}
_LOCK_WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class WorkStorage:
    """Drafts, conversations and log of one project in one database. ``warnings`` are sentences on
    what was not as it should be when it was opened; ``salvage`` is what was saved where it was
    damaged."""

    database: Database
    drafts: DraftStore
    activity: ActivityLog
    warnings: tuple[str, ...] = ()
    salvage: Salvage | None = None

    @property
    def conversations(self) -> ConversationStore:
        """The conversations."""
        return ConversationStore(self.database)

    def transaction(self) -> AbstractContextManager[Connection]:
        """Keep what is written inside all or not at all. Raises ``StorageError``."""
        return self.database.transaction()


def open_work(folder: Path, problem: StorageError | None = None) -> WorkStorage:
    """Open the database in ``folder``; for reading, where it cannot be written, as is known by
    ``problem`` or found out. Raises ``StorageError``.

    One that is damaged, or empty where there was work, is kept aside, and what can be read of it
    and of its safety copies stands in a new one.
    """
    path = folder / WORK_FILE
    anchor = anchor_beside(path)
    warnings: list[str] = []
    salvage: Salvage | None = None
    if anchor.is_damaged():
        warnings.append(_unknown_end(folder))
    try:
        if problem is not None:
            raise problem
        with storage_errors(path):
            database, salvage = _opened(path, anchor)
        if salvage is not None:
            warnings.append(salvage_in_words(salvage, path.name))
    except UNWRITABLE as found:
        database = open_unwritable(path, WORK_MIGRATIONS, found)
        warnings.append(f"Drafts and log can only be read: {found.message} {found.remedy}")
    activity = ActivityLog(database)
    try:
        lost = activity.lost_entries()
        if lost:
            # What became of the drafts is told by the salvage.
            has_drafts = salvage is not None and bool(salvage.drafts)
            warnings.insert(0, _lost_entries(lost) if has_drafts else _lost(path, lost))
        elif not database.is_read_only:
            activity.note_end()
    except StorageDamagedError as damage:
        # The drafts may be whole, and the index is: whatever reads the damaged part says so.
        warnings.insert(0, f"{damage.message} {damage.remedy}")
    except BaseException:
        database.close()
        raise
    return WorkStorage(database, DraftStore(database), activity, tuple(warnings), salvage)


def _opened(path: Path, anchor: AnchorFile) -> tuple[Database, Salvage | None]:
    copies = SafetyCopies(path, len(WORK_MIGRATIONS))
    if not _was_lost(path, anchor, copies):
        with suppress(StorageDamagedError):
            return _sound(path, copies), None
    with ProjectLock(path.with_name(_LOCK_FILE)) as lock:
        # Two windows may find the damage at once: the second has the database of the first.
        if not lock.wait(_LOCK_WAIT_S):
            raise denied_error(path)
        # Made whole by one that was killed before it took its place.
        made = path.with_name(_SALVAGED)
        if made.exists() and not path.exists():
            made.replace(path)
        if not _was_lost(path, anchor, copies):
            with suppress(StorageDamagedError):
                return _sound(path, copies), None
        salvage = _salvaged(path, copies)
        return Database(path, WORK_MIGRATIONS, is_synced=True), salvage


def _sound(path: Path, copies: SafetyCopies) -> Database:
    """Open a database that is whole. Raises ``StorageDamagedError`` for another."""
    try:
        # Before anything is migrated.
        copies.make_if_due(datetime.now(UTC))
    except StorageDamagedError:
        raise
    except StorageError as error:
        # Work goes on without one; a full disk says so at the first save.
        _log.warning("No safety copy was made: %s", error.title)
    database = Database(path, WORK_MIGRATIONS, is_synced=True)
    try:
        is_small = path.stat().st_size <= CHECKED_AT_OPEN_BYTES
        if is_small and (database.damage() or ConversationStore(database).is_damaged()):
            raise damaged_error(path)
        if DraftStore(database).is_damaged():
            raise damaged_error(path)
    except BaseException:
        database.close()
        raise
    return database


def _salvaged(path: Path, copies: SafetyCopies) -> Salvage | None:
    """Put a new database in the place of a damaged or lost one; return what was saved, None where
    there was nothing to save it from."""
    unfinished, made = path.with_name(_UNFINISHED), path.with_name(_SALVAGED)
    remove_database(unfinished)
    with Database(unfinished, WORK_MIGRATIONS, is_synced=True) as target:
        drafts, lost_turns = salvage_into(target, path, copies.newest_first())
        # All in one file, so that it can change its name.
        target.connection().execute("PRAGMA journal_mode = DELETE")
    unfinished.replace(made)
    was_there = any(each.exists() for each in database_files(path))
    aside = move_aside(path, *database_files(path)[1:]).name if was_there else ""
    made.replace(path)
    return Salvage(drafts, aside, lost_turns) if was_there or drafts else None


def _was_lost(path: Path, anchor: AnchorFile, copies: SafetyCopies) -> bool:
    """Whether the file is absent or empty although there was work. SQLite would delete the
    write-ahead log of such a file, which may hold all that is left."""
    if _size(path) > 0:
        return False
    was_used = anchor.read().entries > 0 or anchor.is_damaged() or bool(copies.newest_first())
    return was_used or _size(database_files(path)[1]) > 0


def _size(path: Path) -> int:
    """Return the bytes of a file, 0 where there is none: another window may just move it."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def salvage_in_words(salvage: Salvage, name: str) -> str:
    """Return a sentence on what was saved of the file ``name``, and where it is."""
    parts = [
        f"{salvage.count(saved)} {words}"
        for saved, words in SAVED_IN_WORDS.items()
        if salvage.count(saved)
    ]
    became = f" Of its drafts: {', '.join(parts)}." if parts else " No draft could be read in it."
    turns = salvage.lost_turns
    lost = f" Answers lost of its conversations: {turns}." if turns else ""
    kept = f" The damaged file is kept as {salvage.aside}." if salvage.aside else ""
    return f"{name} was {'damaged' if salvage.aside else 'gone'}.{became}{lost}{kept}"


def _unknown_end(folder: Path) -> str:
    return (
        "The note of how many entries the activity log has is damaged: were some missing, "
        f"nothing would tell. Restore activity.json from a backup of {folder} to know it."
    )


def _lost_entries(lost: int) -> str:
    return f"{_entries(lost)} of the activity log could not be brought back."


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _lost(path: Path, lost: int) -> str:
    return (
        f"{path.name} is not the one that was written last: {_entries(lost)} of the activity log "
        f"and the drafts of that time are missing. Restore it from a backup of "
        f"{path.parent} to have them back."
    )

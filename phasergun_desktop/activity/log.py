"""The append-only log in a project's work database, each entry chained to the one before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from phasergun_desktop.activity.anchor import Anchor, anchor_beside
from phasergun_desktop.activity.chain import ChainedRow, chain_hash, verify_rows
from phasergun_desktop.activity.codec import decode_entry, divide
from phasergun_desktop.activity.entry_filter import EVERY_ENTRY, EntryFilter
from phasergun_desktop.activity.model import (
    Activity,
    ActivityEntry,
    ActivityKind,
    Removed,
    VerifyResult,
)
from phasergun_desktop.activity.retention import checkpoint_for
from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.database import Database, execute_script
from phasergun_desktop.storage.problems import StorageDamagedError

ACTIVITY_COLUMNS = ("number", "at", "kind", "body", "previous", "hash", "texts")
_SELECT = (
    "SELECT number, CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB),"
    " CAST(previous AS BLOB), CAST(hash AS BLOB), CAST(texts AS BLOB) FROM activity "
)
_NO_UPDATE = """
CREATE TRIGGER activity_no_update BEFORE UPDATE ON activity BEGIN
    SELECT RAISE(ABORT, 'the activity log is append-only');
END;
"""
_NO_DELETE = """
CREATE TRIGGER activity_no_delete BEFORE DELETE ON activity BEGIN
    SELECT RAISE(ABORT, 'the activity log is append-only');
END;
"""


def create_activity(connection: sqlite3.Connection) -> None:
    """Migration: the log's table, which SQLite itself keeps append-only.

    AUTOINCREMENT remembers the last number given, so that an end cut off is noticed.
    """
    execute_script(
        connection,
        """
        CREATE TABLE activity (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            previous TEXT NOT NULL,
            hash TEXT NOT NULL
        );
        CREATE INDEX activity_by_kind ON activity (kind, number);
        CREATE TRIGGER activity_no_update BEFORE UPDATE ON activity BEGIN
            SELECT RAISE(ABORT, 'the activity log is append-only');
        END;
        CREATE TRIGGER activity_no_delete BEFORE DELETE ON activity BEGIN
            SELECT RAISE(ABORT, 'the activity log is append-only');
        END;
        CREATE TRIGGER activity_no_insert_between BEFORE INSERT ON activity
        WHEN NEW.number <= (SELECT coalesce(max(number), 0) FROM activity) AND NEW.number > 0
        BEGIN
            SELECT RAISE(ABORT, 'the activity log is append-only');
        END;
        """,
    )


def add_activity_texts(connection: sqlite3.Connection) -> None:
    """Migration: texts apart from what is chained; earlier entries keep theirs inside."""
    connection.execute("ALTER TABLE activity ADD COLUMN texts TEXT")


class ActivityLog:
    """Appends, reads and verifies. Safe to use from several threads and processes.

    The chain proves that no entry was changed, taken out or slipped in by someone who does not
    also rewrite everything after it. The anchor, which lies beside the database, proves that
    the database is the one that was written last, and that its end is there.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._anchor = anchor_beside(database.path)

    def append(self, activity: Activity) -> ActivityEntry:
        """Write an entry; on the disk when this returns, or when the transaction around it ends.
        Raises ``StorageError``.

        After entries that were lost the numbers go on from the last one given: the gap stays.
        """
        body, texts = divide(activity)
        with self._database.transaction() as connection:
            # What is removed later, or moved to another page, is written over.
            connection.execute("PRAGMA secure_delete = ON")
            last = self._end(connection)
            number = last.entries + 1
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            chained = (each.encode() for each in (at, activity.kind.value, body))
            digest = chain_hash(last.hash.encode(), number, *chained).decode()
            connection.execute(
                "INSERT INTO activity (number, at, kind, body, previous, hash, texts)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, at, activity.kind.value, body, last.hash, digest, texts),
            )
            self._database.after_commit(lambda: self._anchor.write(Anchor(number, digest)))
        return ActivityEntry(number, at, decode_entry(body, texts), last.hash, digest)

    def entries(
        self, limit: int | None = None, wanted: EntryFilter = EVERY_ENTRY
    ) -> tuple[ActivityEntry, ...]:
        """The newest entries that are ``wanted``, newest first; all of them without ``limit``.

        Raises ``StorageDamagedError`` when an entry cannot be read, naming it.
        """
        condition, values = wanted.condition()
        most = -1 if limit is None else max(limit, 0)
        which = f"WHERE {condition} ORDER BY number DESC LIMIT ?"
        with self._database.reading() as connection:
            return tuple(_entry(row) for row in _rows(connection, which, (*values, most)))

    def chain(self, wanted: EntryFilter = EVERY_ENTRY) -> tuple[ChainedRow, ...]:
        """Return the entries that are ``wanted`` as they are stored, the first one first."""
        condition, values = wanted.condition()
        with self._database.reading() as connection:
            return tuple(_rows(connection, f"WHERE {condition} ORDER BY number", values))

    def verify(self) -> VerifyResult:
        """Read the whole log and check every hash, the numbers, the end and the anchor."""
        # Before the rows: another process may append meanwhile.
        anchor = self._anchor.read()
        with self._database.reading() as connection:
            given = _last_given(connection)
            rows = _rows(connection, "ORDER BY number")
            return verify_rows(rows, anchor, given, needs_texts=True)

    def older_than(self, day: str) -> int:
        """Return how many entries, from the first one on, are from before ``day`` (ISO 8601)."""
        with self._database.reading() as connection:
            return len(_older(connection, day))

    def remove_older_than(self, day: str, project: str) -> ActivityEntry | None:
        """Remove the first entries that are from before ``day``, and append the checkpoint that
        stands for them; None where there are none.

        Raises ``StorageError``, also where the chain is broken: what is left must tell where.
        """
        self._require_whole()
        with self._database.transaction() as connection:
            gone = [_entry(row) for row in _older(connection, day)]
            if not gone:
                return None
            kind = (ActivityKind.CHECKPOINT.value,)
            marks = list(_rows(connection, "WHERE kind = ? ORDER BY number DESC", kind))
            told = (_entry(row).activity.removed for row in marks)
            before = next(filter(None, told), Removed(0, "", 0))
            entry = self.append(checkpoint_for(gone, before, project))
            connection.execute("DROP TRIGGER activity_no_delete")
            connection.execute("DELETE FROM activity WHERE number <= ?", (gone[-1].number,))
            execute_script(connection, _NO_DELETE)
        self._database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return entry

    def texts_older_than(self, day: str) -> int:
        """Return of how many entries from before ``day`` the texts can be removed; those of the
        earlier form lose theirs only with the entry."""
        with self._database.reading() as connection:
            return sum(row.texts is not None for row in _older(connection, day))

    def remove_texts_older_than(self, day: str, project: str) -> ActivityEntry | None:
        """Remove the texts of the entries from before ``day``, whose digest stays in the chain, and
        append the checkpoint that says so; None where there are none. Raises ``StorageError``, as
        ``remove_older_than`` does."""
        self._require_whole()
        with self._database.transaction() as connection:
            older = [row.number for row in _older(connection, day) if row.texts is not None]
            if not older:
                return None
            entry = self.append(
                Activity(
                    ActivityKind.CHECKPOINT,
                    status="complete",
                    project=project,
                    texts_upto=older[-1],
                )
            )
            connection.execute("DROP TRIGGER IF EXISTS activity_no_update")
            connection.execute("UPDATE activity SET texts = NULL WHERE number <= ?", older[-1:])
            execute_script(connection, _NO_UPDATE)
        self._database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return entry

    def _require_whole(self) -> None:
        result = self.verify()
        if not result.ok:
            raise StorageError(
                "Nothing was removed",
                result.in_words(),
                "Export the log first: what is removed could not be told from what is missing.",
            )

    def lost_entries(self) -> int:
        """Return how many entries the anchor knows of and the database has not; 0 also where they
        are missing since an earlier start, or damaged, which only ``verify`` tells."""
        anchor = self._anchor.read()
        with self._database.reading() as connection:
            if _has_entry(connection, anchor):
                return 0
            row = connection.execute("SELECT max(number) FROM activity").fetchone()
        # A log of another origin may have as many entries: none of them is one of those.
        lost = anchor.entries - (row[0] or 0)
        return lost if lost > 0 else anchor.entries

    def note_end(self) -> None:
        """Bring the anchor up to a log that a kill, or an older version, left ahead of it."""
        anchor = self._anchor.read()
        with self._database.reading() as connection:
            end = _last(connection)
            is_ahead = end.entries > anchor.entries and _has_entry(connection, anchor)
        if is_ahead:
            self._anchor.write(end)

    def _end(self, connection: sqlite3.Connection) -> Anchor:
        """Return the last entry that was ever given a number; inside a transaction, so that no
        entry is on the disk that the database lacks."""
        last, anchor = _last(connection), self._anchor.read()
        entries = max(last.entries, _last_given(connection), anchor.entries)
        return Anchor(entries, anchor.hash if anchor.entries > last.entries else last.hash)


def put_entries(
    connection: sqlite3.Connection, found: Sequence[Mapping[int, Sequence[object]]]
) -> None:
    """Write into an empty log the entries of several forms of one log: each by its number, from
    the first form that has it sound, else as it is. Numbers that no form has stay a gap, and what
    was changed stays so: ``verify`` tells both. What a checkpoint stands for stays removed, and so
    do texts."""
    chosen: dict[int, ChainedRow] = {}
    for number in sorted({number for form in found for number in form}):
        forms = [_stored_row(number, form[number]) for form in found if number in form]
        chosen[number] = next((each for each in forms if each.is_sound), forms[0])
    marks = [removal for row in chosen.values() for removal in _removals(row)]
    upto = max((each for each, _ in marks), default=0)
    texts_upto = max((each for _, each in marks), default=0)
    for number, row in chosen.items():
        if number > upto:
            texts = row.texts if number > texts_upto else None
            connection.execute(
                "INSERT INTO activity (number, at, kind, body, previous, hash, texts) VALUES"
                " (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),"
                " CAST(? AS TEXT), CAST(? AS TEXT))",
                (number, row.at, row.kind, row.body, row.previous, row.hash, texts),
            )


def _stored_row(number: int, values: Sequence[object]) -> ChainedRow:
    *columns, texts = (each if isinstance(each, bytes) else None for each in values[1:])
    at, kind, body, previous, digest = (each or b"" for each in columns)
    return ChainedRow(number, at, kind, body, previous, digest, texts)


def _removals(row: ChainedRow) -> Iterator[tuple[int, int]]:
    """Yield, for a checkpoint, up to which numbers entries and texts were removed."""
    if row.kind == ActivityKind.CHECKPOINT.value.encode() and row.is_sound:
        activity = _entry(row).activity
        yield activity.removed.upto if activity.removed else 0, activity.texts_upto


def _older(connection: sqlite3.Connection, day: str) -> list[ChainedRow]:
    """Return the entries before the first one that is from ``day`` or later."""
    which = (
        "WHERE number < coalesce((SELECT min(number) FROM activity WHERE at >= ?), 1 << 62)"
        " ORDER BY number"
    )
    return list(_rows(connection, which, (day,)))


def _rows(
    connection: sqlite3.Connection, which: str, values: Sequence[object] = ()
) -> Iterator[ChainedRow]:
    for number, *columns, texts in connection.execute(_SELECT + which, values):
        at, kind, body, previous, digest = (each or b"" for each in columns)
        yield ChainedRow(number, at, kind, body, previous, digest, texts)


def _last(connection: sqlite3.Connection) -> Anchor:
    # A damaged hash breaks the chain, which ``verify`` tells; the log goes on all the same.
    rows = _rows(connection, "ORDER BY number DESC LIMIT 1")
    return next((Anchor(row.number, _text(row.hash)) for row in rows), Anchor())


def _has_entry(connection: sqlite3.Connection, anchor: Anchor) -> bool:
    """Whether the entry that ``anchor`` names is there, be it damaged: one of another origin is
    sound in itself."""
    rows = tuple(_rows(connection, "WHERE number = ?", (anchor.entries,)))
    if not rows:
        return anchor == Anchor()
    return _text(rows[0].hash) == anchor.hash or not rows[0].is_sound


def _last_given(connection: sqlite3.Connection) -> int:
    row = connection.execute(
        "SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'activity'"
    ).fetchone()
    return int(row[0] or 0) if row else 0


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _entry(row: ChainedRow) -> ActivityEntry:
    """Raises ``StorageDamagedError`` for an entry that cannot be read."""
    try:
        texts = None if row.texts is None else row.texts.decode("utf-8")
        activity = decode_entry((row.body or b"").decode("utf-8"), texts)
    except ValueError as error:
        raise StorageDamagedError(
            "Log entry damaged",
            f"Entry {row.number} of the activity log is damaged and cannot be read.",
            "The drafts are not affected; restore the file work.db of the project from a backup "
            "to read the log again.",
        ) from error
    return ActivityEntry(row.number, _text(row.at), activity, _text(row.previous), _text(row.hash))

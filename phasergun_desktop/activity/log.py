"""The append-only log in a project's work database, each entry chained to the one before."""

from __future__ import annotations

import hashlib
import sqlite3
from datetime import UTC, datetime

from phasergun_desktop.activity.anchor import START_HASH, Anchor, anchor_beside
from phasergun_desktop.activity.codec import decode_activity, encode_activity
from phasergun_desktop.activity.model import (
    Activity,
    ActivityEntry,
    ActivityKind,
    VerifyResult,
)
from phasergun_desktop.storage.database import Database, execute_script
from phasergun_desktop.storage.problems import StorageDamagedError


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
        body = encode_activity(activity)
        with self._database.transaction() as connection:
            last = self._end(connection)
            number = last.entries + 1
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            chained = (each.encode() for each in (at, activity.kind.value, body))
            digest = _hash(last.hash.encode(), number, *chained).decode()
            connection.execute(
                "INSERT INTO activity (number, at, kind, body, previous, hash)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (number, at, activity.kind.value, body, last.hash, digest),
            )
            self._database.after_commit(lambda: self._anchor.write(Anchor(number, digest)))
        return ActivityEntry(number, at, decode_activity(body), last.hash, digest)

    def entries(
        self, limit: int | None = None, kind: ActivityKind | None = None
    ) -> tuple[ActivityEntry, ...]:
        """The newest entries, newest first; all of them without ``limit``.

        Raises ``StorageDamagedError`` when an entry cannot be read, naming it.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT number, CAST(at AS BLOB), CAST(body AS BLOB), CAST(previous AS BLOB),"
                " CAST(hash AS BLOB) FROM activity"
                " WHERE (?1 IS NULL OR kind = ?1) ORDER BY number DESC LIMIT ?2",
                (kind.value if kind else None, -1 if limit is None else max(limit, 0)),
            ).fetchall()
        return tuple(
            ActivityEntry(
                number, _text(at), _readable(number, body), _text(previous), _text(digest)
            )
            for number, at, body, previous, digest in rows
        )

    def verify(self) -> VerifyResult:
        """Read the whole log and check every hash, the numbers, the end and the anchor."""
        # Before the rows: another process may append meanwhile.
        anchor = self._anchor.read()
        first_bad: int | None = None
        last, previous, checked, missing = 0, START_HASH.encode(), 0, 0
        with self._database.reading() as connection:
            rows = connection.execute(
                # As bytes: text that is none must be told, not stop the reading.
                "SELECT number, CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB),"
                " CAST(previous AS BLOB), CAST(hash AS BLOB) FROM activity ORDER BY number"
            )
            for number, at, kind, body, stated, digest in rows:
                if number != last + 1:
                    first_bad = first_bad or last + 1
                    missing += max(number - last - 1, 0)
                    previous = stated
                is_sound = stated == previous and digest == _hash(stated, number, at, kind, body)
                if not is_sound or (number == anchor.entries and _text(digest) != anchor.hash):
                    return VerifyResult(False, first_bad or number, checked, missing)
                last, previous, checked = number, digest, checked + 1
            given = max(_last_given(connection), anchor.entries)
        if given > last:
            first_bad = first_bad or last + 1
            missing += given - last
        return VerifyResult(first_bad is None, first_bad, checked, missing)

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


def _last(connection: sqlite3.Connection) -> Anchor:
    row = connection.execute(
        "SELECT number, CAST(hash AS BLOB) FROM activity ORDER BY number DESC LIMIT 1"
    ).fetchone()
    # A damaged hash breaks the chain, which ``verify`` tells; the log goes on all the same.
    return Anchor() if row is None else Anchor(int(row[0]), _text(row[1]))


def _has_entry(connection: sqlite3.Connection, anchor: Anchor) -> bool:
    """Whether the entry that ``anchor`` names is there, be it damaged.

    An entry of another origin bears out its own hash; a damaged one does not.
    """
    row = connection.execute(
        "SELECT CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB), CAST(previous AS BLOB),"
        " CAST(hash AS BLOB) FROM activity WHERE number = ?",
        (anchor.entries,),
    ).fetchone()
    if row is None:
        return anchor == Anchor()
    at, kind, body, previous, digest = row
    is_sound = digest == _hash(previous, anchor.entries, at, kind, body)
    return _text(digest) == anchor.hash or not is_sound


def _last_given(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'activity'").fetchone()
    return int(row[0]) if row else 0


def _hash(previous: bytes, number: int, *entry: bytes) -> bytes:
    chained = (previous, str(number).encode(), *entry)
    return hashlib.sha256(b"\n".join(chained)).hexdigest().encode()


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _readable(number: int, body: bytes) -> Activity:
    try:
        return decode_activity(body.decode("utf-8"))
    except ValueError as error:
        raise StorageDamagedError(
            "Log entry damaged",
            f"Entry {number} of the activity log is damaged and cannot be read.",
            "The drafts are not affected; restore the file work.db of the project from a backup "
            "to read the log again.",
        ) from error

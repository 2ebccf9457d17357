"""The append-only log in a project's work database, each entry chained to the one before."""

from __future__ import annotations

import hashlib
import sqlite3
from datetime import UTC, datetime

from phasergun_desktop.activity.codec import decode_activity, encode_activity
from phasergun_desktop.activity.model import (
    Activity,
    ActivityEntry,
    ActivityKind,
    VerifyResult,
)
from phasergun_desktop.storage.database import Database, execute_script
from phasergun_desktop.storage.problems import StorageDamagedError

_START = "0" * 64


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
    also rewrite everything after it; ``head()`` can be noted elsewhere to prove that too.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, activity: Activity) -> ActivityEntry:
        """Write an entry; on the disk when this returns. Raises ``StorageError``."""
        body = encode_activity(activity)
        with self._database.transaction() as connection:
            last = _last(connection)
            number = last[0] + 1
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            chained = (last[1], str(number), at, activity.kind.value, body)
            digest = _hash(*(text.encode("utf-8") for text in chained))
            connection.execute(
                "INSERT INTO activity (number, at, kind, body, previous, hash)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (number, at, activity.kind.value, body, last[1], digest),
            )
        return ActivityEntry(number, at, decode_activity(body), last[1], digest)

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

    def head(self) -> str:
        """The hash of the last entry, which stands for the whole log; zeros when it is empty."""
        with self._database.reading() as connection:
            return _last(connection)[1]

    def verify(self) -> VerifyResult:
        """Read the whole log and check every hash, the numbers and the end."""
        checked, previous = 0, _START.encode()
        with self._database.reading() as connection:
            rows = connection.execute(
                # As bytes: text that is none must be told, not stop the reading.
                "SELECT number, CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB),"
                " CAST(previous AS BLOB), CAST(hash AS BLOB) FROM activity ORDER BY number"
            )
            for number, at, kind, body, stated, digest in rows:
                expected = checked + 1
                if number != expected:
                    return VerifyResult(ok=False, first_bad=expected, checked=checked)
                expected_hash = _hash(previous, str(number).encode(), at, kind, body).encode()
                if stated != previous or digest != expected_hash:
                    return VerifyResult(ok=False, first_bad=number, checked=checked)
                checked, previous = number, digest
            if _last_given(connection) > checked:
                return VerifyResult(ok=False, first_bad=checked + 1, checked=checked)
        return VerifyResult(ok=True, checked=checked)


def _last(connection: sqlite3.Connection) -> tuple[int, str]:
    row = connection.execute(
        "SELECT number, CAST(hash AS BLOB) FROM activity ORDER BY number DESC LIMIT 1"
    ).fetchone()
    # After a cut end the numbers go on from the last one given: the gap stays visible.
    given = _last_given(connection)
    if row is None:
        return given, _START
    # A damaged hash breaks the chain, which ``verify`` tells; the log goes on all the same.
    return max(int(row[0]), given), _text(row[1])


def _last_given(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'activity'").fetchone()
    return int(row[0]) if row else 0


def _hash(*chained: bytes) -> str:
    return hashlib.sha256(b"\n".join(chained)).hexdigest()


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

"""The append-only log in a project's work database, each entry chained to the one before."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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

ACTIVITY_COLUMNS = ("number", "at", "kind", "body", "previous", "hash")
_SELECT = (
    "SELECT number, CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB),"
    " CAST(previous AS BLOB), CAST(hash AS BLOB) FROM activity "
)


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
            rows = tuple(
                _rows(
                    connection,
                    "WHERE (?1 IS NULL OR kind = ?1) ORDER BY number DESC LIMIT ?2",
                    (kind.value if kind else None, -1 if limit is None else max(limit, 0)),
                )
            )
        return tuple(
            ActivityEntry(
                row.number,
                _text(row.at),
                _readable(row.number, row.body),
                _text(row.previous),
                _text(row.hash),
            )
            for row in rows
        )

    def verify(self) -> VerifyResult:
        """Read the whole log and check every hash, the numbers, the end and the anchor."""
        # Before the rows: another process may append meanwhile.
        anchor = self._anchor.read()
        first_bad: int | None = None
        last, previous, checked, missing = 0, START_HASH.encode(), 0, 0
        with self._database.reading() as connection:
            for row in _rows(connection, "ORDER BY number"):
                if row.number != last + 1:
                    first_bad = first_bad or last + 1
                    missing += max(row.number - last - 1, 0)
                    previous = row.previous
                is_noted = row.number != anchor.entries or _text(row.hash) == anchor.hash
                if not (row.is_sound and row.previous == previous and is_noted):
                    return VerifyResult(False, first_bad or row.number, checked, missing)
                last, previous, checked = row.number, row.hash, checked + 1
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


def put_entries(
    connection: sqlite3.Connection, found: Sequence[Mapping[int, Sequence[object]]]
) -> None:
    """Write into an empty log the entries of several forms of one log: each by its number, from
    the first form that has it sound, else as it is. Numbers that no form has stay a gap, and what
    was changed stays so: ``verify`` tells both."""
    for number in sorted({number for form in found for number in form}):
        forms = [
            _Row(number, *(each if isinstance(each, bytes) else b"" for each in form[number][1:]))
            for form in found
            if number in form
        ]
        row = next((each for each in forms if each.is_sound), forms[0])
        connection.execute(
            "INSERT INTO activity (number, at, kind, body, previous, hash) VALUES"
            " (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),"
            " CAST(? AS TEXT))",
            (number, row.at, row.kind, row.body, row.previous, row.hash),
        )


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry as it is stored: bytes, since text that is none must be told, not stop the
    reading. What a damaged row lacks altogether is empty."""

    number: int
    at: bytes
    kind: bytes
    body: bytes
    previous: bytes
    hash: bytes

    @property
    def is_sound(self) -> bool:
        """Whether the entry bears out its own hash."""
        return self.hash == _hash(self.previous, self.number, self.at, self.kind, self.body)


def _rows(
    connection: sqlite3.Connection, which: str, values: Sequence[object] = ()
) -> Iterator[_Row]:
    for number, *columns in connection.execute(_SELECT + which, values):
        yield _Row(number, *(each or b"" for each in columns))


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

"""Conversations in a project's work database, a row for each turn and each numbered source."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from phasergun_desktop.conversations.model import (
    Conversation,
    ConversationSummary,
    Question,
    Turn,
    TurnStatus,
)
from phasergun_desktop.conversations.turn_codec import turn_from_json, turn_to_json
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.footnote_codec import decode_footnote, encode_footnote
from phasergun_desktop.grounding.footnotes import EarlierFootnotes
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.row_digests import row_digest, storable

# The columns of each table behind its number; ``digest``, the last one, covers the others.
CONVERSATION_TABLES = {
    "conversations": ("conversation_id", "title", "created", "modified", "digest"),
    "turns": ("conversation_id", "number", "asked", "question", "answer", "body", "digest"),
    "cited": ("conversation_id", "number", "body", "digest"),
}
MOST_TURNS = 500
_LONGEST_TITLE = 80
_DAMAGED = "This turn was damaged on the disk and cannot be read. Ask the question again."


def create_conversations(connection: sqlite3.Connection) -> None:
    """Migration: conversations, their turns, and the sources that have a number in them."""
    # In few bytes: a damaged page costs least while the schema has its place on the first one.
    key = "id INTEGER PRIMARY KEY AUTOINCREMENT,conversation_id TEXT NOT NULL"
    columns = {
        "conversations": f"{key} UNIQUE,title TEXT,created TEXT,modified TEXT,digest TEXT",
        "turns": f"{key},number INTEGER,asked TEXT,question TEXT,answer TEXT,body TEXT,digest TEXT,"
        "UNIQUE(conversation_id,number)",
        "cited": f"{key},number INTEGER,body TEXT,digest TEXT,UNIQUE(conversation_id,number)",
    }
    for table, described in columns.items():
        connection.execute(f"CREATE TABLE {table}({described})")


class ConversationStore:
    """Keeps conversations. Safe to use from several threads; each call is one short transaction
    and raises ``StorageError``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, conversation_id: str, question: str) -> None:
        """Begin a conversation; its title is its first question, shortened."""
        now = time_now()
        values = (conversation_id, title_of(question), now, now)
        with self._database.transaction() as connection:
            put_row(connection, "conversations", values)

    def list(self) -> tuple[ConversationSummary, ...]:
        """Return every conversation without its turns, the one that was asked last first."""
        return self._summaries("", ())

    def search(self, words: str) -> tuple[ConversationSummary, ...]:
        """Return the conversations in which every one of ``words`` stands, in the title, a question
        or an answer."""
        wanted = words.casefold().split()
        stands = (
            "(instr(c.folded, ?) OR EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id ="
            " c.conversation_id AND (instr(t.question, ?) OR instr(t.answer, ?))))"
        )
        where = " AND ".join([stands] * len(wanted))
        values = [storable(word) for word in wanted for _ in range(3)]
        return self._summaries(f"WHERE {where}" if wanted else "", values)

    def load(self, conversation_id: str) -> Conversation:
        """Return a conversation with its last ``MOST_TURNS`` turns; ``StorageError`` when it is not
        there. A turn that is not what was written says so, and the others are there."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT title, created, modified FROM conversations WHERE conversation_id = ?",
                (conversation_id,),
            ).fetchone()
            if row is None:
                raise _unknown()
            rows = connection.execute(
                f"SELECT number, {_as_bytes('turns')} FROM turns WHERE conversation_id = ?"  # noqa: S608
                " ORDER BY number DESC LIMIT ?",
                (conversation_id, MOST_TURNS),
            ).fetchall()
            (total,) = connection.execute(
                "SELECT count(*) FROM turns WHERE conversation_id = ?", (conversation_id,)
            ).fetchone()
        turns = tuple(_turn(number, each) for number, *each in reversed(rows))
        title, created, modified = row
        return Conversation(conversation_id, title, created, modified, turns, total - len(turns))

    def cited(self, conversation_id: str) -> EarlierFootnotes:
        """Return every source that has a number in a conversation."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT number, {_as_bytes('cited')} FROM cited WHERE conversation_id = ?"  # noqa: S608
                " ORDER BY number",
                (conversation_id,),
            ).fetchall()
        notes: list[Footnote] = []
        for _, *values, digest in rows:
            # The number of one that is damaged is not given to another.
            if row_digest(values).encode() == digest:
                with suppress(ValueError):
                    notes.append(decode_footnote(json.loads(values[2])))
        return EarlierFootnotes(tuple(notes), max((row[0] for row in rows), default=0))

    def start(self, conversation_id: str, turn: Turn, again: int = 0) -> Turn:
        """Keep a turn before its answer begins; return it with its number. ``again`` takes the
        place of that turn and removes those after it."""
        with self._database.transaction() as connection:
            if again:
                connection.execute(
                    "DELETE FROM turns WHERE conversation_id = ? AND number >= ?",
                    (conversation_id, again),
                )
            (last,) = connection.execute(
                "SELECT coalesce(max(number), 0) FROM turns WHERE conversation_id = ?",
                (conversation_id,),
            ).fetchone()
            turn = replace(turn, number=again or int(last) + 1)
            put_row(connection, "turns", _values(conversation_id, turn))
            self._touch(connection, conversation_id)
        return turn

    def finish(self, conversation_id: str, turn: Turn) -> None:
        """Keep what became of a turn, and the numbers of its sources; without effect where it was
        deleted meanwhile."""
        *_, answer, body = values = _values(conversation_id, turn)
        with self._database.transaction() as connection:
            is_there = connection.execute(
                "UPDATE turns SET answer = ?, body = ?, digest = ? WHERE conversation_id = ?"
                " AND number = ? AND asked = ?",
                (answer, body, row_digest(values), conversation_id, turn.number, turn.asked),
            ).rowcount
            if not is_there:
                return
            for note in turn.footnotes:
                encoded = json.dumps(encode_footnote(note))
                put_row(connection, "cited", (conversation_id, note.number, encoded))
            self._touch(connection, conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title; an empty one changes nothing."""
        title = title_of(title)
        if not title:
            return
        with self._database.transaction() as connection:
            self._change(connection, conversation_id, title=title)

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation for good; without effect when it is not there."""
        with self._database.transaction() as connection:
            for table in CONVERSATION_TABLES:
                connection.execute(
                    f"DELETE FROM {table} WHERE conversation_id = ?",  # noqa: S608
                    (conversation_id,),
                )

    def is_damaged(self) -> bool:
        """Whether a row is not the one that was written. Raises ``StorageDamagedError`` where
        SQLite cannot read them."""
        with self._database.reading() as connection:
            return any(
                row_digest(values).encode() != digest
                for table in CONVERSATION_TABLES
                for *values, digest in connection.execute(
                    f"SELECT {_as_bytes(table)} FROM {table}"  # noqa: S608
                )
            )

    def _summaries(self, where: str, values: Sequence[str]) -> tuple[ConversationSummary, ...]:
        with self._database.reading() as connection:
            connection.create_function("folded", 1, str.casefold, deterministic=True)
            rows = connection.execute(
                "SELECT c.conversation_id, c.title, c.modified, (SELECT count(*) FROM turns t"  # noqa: S608
                " WHERE t.conversation_id = c.conversation_id) FROM (SELECT *, folded(title) AS"
                f" folded FROM conversations) c {where} ORDER BY c.modified DESC, c.id DESC",
                values,
            ).fetchall()
        return tuple(ConversationSummary(*row) for row in rows)

    def _touch(self, connection: sqlite3.Connection, conversation_id: str) -> None:
        self._change(connection, conversation_id)

    @staticmethod
    def _change(connection: sqlite3.Connection, conversation_id: str, title: str = "") -> None:
        row = connection.execute(
            "SELECT title, created, modified FROM conversations WHERE conversation_id = ?",
            (conversation_id,),
        ).fetchone()
        if row is None:
            raise _unknown()
        # A new name is no new question: the place in the list stays.
        values = (conversation_id, title or row[0], row[1], row[2] if title else time_now())
        connection.execute(
            "UPDATE conversations SET title = ?, modified = ?, digest = ? WHERE conversation_id ="
            " ?",
            (values[1], values[3], row_digest(values), conversation_id),
        )


def put_row(
    connection: sqlite3.Connection, table: str, values: Sequence[object], number: int | None = None
) -> None:
    """Write a row of ``CONVERSATION_TABLES`` (its values without the digest) under ``number``, a
    new one without. What stands there under the same key stays."""
    names = ("id", *CONVERSATION_TABLES[table])
    marks = ", ".join("?" * len(names))
    connection.execute(
        f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
        (number, *values, row_digest(values)),
    )


def title_of(question: str) -> str:
    """Return a question as the title of its conversation: on one line, cut at a word."""
    line = storable(" ".join(question.split()))
    if len(line) <= _LONGEST_TITLE:
        return line
    head = line[: _LONGEST_TITLE - 1]
    whole = head.rpartition(" ")[0]
    return f"{whole if len(whole) > _LONGEST_TITLE // 2 else head}…"


def time_now() -> str:
    """Return the time as conversations keep it: ISO 8601 in UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _values(conversation_id: str, turn: Turn) -> tuple[object, ...]:
    # Folded, for the search; the body has them as they are.
    words = (storable(turn.question.text.casefold()), storable(turn.text.casefold()))
    return (conversation_id, turn.number, turn.asked, *words, turn_to_json(turn))


def _as_bytes(table: str) -> str:
    """Return the columns of ``table`` for a query: damaged text may be none."""
    return ", ".join(f"CAST({name} AS BLOB)" for name in CONVERSATION_TABLES[table])


def _turn(number: int, row: Sequence[bytes]) -> Turn:
    *values, digest = row
    if row_digest(values).encode() == digest:
        with suppress(ValueError):
            return turn_from_json(values[-1].decode("ascii"))
    asked, question = (each.decode("utf-8", "replace") for each in values[2:4])
    return Turn(number, Question(question), asked, TurnStatus.ERROR, error=_DAMAGED)


def _unknown() -> StorageError:
    return StorageError(
        "Conversation not found",
        "This conversation is no longer in the project.",
        "Choose another conversation, or begin a new one.",
    )

"""Drafts in a project's work database, written whole at every save."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from phasergun_desktop.drafts.draft_codec import draft_from_json, draft_to_json
from phasergun_desktop.drafts.draft_tables import DRAFT_COLUMNS, VERSION_COLUMNS
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.renumbering import STANDARD, with_number
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.model import DraftSentence, Support
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.problems import StorageDamagedError
from phasergun_desktop.storage.row_digests import row_digest, storable

UNNAMED_VERSIONS = 50
CHANGED_ELSEWHERE = "Changed in another window"
# What a draft keeps of its making; the editor, which has a draft before it is finished, lacks it.
_PROOF = (
    "confidence_level",
    "confidence_score",
    "confidence_rationale",
    "confidence_criteria",
    "plan_json",
    "discrepancies",
    "warnings",
    "template",
    "model_digest",
    "prompt_sha256",
    "calls",
    "trace",
)


@dataclass(frozen=True, slots=True)
class DraftSummary:
    """A draft in a list. ``marked`` counts the units that are not carried or have problems,
    ``thrown`` is when it was put in the trash (ISO 8601 in UTC; empty: it is not there)."""

    draft_id: str
    title: str
    status: str
    modified: str
    is_edited: bool
    marked: int
    thrown: str = ""


@dataclass(frozen=True, slots=True)
class DraftVersion:
    """An earlier form of a draft in a list. ``made`` is ISO 8601 in UTC, ``why`` says what it was
    kept before or after, ``name`` is the writer's (empty: pruned when there are many)."""

    version_id: int
    made: str
    why: str
    name: str
    words: int


class DraftStore:
    """Keeps drafts. Safe to use from several threads; a save is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        # The number of the save that this store saw last, by draft.
        self._seen: dict[str, int] = {}

    def save(self, draft: Draft) -> None:
        """Write the draft, replacing what was kept under its id. Raises ``StorageError``.

        What another window has kept since this store read or wrote the draft becomes a version.
        A draft without the record of its making leaves the one that is kept in place.
        """
        with self._database.transaction() as connection:
            stored = connection.execute(
                "SELECT saved, body FROM drafts WHERE draft_id = ?", (draft.draft_id,)
            ).fetchone()
            if stored is not None:
                if stored[0] != self._seen.get(draft.draft_id):
                    _keep_stored(connection, stored[1])
                if not draft.plan_json:
                    draft = _with_proof_of(stored[1], draft)
            saved = _write(connection, draft)
            self._database.after_commit(lambda: self._see(draft.draft_id, saved))

    def load(self, draft_id: str) -> Draft:
        """Return the draft. Raises ``StorageError`` when it is not there or not readable."""
        draft = self._read_current("WHERE draft_id = ?", (draft_id,))
        if draft is None:
            raise StorageError(
                "Draft not found",
                "This draft is no longer in the project.",
                "Choose another draft, or generate it again from its prompt.",
            )
        return draft

    def holds(self, draft_id: str) -> bool:
        """Whether a draft is kept under this id."""
        with self._database.reading() as connection:
            query = "SELECT 1 FROM drafts WHERE draft_id = ?"
            return connection.execute(query, (draft_id,)).fetchone() is not None

    def latest(self) -> Draft | None:
        """Return the draft that was saved last and is not in the trash, None without one."""
        which = "WHERE draft_id NOT IN (SELECT draft_id FROM draft_trash)"
        return self._read_current(f"{which} ORDER BY saved DESC LIMIT 1", ())

    def list(self) -> tuple[DraftSummary, ...]:
        """Every draft without its text, those in the trash too, the one saved last first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT draft_id, title, status, modified, is_edited, marked,"
                " coalesce(thrown, '') FROM drafts LEFT JOIN draft_trash USING (draft_id)"
                " ORDER BY saved DESC"
            ).fetchall()
        return tuple(replace(DraftSummary(*row), is_edited=bool(row[4])) for row in rows)

    def throw_away(self, draft_id: str) -> None:
        """Put a draft in the trash, from where it can be put back. Raises ``StorageError``."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO draft_trash (draft_id, thrown) VALUES (?, ?)",
                (draft_id, datetime.now(UTC).isoformat(timespec="seconds")),
            )

    def put_back(self, draft_id: str) -> None:
        """Take a draft out of the trash; without effect when it is not there."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM draft_trash WHERE draft_id = ?", (draft_id,))

    def empty_trash(self) -> None:
        """Remove every draft in the trash for good."""
        for one in self.list():
            if one.thrown:
                self.delete(one.draft_id)

    def settlements(self) -> tuple[Edit, ...]:
        """Return how the writer has settled discrepancies in any draft, one for each message."""
        with self._database.reading() as connection:
            bodies = connection.execute(
                "SELECT body FROM drafts WHERE instr(body, ?) ORDER BY saved",
                (f'"{EditKind.SETTLED.value}"',),
            ).fetchall()
        found: dict[str, Edit] = {}
        for (body,) in bodies:
            with suppress(ValueError):
                draft = draft_from_json(body)
                for edit in draft.edits:
                    if draft.settled.get(edit.before) == edit.note and edit.note:
                        found[edit.before] = edit
        return tuple(found.values())

    def delete(self, draft_id: str) -> None:
        """Remove the draft with its versions; without effect when it is not there."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM drafts WHERE draft_id = ?", (draft_id,))
            connection.execute("DELETE FROM draft_versions WHERE draft_id = ?", (draft_id,))
            connection.execute("DELETE FROM draft_trash WHERE draft_id = ?", (draft_id,))
            self._database.after_commit(lambda: self._forget(draft_id))

    def keep_version(self, draft: Draft, why: str, made: str, name: str = "") -> int | None:
        """Keep the draft as it stands under a number of its own; return that number.

        Nothing is kept and None returned where the last version says the same and no ``name`` is
        given. Named versions stay; of the others the last ``UNNAMED_VERSIONS`` of the draft.
        """
        with self._database.transaction() as connection:
            return _add_version(connection, draft, why, made, name)

    def versions(self, draft_id: str) -> tuple[DraftVersion, ...]:
        """The versions of a draft without their text, the last one first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT version_id, made, why, name, words FROM draft_versions"
                " WHERE draft_id = ? ORDER BY version_id DESC",
                (draft_id,),
            ).fetchall()
        return tuple(DraftVersion(*row) for row in rows)

    def version(self, version_id: int) -> Draft:
        """Return the draft as it was kept under a number; ``StorageError`` where it is not."""
        with self._database.reading() as connection:
            row = _whole_row(
                connection, "draft_versions", VERSION_COLUMNS, "WHERE version_id = ?", (version_id,)
            )
        if row is None:
            raise StorageError(
                "Version not found",
                "This version is no longer kept.",
                "Choose another one; named versions are always kept.",
            )
        return _readable(row["body"])

    def is_damaged(self) -> bool:
        """Whether a draft is not the one that was written. Raises ``StorageDamagedError`` where
        SQLite cannot read the drafts."""
        query = f"SELECT digest, {', '.join(DRAFT_COLUMNS)} FROM drafts"  # noqa: S608
        with self._database.reading() as connection:
            return any(
                row_digest(values) != digest for digest, *values in connection.execute(query)
            )

    def _read_current(self, which: str, values: tuple[str, ...]) -> Draft | None:
        with self._database.reading() as connection:
            row = _whole_row(connection, "drafts", DRAFT_COLUMNS, which, values)
        if row is None:
            return None
        draft = _readable(row["body"])
        self._see(draft.draft_id, row["saved"])
        return draft

    def _forget(self, draft_id: str) -> None:
        with self._lock:
            self._seen.pop(draft_id, None)

    def _see(self, draft_id: str, saved: int) -> None:
        with self._lock:
            # A save on another thread may have come between reading and here.
            self._seen[draft_id] = max(saved, self._seen.get(draft_id, 0))


def put_version(connection: sqlite3.Connection, number: int, values: Sequence[object]) -> None:
    """Write a version under its number, with the values of ``VERSION_COLUMNS``."""
    _insert(connection, "draft_versions", ("version_id", *VERSION_COLUMNS), (number, *values))


def _whole_row(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    which: str,
    values: Sequence[object],
) -> dict[str, Any] | None:
    """Return a row by its columns, None where there is none. Raises ``StorageDamagedError`` where
    it is not what was written."""
    query = f"SELECT digest, {', '.join(columns)} FROM {table} {which}"  # noqa: S608
    row = connection.execute(query, values).fetchone()
    if row is None:
        return None
    if row_digest(row[1:]) != row[0]:
        raise StorageDamagedError(
            "Draft damaged",
            "This form of the draft was damaged on the disk.",
            "Open the project again, where its last whole form is brought back, or choose another "
            "version.",
        )
    return dict(zip(columns, row[1:], strict=True))


def _readable(body: str) -> Draft:
    try:
        return draft_from_json(body)
    except ValueError as error:
        raise StorageError(
            "Draft not readable",
            "This draft is damaged or was written by a newer version of PhaserGun.",
            "Update PhaserGun, or generate the draft again from its prompt.",
        ) from error


def _write(connection: sqlite3.Connection, draft: Draft) -> int:
    """Write the draft as the one saved last; return the number of the save."""
    (saved,) = connection.execute("SELECT coalesce(max(saved), 0) + 1 FROM drafts").fetchone()
    values = (
        draft.draft_id,
        int(saved),
        storable(draft.title),
        storable(draft.prompt_file),
        draft.status,
        draft.created,
        draft.modified,
        int(bool(draft.edited_html)),
        sum(_is_marked(unit) for unit in draft.units),
        draft_to_json(draft),
    )
    _insert(connection, "drafts", DRAFT_COLUMNS, values)
    return int(saved)


def _insert(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], values: Sequence[object]
) -> int | None:
    names, marks = ", ".join((*columns, "digest")), ", ".join("?" * (len(columns) + 1))
    # The number of a version is not of its content.
    content = [value for name, value in zip(columns, values, strict=True) if name != "version_id"]
    return connection.execute(
        f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})",  # noqa: S608
        (*values, row_digest(content)),
    ).lastrowid


def _add_version(
    connection: sqlite3.Connection, draft: Draft, why: str, made: str, name: str = ""
) -> int | None:
    content = _content_hash(draft)
    last = connection.execute(
        "SELECT content FROM draft_versions WHERE draft_id = ? ORDER BY version_id DESC LIMIT 1",
        (draft.draft_id,),
    ).fetchone()
    if last is not None and last[0] == content and not name:
        return None
    words = sum(len(unit.text.split()) for unit in draft.units)
    values = (draft.draft_id, made, why, storable(name), words, content, draft_to_json(draft))
    made_id = _insert(connection, "draft_versions", VERSION_COLUMNS, values)
    connection.execute(
        "DELETE FROM draft_versions WHERE draft_id = ?1 AND name = '' AND version_id NOT IN"
        " (SELECT version_id FROM draft_versions WHERE draft_id = ?1 AND name = ''"
        " ORDER BY version_id DESC LIMIT ?2)",
        (draft.draft_id, UNNAMED_VERSIONS),
    )
    return made_id


def _keep_stored(connection: sqlite3.Connection, body: str) -> None:
    """Keep as a version what is about to be replaced; what nobody can read is not worth one."""
    with suppress(ValueError):
        made = datetime.now(UTC).isoformat(timespec="seconds")
        _add_version(connection, draft_from_json(body), CHANGED_ELSEWHERE, made)


def _with_proof_of(body: str, draft: Draft) -> Draft:
    """Return ``draft`` with the record of its making that is kept in ``body``, if there is one."""
    try:
        stored = draft_from_json(body)
    except ValueError:
        return draft
    if not stored.plan_json:
        return draft
    proof: dict[str, Any] = {name: getattr(stored, name) for name in _PROOF}
    named = {note.title for note in draft.footnotes if note.kind == STANDARD}
    standards = [
        note for note in stored.footnotes if note.kind == STANDARD and note.title not in named
    ]
    first = max((note.number for note in draft.footnotes), default=0) + 1
    added = (with_number(note, number) for number, note in enumerate(standards, first))
    return replace(draft, footnotes=(*draft.footnotes, *added), **proof)


def _is_marked(unit: DraftSentence) -> bool:
    if unit.is_accepted:
        return False
    return bool(unit.problems) or unit.support in (Support.UNSUPPORTED, Support.CONTRADICTED)


def _content_hash(draft: Draft) -> str:
    # When it was saved, and in which of two forms the editor holds it, is not its content.
    bare = replace(draft, modified="", edited_html="", status="", edits=())
    return hashlib.sha256(draft_to_json(bare).encode("ascii")).hexdigest()

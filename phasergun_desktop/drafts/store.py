"""Drafts in a project's work database, written whole at every save."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass, replace

from phasergun_desktop.drafts.codec import draft_from_json, draft_to_json
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.model import DraftSentence, Support
from phasergun_desktop.storage.database import Database, execute_script

UNNAMED_VERSIONS = 50


@dataclass(frozen=True, slots=True)
class DraftSummary:
    """A draft in a list. ``marked`` counts the units that are not carried or have problems."""

    draft_id: str
    title: str
    prompt_file: str
    status: str
    created: str
    modified: str
    is_edited: bool
    marked: int


@dataclass(frozen=True, slots=True)
class DraftVersion:
    """An earlier form of a draft in a list. ``made`` is ISO 8601 in UTC, ``why`` says what it was
    kept before or after, ``name`` is the writer's (empty: pruned when there are many)."""

    version_id: int
    draft_id: str
    made: str
    why: str
    name: str
    words: int


def create_drafts(connection: sqlite3.Connection) -> None:
    """Migration: the drafts' table. ``saved`` counts saves, so that the last one is known."""
    execute_script(
        connection,
        """
        CREATE TABLE drafts (
            draft_id TEXT PRIMARY KEY,
            saved INTEGER NOT NULL UNIQUE,
            title TEXT NOT NULL,
            prompt_file TEXT NOT NULL,
            status TEXT NOT NULL,
            created TEXT NOT NULL,
            modified TEXT NOT NULL,
            is_edited INTEGER NOT NULL,
            marked INTEGER NOT NULL,
            body TEXT NOT NULL
        );
        """,
    )


def create_draft_versions(connection: sqlite3.Connection) -> None:
    """Migration: earlier forms of drafts. ``content`` is the hash of what a reader would see."""
    execute_script(
        connection,
        """
        CREATE TABLE draft_versions (
            version_id INTEGER PRIMARY KEY AUTOINCREMENT,
            draft_id TEXT NOT NULL,
            made TEXT NOT NULL,
            why TEXT NOT NULL,
            name TEXT NOT NULL,
            words INTEGER NOT NULL,
            content TEXT NOT NULL,
            body TEXT NOT NULL
        );
        CREATE INDEX draft_versions_by_draft ON draft_versions (draft_id, version_id);
        """,
    )


class DraftStore:
    """Keeps drafts. Safe to use from several threads; a save is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, draft: Draft) -> None:
        """Write the draft, replacing what was kept under its id. Raises ``StorageError``."""
        body = draft_to_json(draft)
        row = (
            draft.draft_id,
            _storable(draft.title),
            _storable(draft.prompt_file),
            draft.status,
            draft.created,
            draft.modified,
            bool(draft.edited_html),
            sum(_is_marked(unit) for unit in draft.units),
            body,
        )
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO drafts (saved, draft_id, title, prompt_file, status,"
                " created, modified, is_edited, marked, body)"
                " VALUES ((SELECT coalesce(max(saved), 0) + 1 FROM drafts),"
                " ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def load(self, draft_id: str) -> Draft:
        """Return the draft. Raises ``StorageError`` when it is not there or not readable."""
        draft = self._read("SELECT body FROM drafts WHERE draft_id = ?", (draft_id,))
        if draft is None:
            raise StorageError(
                "Draft not found",
                "This draft is no longer in the project.",
                "Choose another draft, or generate it again from its prompt.",
            )
        return draft

    def latest(self) -> Draft | None:
        """Return the draft that was saved last, None when there is none."""
        return self._read("SELECT body FROM drafts ORDER BY saved DESC LIMIT 1", ())

    def list(self) -> tuple[DraftSummary, ...]:
        """Every draft without its text, the one saved last first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT draft_id, title, prompt_file, status, created, modified, is_edited, marked"
                " FROM drafts ORDER BY saved DESC"
            ).fetchall()
        return tuple(
            DraftSummary(
                each[0], each[1], each[2], each[3], each[4], each[5], bool(each[6]), each[7]
            )
            for each in rows
        )

    def delete(self, draft_id: str) -> None:
        """Remove the draft with its versions; without effect when it is not there."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM drafts WHERE draft_id = ?", (draft_id,))
            connection.execute("DELETE FROM draft_versions WHERE draft_id = ?", (draft_id,))

    def keep_version(self, draft: Draft, why: str, made: str, name: str = "") -> int | None:
        """Keep the draft as it stands under a number of its own; return that number.

        Nothing is kept and None returned where the last version says the same and no ``name`` is
        given. Named versions stay; of the others the last ``UNNAMED_VERSIONS`` of the draft.
        """
        body = draft_to_json(draft)
        content = _content_hash(draft)
        with self._database.transaction() as connection:
            last = connection.execute(
                "SELECT content FROM draft_versions WHERE draft_id = ? ORDER BY version_id DESC"
                " LIMIT 1",
                (draft.draft_id,),
            ).fetchone()
            if last is not None and last[0] == content and not name:
                return None
            words = sum(len(unit.text.split()) for unit in draft.units)
            made_id = connection.execute(
                "INSERT INTO draft_versions (draft_id, made, why, name, words, content, body)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (draft.draft_id, made, why, _storable(name), words, content, body),
            ).lastrowid
            connection.execute(
                "DELETE FROM draft_versions WHERE draft_id = ?1 AND name = '' AND version_id NOT IN"
                " (SELECT version_id FROM draft_versions WHERE draft_id = ?1 AND name = ''"
                " ORDER BY version_id DESC LIMIT ?2)",
                (draft.draft_id, UNNAMED_VERSIONS),
            )
        return made_id

    def versions(self, draft_id: str) -> tuple[DraftVersion, ...]:
        """The versions of a draft without their text, the last one first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT version_id, draft_id, made, why, name, words FROM draft_versions"
                " WHERE draft_id = ? ORDER BY version_id DESC",
                (draft_id,),
            ).fetchall()
        return tuple(DraftVersion(*row) for row in rows)

    def version(self, version_id: int) -> Draft:
        """Return the draft as it was kept under a number; ``StorageError`` where it is not."""
        query = "SELECT body FROM draft_versions WHERE version_id = ?"
        draft = self._read(query, (version_id,))
        if draft is None:
            raise StorageError(
                "Version not found",
                "This version is no longer kept.",
                "Choose another one; named versions are always kept.",
            )
        return draft

    def _read(self, query: str, values: tuple[str | int, ...]) -> Draft | None:
        with self._database.reading() as connection:
            row = connection.execute(query, values).fetchone()
        if row is None:
            return None
        try:
            return draft_from_json(row[0])
        except ValueError as error:
            raise StorageError(
                "Draft not readable",
                "This draft is damaged or was written by a newer version of PhaserGun.",
                "Update PhaserGun, or generate the draft again from its prompt.",
            ) from error


def _is_marked(unit: DraftSentence) -> bool:
    if unit.is_accepted:
        return False
    return bool(unit.problems) or unit.support in (Support.UNSUPPORTED, Support.CONTRADICTED)


def _storable(text: str) -> str:
    # SQLite takes UTF-8 only; the body, which is ASCII, keeps the text as it is.
    return text.encode("utf-8", "replace").decode("utf-8")


def _content_hash(draft: Draft) -> str:
    # When it was saved, and in which of two forms the editor holds it, is not its content.
    bare = replace(draft, modified="", edited_html="", status="", edits=())
    return hashlib.sha256(draft_to_json(bare).encode("ascii")).hexdigest()

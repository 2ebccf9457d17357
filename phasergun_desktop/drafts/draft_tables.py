"""The tables of drafts and versions in a project's work database."""

from __future__ import annotations

import sqlite3

from phasergun_desktop.storage.database import execute_script
from phasergun_desktop.storage.row_digests import row_digest

DRAFT_COLUMNS = (
    "draft_id",
    "saved",
    "title",
    "prompt_file",
    "status",
    "created",
    "modified",
    "is_edited",
    "marked",
    "body",
)
VERSION_COLUMNS = ("draft_id", "made", "why", "name", "words", "content", "body")


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


def add_draft_digests(connection: sqlite3.Connection) -> None:
    """Migration: the digest of each row of both tables, by which a change that nobody made is
    told from one that the writer made."""
    for table, columns in (("drafts", DRAFT_COLUMNS), ("draft_versions", VERSION_COLUMNS)):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
        query = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid = ?"  # noqa: S608
        # All texts of a long project at once would fill the memory.
        numbers = connection.execute(f"SELECT rowid FROM {table}").fetchall()  # noqa: S608
        for (number,) in numbers:
            values = connection.execute(query, (number,)).fetchone()
            connection.execute(
                f"UPDATE {table} SET digest = ? WHERE rowid = ?",  # noqa: S608
                (row_digest(values), number),
            )


def create_draft_trash(connection: sqlite3.Connection) -> None:
    """Migration: which drafts are in the trash, apart from what stands in them. Where a damaged
    database is made anew, they are back among the others."""
    execute_script(
        connection, "CREATE TABLE draft_trash (draft_id TEXT PRIMARY KEY, thrown TEXT NOT NULL);"
    )

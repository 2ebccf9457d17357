"""What the writer typed as prompts and has not saved in their files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.storage.database import Database, execute_script


@dataclass(frozen=True, slots=True)
class TypedPrompt:
    """The text that was typed for a prompt's ``file`` (empty: one that has no file yet).

    Without ``text`` nothing is left to keep. ``is_shown`` says that it stands in the field,
    ``loaded`` is the digest of what the file held when it was typed over, empty if unknown.
    """

    file: str
    text: str
    is_shown: bool = False
    loaded: str = ""


def create_typed_prompts(connection: sqlite3.Connection) -> None:
    """Migration: the texts that were typed, by the file of their prompt."""
    execute_script(
        connection,
        """
        CREATE TABLE typed_prompts (
            file TEXT PRIMARY KEY,
            text TEXT NOT NULL,
            is_shown INTEGER NOT NULL
        );
        """,
    )


def add_loaded_digests(connection: sqlite3.Connection) -> None:
    """Migration: what the files held when they were typed over."""
    connection.execute("ALTER TABLE typed_prompts ADD COLUMN loaded TEXT NOT NULL DEFAULT ''")


class TypedPromptStore:
    """Keeps them in the project's work database, apart from the files themselves."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, prompts: Sequence[TypedPrompt]) -> None:
        """Write these; what was kept for other files stays. Raises ``StorageError``."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE typed_prompts SET is_shown = 0 WHERE is_shown")
            for each in prompts:
                connection.execute("DELETE FROM typed_prompts WHERE file = ?", (each.file,))
                if each.text:
                    connection.execute(
                        "INSERT INTO typed_prompts VALUES (?, ?, ?, ?)",
                        (each.file, each.text, each.is_shown, each.loaded),
                    )

    def load(self) -> tuple[TypedPrompt, ...]:
        """Return what is kept, sorted by file."""
        with self._database.reading() as connection:
            # Without the last column where an older database cannot be written.
            rows = connection.execute("SELECT * FROM typed_prompts ORDER BY file").fetchall()
        return tuple(TypedPrompt(row[0], row[1], bool(row[2]), *row[3:4]) for row in rows)

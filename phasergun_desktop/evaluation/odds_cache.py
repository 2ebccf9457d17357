"""The language model's odds, kept on disk: by model and by the words of the question."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.storage.database import execute_script, open_derived


def _create(connection: sqlite3.Connection) -> None:
    execute_script(
        connection,
        """
        CREATE TABLE odds (
            model TEXT NOT NULL,
            prompt TEXT NOT NULL,
            odds REAL NOT NULL,
            PRIMARY KEY (model, prompt)
        ) WITHOUT ROWID;
        """,
    )


class OddsCache:
    """Keeps odds by model digest and hash of the prompt; no text of either is kept."""

    def __init__(self, path: Path) -> None:
        self._database = open_derived(path, (_create,))

    def get(self, model: str, prompt: ModelPrompt) -> float | None:
        """Return the odds that were kept, None if there are none."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT odds FROM odds WHERE model = ? AND prompt = ?", (model, _hash(prompt))
            ).fetchone()
        return None if row is None else float(row[0])

    def put(self, model: str, prompt: ModelPrompt, odds: float) -> None:
        """Keep odds at once: a run that is stopped goes on where it was."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO odds VALUES (?, ?, ?)", (model, _hash(prompt), odds)
            )

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _hash(prompt: ModelPrompt) -> str:
    digest = hashlib.sha256()
    for part in (prompt.system, prompt.shared, prompt.task):
        text = part.encode("utf-8", "replace")
        digest.update(len(text).to_bytes(8, "big"))
        digest.update(text)
    return digest.hexdigest()

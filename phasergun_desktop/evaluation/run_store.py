"""Evaluation runs and questions, kept with the user's data."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.evaluation.question_set import QuestionSet, create_questions
from phasergun_desktop.storage.database import Database, execute_script

RUNS_FILE = "evaluation.db"


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A finished run. ``kind`` is what was evaluated (``grounding``), ``sha256`` that of the file
    of questions or claims, ``made`` ISO 8601 in UTC, ``report`` the JSON that was printed."""

    run_id: int
    kind: str
    made: str
    file: str
    sha256: str
    versions: str
    report: str


def _create(connection: sqlite3.Connection) -> None:
    execute_script(
        connection,
        """
        CREATE TABLE runs (
            run_id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            made TEXT NOT NULL,
            file TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            versions TEXT NOT NULL,
            report TEXT NOT NULL
        );
        """,
    )


def run_of(runs: Iterable[EvaluationRun], run_id: int) -> EvaluationRun:
    """Return one of ``runs``. Raises ``PhaserGunError`` where there is none."""
    for each in runs:
        if each.run_id == run_id:
            return each
    raise PhaserGunError(
        "No such run", f"There is no run {run_id}.", "“phasergun eval --runs” lists them."
    )


class RunStore:
    """Runs in a database of their own, newest last, and the ``questions`` of a project."""

    def __init__(self, path: Path) -> None:
        """Open or make the file; ``StorageError`` where that fails."""
        self._database = Database(path, (_create, create_questions), is_synced=True)
        self.questions = QuestionSet(self._database)

    def add(
        self, kind: str, file: str, sha256: str, versions: str, report: dict[str, object]
    ) -> int:
        """Keep a run and return its number."""
        made = datetime.now(UTC).isoformat(timespec="seconds")
        text = json.dumps(report, ensure_ascii=False)
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (kind, made, file, sha256, versions, report)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (kind, made, file, sha256, versions, text),
            )
        return int(cursor.lastrowid or 0)

    def runs(self) -> tuple[EvaluationRun, ...]:
        """Return every run, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT run_id, kind, made, file, sha256, versions, report FROM runs"
                " ORDER BY run_id"
            ).fetchall()
        return tuple(EvaluationRun(*row) for row in rows)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

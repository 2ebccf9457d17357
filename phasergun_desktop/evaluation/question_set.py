"""The questions that the writer has collected in a project, to measure it on."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import uuid
from collections.abc import Iterable
from pathlib import Path

from phasergun_desktop.errors import ExportError, StorageError
from phasergun_desktop.evaluation.json_lines import EvaluationFileError, Rows
from phasergun_desktop.evaluation.questions import JudgedQuestion, question_of, question_row
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.database import Database, execute_script

OWN_QUESTIONS = "questions of this project"


def create_questions(connection: sqlite3.Connection) -> None:
    """Migration: the table of the questions."""
    execute_script(
        connection,
        """
        CREATE TABLE questions (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            question_id TEXT NOT NULL UNIQUE,
            row TEXT NOT NULL
        );
        """,
    )


class QuestionSet:
    """Questions in the database of the runs, in the order in which they were added."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, question: JudgedQuestion) -> JudgedQuestion:
        """Keep a question, with an id where it has none; return it. Raises ``StorageError``."""
        row = question_row(question)
        row["id"] = question.question_id or uuid.uuid4().hex[:8]
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO questions (question_id, row) VALUES (?, ?)",
                (row["id"], json.dumps(row, ensure_ascii=False)),
            )
        return question_of(row, 0)

    def remove(self, question_ids: Iterable[str]) -> None:
        """Delete questions, all or none."""
        with self._database.transaction() as connection:
            connection.executemany(
                "DELETE FROM questions WHERE question_id = ?", ((each,) for each in question_ids)
            )

    def questions(self) -> tuple[JudgedQuestion, ...]:
        """Return all questions."""
        return tuple(question_of(json.loads(line), 0) for line in self._lines())

    def rows(self) -> Rows[JudgedQuestion]:
        """Return all questions to evaluate on. Raises ``EvaluationFileError`` without any."""
        questions = self.questions()
        if not questions:
            raise EvaluationFileError(
                "No questions",
                "This project has no questions of its own yet.",
                "Save some from answers or search results, or name a file of questions.",
            )
        text = "\n".join(self._lines())
        return Rows(questions, (), hashlib.sha256(text.encode()).hexdigest())

    def export(self, path: Path) -> None:
        """Write the questions as JSON lines. Raises ``ExportError``."""
        try:
            text = "".join(f"{line}\n" for line in self._lines())
            write_atomically(path, text, usual_rights=True)
        except StorageError as error:
            raise ExportError("Not exported", error.message, error.remedy) from error

    def _lines(self) -> list[str]:
        with self._database.reading() as connection:
            rows = connection.execute("SELECT row FROM questions ORDER BY place").fetchall()
        return [str(row[0]) for row in rows]

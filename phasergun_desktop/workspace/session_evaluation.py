"""The part of a session that measures the project on questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from phasergun_desktop.evaluation.json_lines import Rows
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.run_store import RUNS_FILE, EvaluationRun, RunStore
from phasergun_desktop.workspace.work_storage import WorkStorage


class SessionEvaluation:
    """Keeps questions and runs beside the drafts; every call is safe on any thread."""

    _work: WorkStorage

    @property
    def runs_file(self) -> Path:
        """The database of the project's evaluation runs and questions."""
        return self._work.database.path.with_name(RUNS_FILE)

    def add_question(self, question: JudgedQuestion) -> JudgedQuestion:
        """Keep a question to measure the project on; see ``QuestionSet.add``."""
        with self._runs() as runs:
            return runs.questions.add(question)

    def remove_questions(self, question_ids: Iterable[str]) -> None:
        """Delete some of the project's own questions, all or none."""
        with self._runs() as runs:
            runs.questions.remove(question_ids)

    def questions(self) -> tuple[JudgedQuestion, ...]:
        """Return the project's own questions."""
        with self._runs() as runs:
            return runs.questions.questions()

    def question_rows(self) -> Rows[JudgedQuestion]:
        """Return the project's own questions to evaluate on. Raises ``EvaluationFileError``."""
        with self._runs() as runs:
            return runs.questions.rows()

    def export_questions(self, path: Path) -> None:
        """Write the project's own questions as JSON lines. Raises ``ExportError``."""
        with self._runs() as runs:
            runs.questions.export(path)

    def evaluation_runs(self) -> tuple[EvaluationRun, ...]:
        """Return the runs on this project, oldest first."""
        with self._runs() as runs:
            return runs.runs()

    @contextmanager
    def _runs(self) -> Iterator[RunStore]:
        with closing(RunStore(self.runs_file)) as runs:
            yield runs

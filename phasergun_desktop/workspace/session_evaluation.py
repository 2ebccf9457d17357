"""The part of a session that measures the project on questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.evaluation.json_lines import Rows
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.run_store import RUNS_FILE, EvaluationRun, RunStore
from phasergun_desktop.sync.hidden_files import hidden_names
from phasergun_desktop.workspace.hidden_documents import (
    require_exportable,
    without_hidden_questions,
    without_hidden_rows,
)
from phasergun_desktop.workspace.work_storage import WorkStorage

if TYPE_CHECKING:
    # (numpy comes with it: a window that opens needs none.)
    from phasergun_desktop.index.index_store import IndexStore


class SessionEvaluation:
    """Keeps questions and runs beside the drafts, and shows none of them that names what is hidden
    in this project; every call is safe on any thread."""

    _work: WorkStorage
    _index: IndexStore

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
            found = runs.questions.questions()
        hidden = self._hidden()
        return tuple(each for each in found if hidden.isdisjoint(each.files))

    def question_rows(self) -> Rows[JudgedQuestion]:
        """Return the project's own questions to evaluate on. Raises ``EvaluationFileError``."""
        with self._runs() as runs:
            return self.shown_questions(runs.questions.rows())

    def shown_questions(self, rows: Rows[JudgedQuestion]) -> Rows[JudgedQuestion]:
        """Return the questions of a file without those that name what is hidden in this project;
        a sentence tells of these. Raises ``EvaluationFileError`` where none is left."""
        return without_hidden_questions(rows, self._hidden())

    def export_questions(self, path: Path) -> None:
        """Write the project's own questions as JSON lines. Raises ``ExportError``, also where one
        of them names what is hidden in this project."""
        with self._runs() as runs:
            named = (file for each in runs.questions.questions() for file in each.files)
            require_exportable(named, self._index.files())
            runs.questions.export(path)

    def evaluation_runs(self) -> tuple[EvaluationRun, ...]:
        """Return the runs on this project, oldest first."""
        with self._runs() as runs:
            found = runs.runs()
        hidden = self._hidden()
        return tuple(without_hidden_rows(each, hidden) for each in found) if hidden else found

    def _hidden(self) -> frozenset[str]:
        return frozenset(hidden_names(self._index.files()))

    @contextmanager
    def _runs(self) -> Iterator[RunStore]:
        with closing(RunStore(self.runs_file)) as runs:
            yield runs

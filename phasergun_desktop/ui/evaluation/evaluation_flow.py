"""Measures the project on questions for the panel of evaluations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.evaluation.run_store import EvaluationRun
from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.ui.confirmation import ask_file, confirm
from phasergun_desktop.ui.evaluation.run_rows import RunRow, row_of
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.wording import count

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.question_run import QuestionsReport
    from phasergun_desktop.evaluation.questions import JudgedQuestion
    from phasergun_desktop.evaluation.run_comparison import Comparison
    from phasergun_desktop.workspace.session import ProjectSession

_QUESTIONS = "Questions (*.jsonl)"
_MOST_TOLD = 3


class EvaluationFlow(Flow):
    """One run at a time, beside the writing; what figures need is loaded when one is begun."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._panel = panel = desk.parts.evaluation_panel
        self._job: JobHandle | None = None
        panel.wanted.connect(self.read)
        panel.own_button.clicked.connect(lambda: self.evaluate(None))
        panel.file_button.clicked.connect(self._on_file_wanted)
        panel.stop_button.clicked.connect(self.stop)
        panel.export_button.clicked.connect(self._on_export_wanted)
        panel.pair_wanted.connect(self._on_pair_wanted)
        panel.delete_wanted.connect(self.ask_to_delete)

    def read(self) -> None:
        """Show the runs of the project in view, if the panel is seen."""
        if self._work.session is None:
            self._panel.show_runs(())
            self._panel.show_questions(())
        elif self._panel.isVisible():
            self._work.do(
                lambda session: (
                    tuple(map(row_of, session.evaluation_runs())),
                    session.questions(),
                ),
                self._on_read,
            )

    def _on_read(self, found: tuple[tuple[RunRow, ...], tuple[JudgedQuestion, ...]]) -> None:
        rows, questions = found
        self._panel.show_questions(questions)
        self._panel.show_runs(rows)
        self._panel.set_running(self._job is not None)

    def evaluate(self, file: Path | None) -> None:
        """Measure the project on the questions of ``file``, or on its own."""
        session = self._work.session
        if session is None or self._job is not None:
            return
        answers = self._panel.answers.isChecked()
        job = self._work.runners.answering.submit(
            lambda stop: _evaluated(session, file, answers, stop.is_set)
        )
        self._job = job
        self._panel.set_running(True)
        job.event_received.connect(self._on_event)
        job.succeeded.connect(self._on_evaluated)
        job.failed.connect(self._work.report)
        job.finished.connect(self._on_finished)

    def stop(self) -> None:
        """Stop the run; nothing of it is kept."""
        if self._job is not None:
            self._job.cancel()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress):
            self._work.say(f"Evaluating: {event.done} of {event.total} questions")

    def _on_evaluated(self, report: QuestionsReport) -> None:
        told = f"{count(len(report.questions), 'question')} evaluated in {report.seconds:.0f} s"
        self._work.say(told)
        if report.bad:
            more = len(report.bad) - _MOST_TOLD
            rest = [f"{count(more, 'line')} more."] if more > 0 else []
            self._work.tell(" ".join(["Left out:", *report.bad[:_MOST_TOLD], *rest]))

    def _on_finished(self) -> None:
        self._job = None
        self._panel.set_running(False)
        self.read()

    def _on_pair_wanted(self, first: EvaluationRun, second: EvaluationRun) -> None:
        def compared() -> Comparison:
            # Brings numpy, which the window does without at its start.
            from phasergun_desktop.evaluation.run_comparison import compare  # noqa: PLC0415

            return compare(first, second)

        self._work.call(compared, self._panel.show_comparison)

    def _on_file_wanted(self) -> None:
        dialog = QFileDialog(self._window, "Questions to evaluate on", str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_QUESTIONS])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self.evaluate(Path(file)))
        dialog.open()

    def _on_export_wanted(self) -> None:
        title, export = "Export the questions", self.export_questions
        ask_file(self._window, title, "Questions.jsonl", _QUESTIONS, export)

    def ask_to_delete(self, question_ids: tuple[str, ...]) -> None:
        """Ask, then remove questions of the project for good."""
        what = "this question" if len(question_ids) == 1 else f"these {len(question_ids)} questions"
        kept = "Runs on them stay as they are."
        answers = {"Delete": lambda: self.delete(question_ids)}
        confirm(self._window, "Delete questions", f"Delete {what}?", kept, answers)

    def delete(self, question_ids: tuple[str, ...]) -> None:
        """Remove questions of the project for good."""

        def on_deleted(_none: object) -> None:
            self._work.say("Deleted")
            self.read()

        self._work.do(
            lambda session: session.remove_questions(question_ids), on_deleted, must_run=True
        )

    def export_questions(self, path: Path) -> None:
        """Write the questions of the project to ``path``."""
        self._work.do(
            lambda session: session.export_questions(path),
            lambda _none: self._work.say(f"Questions exported to {path.name}"),
            must_run=True,
        )


def _evaluated(
    session: ProjectSession, file: Path | None, answers: bool, should_stop: Callable[[], bool]
) -> Job[QuestionsReport]:
    from phasergun_desktop.evaluation.question_run import QuestionEvaluation, QuestionsAsked  # noqa: PLC0415
    from phasergun_desktop.evaluation.question_set import OWN_QUESTIONS  # noqa: PLC0415
    from phasergun_desktop.evaluation.questions import read_questions  # noqa: PLC0415
    from phasergun_desktop.workspace.respondent import Manner, Respondent  # noqa: PLC0415

    if file is None:
        rows = session.question_rows()
    else:
        rows = session.shown_questions(read_questions(file))
    asked = QuestionsAsked(OWN_QUESTIONS if file is None else file.name, rows, answers=answers)
    evaluation = QuestionEvaluation(session.runs_file)
    report = yield from evaluation.run(asked, Respondent(session, Manner(), should_stop))
    evaluation.keep(report)
    return report

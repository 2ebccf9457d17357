"""The course of one question: its events to the conversation, its progress to the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.background.stop_flag import StopFlag
from phasergun_desktop.conversations.model import Question, Turn, TurnStarted
from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.ui.generate.generation import PATIENCE_MS, progress_in_words
from phasergun_desktop.ui.wording import count
from phasergun_desktop.writing.model import PlanReady, StreamDiscarded, TextStreamed, UnitBound

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

LOOKING = "Looking through the documents…"


class Asking(QObject):
    """Runs one question at a time on the thread that owns the language model."""

    begun = Signal(str, object)
    text_streamed = Signal(str)
    unit_bound = Signal(object, object)
    stream_discarded = Signal()
    progressed = Signal(str)
    completed = Signal(object)
    failed = Signal(object)
    # The turn that ran is kept by the job itself, though nobody waited for it.
    abandoned = Signal()
    ended = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: JobHandle | None = None
        self._has_started = False
        # Whatever the job is busy with, the writer has the panel back within a second.
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self.abandon)

    @property
    def is_running(self) -> bool:
        """Whether a question is being answered, or waits."""
        return self._job is not None

    def start(
        self, session: ProjectSession, question: Question, conversation_id: str, again: int = 0
    ) -> None:
        """Ask; see ``ProjectSession.ask``."""
        if self._job is not None:
            return

        def make_job(stop: StopFlag) -> Job[Turn]:
            return session.ask(question, conversation_id, should_stop=stop.is_set, again=again)

        self._has_started = False
        # A question that was stopped returns what it has; closing the job would throw it away.
        self._job = self._runner.submit(make_job, ends_itself=True)
        self._job.started.connect(self._on_started)
        self._job.event_received.connect(self._on_event)
        self._job.succeeded.connect(self.completed)
        self._job.failed.connect(self.failed)
        self._job.finished.connect(self._on_finished)

    def stop(self) -> None:
        """Ask it to stop; what is written stays."""
        if self._job is None or self._job.is_stopping:
            return
        if not self._has_started:
            # It waits for its turn, which nothing can hurry.
            self.abandon()
            return
        self._job.cancel()
        self.progressed.emit("Stopping…")
        self._patience.start()

    def abandon(self) -> None:
        """Stop and hear no more of it."""
        job = self._job
        if job is None:
            return
        job.cancel()
        job.started.disconnect(self._on_started)
        job.event_received.disconnect(self._on_event)
        job.succeeded.disconnect(self.completed)
        job.failed.disconnect(self.failed)
        job.finished.disconnect(self._on_finished)
        self.abandoned.emit()
        self._on_finished()

    def _on_started(self) -> None:
        self._has_started = True
        self.progressed.emit(LOOKING)

    def _on_finished(self) -> None:
        self._patience.stop()
        self._job = None
        self.ended.emit()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TurnStarted):
            self.begun.emit(event.conversation_id, event.turn)
        elif isinstance(event, PlanReady):
            found = len({passage.file for passage in event.plan.passages})
            if found:
                self.progressed.emit(f"Reading {count(found, 'document')}…")
        elif isinstance(event, TextStreamed):
            self.progressed.emit("Writing the answer…")
            self.text_streamed.emit(event.text)
        elif isinstance(event, UnitBound):
            self.unit_bound.emit(event.unit, event.footnotes)
        elif isinstance(event, StreamDiscarded):
            self.stream_discarded.emit()
        elif isinstance(event, Progress):
            self.progressed.emit(progress_in_words(event))

"""The course of one job that writes with the language model: begun, streamed, stopped, let go."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle, MakeJob
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.writing.model import StreamDiscarded, TextStreamed, UnitBound

PATIENCE_MS = 800


class ModelJob(QObject):
    """Runs one job at a time on the thread that owns the language model."""

    text_streamed = Signal(str)
    unit_bound = Signal(object, object)
    stream_discarded = Signal()
    progressed = Signal(str)
    completed = Signal(object)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: JobHandle | None = None
        self._has_started = False
        # Whatever the job is busy with, the writer has the desk back within a second.
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.abandon)

    @property
    def is_running(self) -> bool:
        """Whether something is being written, or waits for its turn."""
        return self._job is not None

    def stop(self) -> None:
        """Ask it to stop; what is written stays."""
        if self._job is None or self._job.is_stopping:
            return
        if not self._has_started:
            # It waits for its turn or for the model to load, which nothing can hurry.
            self.abandon()
            return
        self._job.cancel()
        self.progressed.emit("Stopping…")
        self._patience.start()

    def abandon(self) -> None:
        """Stop and hear no more of it: another project comes into view. What was written until
        now is kept by the job itself."""
        job = self._job
        if job is None:
            return
        job.cancel()
        job.started.disconnect(self._on_started)
        job.event_received.disconnect(self._on_event)
        job.succeeded.disconnect(self.completed)
        job.failed.disconnect(self.failed)
        job.finished.disconnect(self._on_finished)
        self._on_abandoned(job)
        self._on_finished()

    def take_rest(self) -> None:
        """Hear what the job has said by now, and no more: its thread has ended, or is late."""
        if self._job is not None:
            self._job.deliver_now()
        self.abandon()

    def _submit(self, make_job: MakeJob) -> None:
        self._has_started = False
        # One that was stopped returns what it has; closing the job would throw it away.
        self._job = self._runner.submit(make_job, ends_itself=True)
        self._job.started.connect(self._on_started)
        self._job.event_received.connect(self._on_event)
        self._job.succeeded.connect(self.completed)
        self._job.failed.connect(self.failed)
        self._job.finished.connect(self._on_finished)

    def _on_started(self) -> None:
        self._has_started = True

    def _on_abandoned(self, job: JobHandle) -> None:
        """Say that nobody waits for ``job`` any more."""

    def _on_finished(self) -> None:
        self._patience.stop()
        self._job = None
        self.ended.emit()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            self.text_streamed.emit(event.text)
        elif isinstance(event, UnitBound):
            self.unit_bound.emit(event.unit, event.footnotes)
        elif isinstance(event, StreamDiscarded):
            self.stream_discarded.emit()
        elif isinstance(event, Progress):
            self.progressed.emit(progress_in_words(event))


def progress_in_words(event: Progress) -> str:
    """Return a progress event as a line of the status bar."""
    parts = [event.what]
    if event.total:
        unit = f" {event.unit}" if event.unit else ""
        parts.append(f"{event.done} of {event.total}{unit}")
    if event.detail:
        parts.append(event.detail)
    return ", ".join(parts)

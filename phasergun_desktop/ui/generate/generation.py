"""The course of one generation: its events to the editor, its progress to the status bar."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.background.stop_flag import StopFlag
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.writing.model import (
    AnswerResult,
    AnswerStatus,
    FirstToken,
    PointStarted,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

PATIENCE_MS = 800


def utc_now() -> str:
    """Return the time as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """What is to be written: a plan of a prompt, with the model or without."""

    plan: Plan
    prompt_file: str
    uses_model: bool
    model: str = ""

    def new_draft(self) -> Draft:
        """Return the empty draft that the text is kept in while it grows."""
        now = utc_now()
        return Draft(
            draft_id=uuid.uuid4().hex,
            title=self.plan.title or _first_words(self.plan.task),
            prompt_file=self.prompt_file,
            prompt=self.plan.prompt,
            status="writing",
            units=(),
            footnotes=(),
            created=now,
            modified=now,
            model=self.model if self.uses_model else "",
            profile=self.plan.profile,
        )


def _first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:8]) + ("…" if len(words) > 8 else "")


@dataclass(frozen=True, slots=True)
class FinishedDraft:
    """The result of a generation and the draft as it was kept; one of its warnings says where it
    could not be."""

    result: AnswerResult
    draft: Draft


class Generation(QObject):
    """Runs one draft at a time on the answering thread."""

    begun = Signal(object)
    text_streamed = Signal(str)
    unit_bound = Signal(object, object)
    stream_discarded = Signal()
    point_started = Signal(int)
    progressed = Signal(str)
    first_token_came = Signal(float)
    completed = Signal(object)
    failed = Signal(object)
    ended = Signal()
    # An abandoned job is over too, and has kept its draft.
    settled = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: JobHandle | None = None
        self._clock = QElapsedTimer()
        # Whatever the job is busy with, the writer has the desk back within a second.
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.abandon)
        self._has_started = False
        self._point = ""
        self._has_first_token = False

    @property
    def is_running(self) -> bool:
        """Whether a draft is being written."""
        return self._job is not None

    def start(self, session: ProjectSession, request: GenerationRequest) -> None:
        """Write what was planned; ``begun`` comes before this returns."""
        if self._job is not None:
            return
        draft = request.new_draft()

        def make_job(stop: StopFlag) -> Job[FinishedDraft]:
            result = yield from session.draft(
                request.plan, should_stop=stop.is_set, use_model=request.uses_model
            )
            return FinishedDraft(result, session.keep(result, request.prompt_file, draft.draft_id))

        self._point, self._has_first_token, self._has_started = "", False, False
        self._clock.start()
        # Stopped drafts return what they have; closing the job would throw it away.
        self._job = self._runner.submit(make_job, ends_itself=True)
        self._job.started.connect(self._on_started)
        self._job.event_received.connect(self._on_event)
        self._job.succeeded.connect(self.completed)
        self._job.failed.connect(self.failed)
        self._job.finished.connect(self._on_finished)
        self.begun.emit(draft)
        self.progressed.emit("Getting ready to write…")

    def stop(self) -> None:
        """Ask the draft to stop; what is written stays."""
        if self._job is None or self._job.is_stopping:
            return
        if not self._has_started:
            # It waits for the model to load, which nothing can hurry.
            self.abandon()
            return
        self._job.cancel()
        self.progressed.emit("Stopping…")
        self._patience.start()

    def abandon(self) -> None:
        """Stop and hear no more of it: another project comes into view. What was written
        until now is kept by the job itself."""
        job = self._job
        if job is None:
            return
        job.cancel()
        job.started.disconnect(self._on_started)
        job.event_received.disconnect(self._on_event)
        job.succeeded.disconnect(self.completed)
        job.failed.disconnect(self.failed)
        job.finished.disconnect(self._on_finished)
        job.finished.connect(self.settled)
        self._on_finished()

    def _on_started(self) -> None:
        self._has_started = True

    def _on_finished(self) -> None:
        self._patience.stop()
        self._job = None
        self.ended.emit()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            self._on_text(event)
        elif isinstance(event, UnitBound):
            self.unit_bound.emit(event.unit, event.footnotes)
        elif isinstance(event, StreamDiscarded):
            self.stream_discarded.emit()
        elif isinstance(event, PointStarted):
            self._on_point(event)
        elif isinstance(event, FirstToken):
            self._on_first_token(event.first_token_ms)
        elif isinstance(event, Progress):
            self.progressed.emit(progress_in_words(event))

    def _on_point(self, event: PointStarted) -> None:
        self._point = f"point {event.index + 1} of {event.total}"
        reading = f" ({event.prompt_tokens:,} tokens)" if event.prompt_tokens else ""
        self.progressed.emit(f"Reading the sources for {self._point}{reading}…")
        self.point_started.emit(event.index)

    def _on_text(self, event: TextStreamed) -> None:
        self._on_first_token(float(self._clock.elapsed()))
        speed = f", {event.tokens_per_second:.0f} tok/s" if event.tokens_per_second >= 1 else ""
        self.progressed.emit(f"Writing {self._point or 'the draft'}{speed}")
        self.text_streamed.emit(event.text)

    def _on_first_token(self, milliseconds: float) -> None:
        if not self._has_first_token:
            self._has_first_token = True
            self.first_token_came.emit(milliseconds)


def progress_in_words(event: Progress) -> str:
    """Return a progress event as a line of the status bar."""
    parts = [event.what]
    if event.total:
        unit = f" {event.unit}" if event.unit else ""
        parts.append(f"{event.done} of {event.total}{unit}")
    if event.detail:
        parts.append(event.detail)
    return ", ".join(parts)


def outcome_in_words(result: AnswerResult) -> str:
    """Say how a generation ended."""
    seconds = result.metrics.total_ms / 1000
    took = f" in {seconds:.0f} s" if seconds >= 1 else ""
    if result.status is AnswerStatus.CANCELLED:
        return "Stopped; what was written so far is kept"
    if result.status is AnswerStatus.ABSTAINED:
        return f"Nothing written: {result.missing or 'the sources do not answer this prompt.'}"
    if result.status is AnswerStatus.COMPLETE:
        return f"Draft written{took}"
    if result.error is not None:
        kept = "; what was written so far is kept" if result.sentences else ""
        return f"{result.error.message} {result.error.remedy}".strip() + kept
    return "; ".join(result.warnings) or "The draft could not be written"

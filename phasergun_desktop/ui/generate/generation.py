"""The course of one generation: its events to the editor, its progress to the status bar."""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.ui.model_job import ModelJob
from phasergun_desktop.workspace.prompt_titles import prompt_title
from phasergun_desktop.writing.model import (
    AnswerResult,
    AnswerStatus,
    FirstToken,
    PointStarted,
    TextStreamed,
)

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


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
            title=self.plan.title or prompt_title(self.prompt_file, self.plan.task),
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


@dataclass(frozen=True, slots=True)
class FinishedDraft:
    """The result of a generation and the draft as it was kept; one of its warnings says where it
    could not be."""

    result: AnswerResult
    draft: Draft


class Generation(ModelJob):
    """Runs one draft at a time."""

    begun = Signal(object)
    point_started = Signal(int)
    first_token_came = Signal(float)
    # An abandoned job is over too, and has kept its draft.
    settled = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(runner, parent)
        self._clock = QElapsedTimer()
        self._point = ""
        self._has_first_token = False

    def start(self, session: ProjectSession, request: GenerationRequest) -> None:
        """Write what was planned; ``begun`` comes before this returns."""
        if self._job is not None:
            return
        draft = request.new_draft()

        def make_job(stop: threading.Event) -> Job[FinishedDraft]:
            result = yield from session.draft(
                request.plan, should_stop=stop.is_set, use_model=request.uses_model
            )
            return FinishedDraft(result, session.keep(result, request.prompt_file, draft.draft_id))

        self._point, self._has_first_token = "", False
        self._clock.start()
        self._submit(make_job)
        self.begun.emit(draft)
        self.progressed.emit("Getting ready to write…")

    def _on_abandoned(self, job: JobHandle) -> None:
        job.finished.connect(self.settled)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            self._on_text(event)
        elif isinstance(event, PointStarted):
            self._on_point(event)
        elif isinstance(event, FirstToken):
            self._on_first_token(event.first_token_ms)
        super()._on_event(event)

    def _on_point(self, event: PointStarted) -> None:
        self._point = f"point {event.index + 1} of {event.total}"
        self.progressed.emit(f"Reading the sources for {self._point}…")
        self.point_started.emit(event.index)

    def _on_text(self, event: TextStreamed) -> None:
        self._on_first_token(float(self._clock.elapsed()))
        speed = f", {event.tokens_per_second:.0f} tok/s" if event.tokens_per_second >= 1 else ""
        self.progressed.emit(f"Writing {self._point or 'the draft'}{speed}")

    def _on_first_token(self, milliseconds: float) -> None:
        if not self._has_first_token:
            self._has_first_token = True
            self.first_token_came.emit(milliseconds)


def outcome_in_words(result: AnswerResult) -> str:
    """Say how a generation ended."""
    seconds = result.metrics.total_ms / 1000
    took = f" in {seconds:.0f} s" if seconds >= 1 else ""
    if result.status is AnswerStatus.CANCELLED:
        return "Stopped; what was written so far is kept"
    if result.status is AnswerStatus.ABSTAINED:
        return f"Nothing written; not in the documents: {result.missing or 'what is asked for'}"
    if result.status is AnswerStatus.COMPLETE:
        return f"Draft written{took}"
    if result.error is not None:
        kept = "; what was written so far is kept" if result.sentences else ""
        return f"{result.error.message} {result.error.remedy}".strip() + kept
    return "; ".join(result.warnings) or "The draft could not be written"

"""The course of one question: its events to the conversation, its progress to the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.conversations.model import Question, TurnStarted
from phasergun_desktop.jobs import Event
from phasergun_desktop.ui.model_job import ModelJob
from phasergun_desktop.ui.wording import count
from phasergun_desktop.writing.model import PlanReady, TextStreamed

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

LOOKING = "Looking through the documents…"


class Asking(ModelJob):
    """Runs one question at a time."""

    begun = Signal(str, object)
    # The turn that ran is kept by the job itself, though nobody waited for it.
    abandoned = Signal()

    def start(
        self, session: ProjectSession, question: Question, conversation_id: str, again: int = 0
    ) -> None:
        """Ask; see ``ProjectSession.ask``."""
        if self._job is not None:
            return
        self._submit(
            lambda stop: session.ask(
                question, conversation_id, should_stop=stop.is_set, again=again
            )
        )

    def _on_started(self) -> None:
        super()._on_started()
        self.progressed.emit(LOOKING)

    def _on_abandoned(self, job: JobHandle) -> None:
        self.abandoned.emit()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TurnStarted):
            self.begun.emit(event.conversation_id, event.turn)
        elif isinstance(event, PlanReady):
            found = len({passage.file for passage in event.plan.passages})
            if found:
                self.progressed.emit(f"Reading {count(found, 'document')}…")
        elif isinstance(event, TextStreamed):
            self.progressed.emit("Writing the answer…")
        super()._on_event(event)

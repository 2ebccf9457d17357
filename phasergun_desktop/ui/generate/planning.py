"""Fetches plans beside the window's thread; only the newest counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.planning.model import Plan

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class Planning(QObject):
    """One plan at a time; asking again drops the answer that is still to come."""

    planned = Signal(str, object)
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: JobHandle | None = None
        self._newest: tuple[ProjectSession, Plan] | None = None

    def made(self, plan: Plan, session: ProjectSession) -> bool:
        """Whether ``plan`` is the newest one and of this session's project."""
        newest = self._newest
        return newest is not None and newest[0] is session and newest[1] is plan

    def request(
        self,
        session: ProjectSession,
        prompt: str,
        template: str = "",
        agent: str = "",
        profile: str = "",
    ) -> None:
        """Plan ``prompt`` with a template's outline or its own, for an agent or for nobody, with a
        profile or the project's; ``planned`` or ``failed`` follows."""
        self.cancel()
        job = self._runner.submit_call(
            lambda: session.plan(
                prompt,
                template,
                profile=profile,
                agent=session.agent(agent) if agent else None,
            )
        )
        self._job = job

        def on_planned(plan: Plan) -> None:
            if job is self._job:
                self._newest = (session, plan)
                self.planned.emit(prompt, plan)

        def on_failed(error: Exception) -> None:
            if job is self._job:
                self.failed.emit(error)

        job.succeeded.connect(on_planned)
        job.failed.connect(on_failed)

    def cancel(self) -> None:
        """Drop the plan that is still to come."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

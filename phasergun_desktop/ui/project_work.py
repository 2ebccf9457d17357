"""What flows have done for the project in view, and how they speak of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.ui.message_bar import MessageBar
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.projects.project_sync import ProjectSync
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.status_bar import DeskStatusBar

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

ResultT = TypeVar("ResultT")


class ProjectWork:
    """``say`` writes into the status bar, ``tell`` shows a sentence until it is closed or
    ``untell`` takes it back, ``report`` tells of a failure."""

    def __init__(
        self,
        keeper: ProjectKeeper,
        runners: Runners,
        reporter: ProblemReporter,
        status_bar: DeskStatusBar,
        message_bar: MessageBar,
    ) -> None:
        self._keeper = keeper
        self.runners = runners
        self.say = status_bar.show_work
        self.tell = message_bar.show_text
        self.untell = message_bar.hide_text
        self.report = reporter.report

    @property
    def session(self) -> ProjectSession | None:
        """The session of the project in view."""
        return self._keeper.session

    @property
    def sync(self) -> ProjectSync | None:
        """What keeps the index of the project in view up to date."""
        return self._keeper.current

    def call(
        self,
        work: Callable[[], ResultT],
        then: Callable[[ResultT], object] | None = None,
        *,
        failed: Callable[[Exception], object] | None = None,
        must_run: bool = False,
    ) -> JobHandle:
        """Do ``work`` beside the window's thread, then ``then`` with its result if the same project
        is still in view. A failure is reported unless ``failed`` takes it."""
        session = self.session
        job = self.runners.interactive.submit_call(work, must_run=must_run)

        def on_done(result: ResultT) -> None:
            if then is not None and session is self.session:
                then(result)

        job.succeeded.connect(on_done)
        job.failed.connect(failed or self.report)
        return job

    def do(
        self,
        work: Callable[[ProjectSession], ResultT],
        then: Callable[[ResultT], object] | None = None,
        *,
        failed: Callable[[Exception], object] | None = None,
        must_run: bool = False,
    ) -> None:
        """See ``call``: ``work`` is handed the session; without one nothing is done."""
        session = self.session
        if session is not None:
            self.call(lambda: work(session), then, failed=failed, must_run=must_run)

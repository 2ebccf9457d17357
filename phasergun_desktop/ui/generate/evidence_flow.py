"""What happens with the evidence of a plan: passages found by hand, and what a change costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QTimer

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.evidence_rows import BoardRow
from phasergun_desktop.ui.search.passage_search import PassageSearch

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

SETTLE_MS = 150


class EvidenceFlow(Flow):
    """Connects the evidence board with the session."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._board = desk.parts.prompt_panel.board
        self._session: ProjectSession | None = None
        self._job: JobHandle | None = None
        self._waiting: Plan | None = None
        self.search = PassageSearch(desk.work.runners.interactive, desk.window)
        self.search.hide()
        # A writer ticks faster than plans are worth completing.
        self._idle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._idle.timeout.connect(self._settle)
        self.search.failed.connect(desk.work.report)
        self.search.hit_activated.connect(self._on_row_chosen)
        self._board.add_wanted.connect(self._on_add_wanted)
        desk.parts.prompt_panel.plan_changed.connect(self._on_plan_changed)

    def set_session(self, session: ProjectSession | None) -> None:
        """Work on the evidence of another project from now on."""
        self._idle.stop()
        self._drop_job()
        self._waiting = None
        self._session = session
        self.search.hide()
        self.search.set_session(session)

    # Passages of the writer's own -------------------------------------------------------------

    def _on_add_wanted(self, need: int, where: QPoint) -> None:
        name = self._board.need_name(need)
        ticked = {unit.place for unit in self._board.evidence.needs[need].ticked}
        self.search.open_at(where, need, name, ticked)

    def _on_row_chosen(self, row: BoardRow) -> None:
        need, unit = self.search.need, row.unit
        if unit is not None and 0 <= need < len(self._board.evidence.needs):
            self._board.add(need, unit)
            self.search.note_added(unit.place, self._board.need_name(need))

    # Settling ---------------------------------------------------------------------------------

    def _on_plan_changed(self, plan: Plan) -> None:
        self._waiting = plan
        self._idle.start()

    def _settle(self) -> None:
        session, plan = self._session, self._waiting
        self._drop_job()
        if session is None or plan is None:
            return

        def on_settled(settled: Plan) -> None:
            if job is self._job:
                self._prompt_panel.show_settled(plan, settled)

        job = self._work.call(lambda: session.settled(plan), on_settled)
        self._job = job

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

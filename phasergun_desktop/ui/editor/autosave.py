"""Keeps the draft on the disk a second after it changed, beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.ports import SessionPort

DELAY_MS = 1000


class Autosave(QObject):
    """While the draft changes it is saved once a second, the last time a second after the end."""

    saved = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        snapshot: Callable[[], Draft | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._snapshot = snapshot
        self._session: SessionPort | None = None
        self._is_dirty = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.save_now)

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that is not on its way to the disk."""
        return self._is_dirty

    def set_session(self, session: SessionPort | None) -> None:
        """Save to another project from now on; call ``flush`` before."""
        self._session = session
        self._is_dirty = False
        self._timer.stop()

    def mark_dirty(self) -> None:
        """The draft changed."""
        self._is_dirty = True
        if not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> None:
        """Send the draft to the disk; ``saved`` or ``failed`` follows."""
        session, draft = self._take()
        if session is None or draft is None:
            return
        job = self._runner.submit_call(lambda: session.drafts.save(draft))
        job.succeeded.connect(lambda _none: self.saved.emit(draft))
        job.failed.connect(self._on_failed)

    def flush(self) -> None:
        """Save on this thread if something is unsaved; for closing and switching."""
        session, draft = self._take()
        if session is None or draft is None:
            return
        try:
            session.drafts.save(draft)
        except PhaserGunError as error:
            self._on_failed(error)

    def _take(self) -> tuple[SessionPort | None, Draft | None]:
        self._timer.stop()
        if not self._is_dirty or self._session is None:
            return None, None
        self._is_dirty = False
        return self._session, self._snapshot()

    def _on_failed(self, error: Exception) -> None:
        # It stays dirty: the next change tries again, and so does closing.
        self._is_dirty = True
        self.failed.emit(error)

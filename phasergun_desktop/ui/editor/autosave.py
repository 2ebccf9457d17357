"""Keeps the draft on the disk a second after it changed, beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle
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
        self._last_save: JobHandle | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.save_now)

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that is not on its way to the disk."""
        return self._is_dirty

    def set_session(self, session: SessionPort | None) -> None:
        """Save to another project from now on; call ``save_now`` before."""
        self._session = session
        self._is_dirty = False
        self._last_save = None
        self._timer.stop()

    def mark_dirty(self) -> None:
        """The draft changed."""
        self._is_dirty = True
        if not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> None:
        """Send the draft to the disk, after what was sent before; ``saved`` or ``failed``
        follows."""
        session, draft = self._take()
        if session is None or draft is None:
            return
        job = self._runner.submit_call(lambda: session.drafts.save(draft), must_run=True)
        self._last_save = job

        def on_failed(error: Exception) -> None:
            if session is self._session:
                # It stays dirty: the next change tries again, and so does closing.
                self._is_dirty = True
            self.failed.emit(error)

        def on_finished() -> None:
            if job is self._last_save:
                self._last_save = None

        job.succeeded.connect(lambda _none: self.saved.emit(draft))
        job.failed.connect(on_failed)
        job.finished.connect(on_finished)

    def flush(self) -> None:
        """Save on this thread whatever is not known to be on the disk; for closing, when nothing
        is saved beside the window's thread any more."""
        # Nobody hears any more how a save ended that was under way at the end.
        self._is_dirty |= self._last_save is not None
        session, draft = self._take()
        if session is None or draft is None:
            return
        try:
            session.drafts.save(draft)
        except PhaserGunError as error:
            self._is_dirty = True
            self.failed.emit(error)

    def _take(self) -> tuple[SessionPort | None, Draft | None]:
        self._timer.stop()
        if not self._is_dirty or self._session is None:
            return None, None
        self._is_dirty = False
        return self._session, self._snapshot()

"""Keeps the index of one open project true to its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.sync.events import FileChanged

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class ProjectSync(QObject):
    """One sync at a time; a change during a sync makes one more follow."""

    file_changed = Signal(object)
    progressed = Signal(object)
    synced = Signal(object)
    failed = Signal(object)

    # Emitted on the watcher's thread; a queued connection carries it here.
    _dirtied = Signal()

    def __init__(
        self, session: ProjectSession, runner: JobRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self._runner = runner
        self._job: JobHandle | None = None
        self._runs_again = False
        self.is_paused = False
        self._retries = False
        self._renews = False
        self._retry_files: frozenset[str] = frozenset()
        self._stop_watching: Callable[[], None] | None = None
        self._dirtied.connect(self.request, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """Whether a sync runs or waits."""
        return self._job is not None

    def watch(self) -> None:
        """Sync whenever the folder changes."""
        if self._stop_watching is None:
            self._stop_watching = self.session.watch(self._dirtied.emit)

    def request(self) -> None:
        """Sync now, or once more when the running one is over; when paused, later."""
        if self._job is not None:
            self._runs_again = True
            return
        if self.is_paused:
            return
        retries, self._retries = self._retries, False
        files, self._retry_files = self._retry_files, frozenset()
        renews = self._renews
        self._job = self._runner.submit(
            lambda _stop: self.session.sync(retry_failed=retries, retry_files=files, renew=renews)
        )
        self._job.event_received.connect(self._on_event)
        self._job.succeeded.connect(self.synced)
        self._job.failed.connect(self.failed)
        self._job.finished.connect(self._on_finished)

    def renew(self) -> None:
        """Sync, and from now on make anew what another version has made, however long it takes."""
        self._renews = True
        self.request()

    def retry(self) -> None:
        """Sync, and read again the files that could not be read."""
        self._retries = True
        self.request()

    def retry_files(self, files: Iterable[str]) -> None:
        """Sync, and read these files again though they have not changed."""
        self._retry_files |= frozenset(files)
        self.request()

    def cancel(self) -> None:
        """Stop reading after the current file; nothing that was read is lost."""
        self._runs_again = self._retries = False
        self._retry_files = frozenset()
        if self._job is not None:
            self._job.cancel()

    def set_paused(self, *, is_paused: bool) -> None:
        """Stop reading after the current file and begin no sync, or go on where it stopped."""
        self.is_paused = is_paused
        if not is_paused:
            self.request()
        elif self._job is not None:
            self._job.cancel()

    def stop(self) -> None:
        """Stop watching and reading: the project is closed."""
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        self.cancel()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, FileChanged):
            self.file_changed.emit(event.record)
        elif isinstance(event, Progress):
            self.progressed.emit(event)

    def _on_finished(self) -> None:
        self._job = None
        if self._runs_again:
            self._runs_again = False
            self.request()

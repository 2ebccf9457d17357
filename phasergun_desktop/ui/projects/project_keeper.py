"""The projects that are open: the one in view, and the others that are kept up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.sync.scan_clock import TICK_S, ScanClock
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.projects.project_sync import ProjectSync
from phasergun_desktop.ui.runners import Runners

if TYPE_CHECKING:
    from phasergun_desktop.projects.project_records import RegisteredProject
    from phasergun_desktop.workspace.session import ProjectSession


class ProjectKeeper(QObject):
    """Opens projects beside the window's thread; the one in view is synced first."""

    current_changed = Signal(object)
    # A folder that was chosen looks like a project whose folder is gone: both folders.
    moved_found = Signal(object, object)
    known_changed = Signal()
    failed = Signal(object)
    file_changed = Signal(object)
    progressed = Signal(object)
    synced = Signal(object)
    paused_changed = Signal(bool)

    def __init__(
        self, workspace: AnyWorkspace, runners: Runners, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._runners = runners
        self._open: dict[Path, ProjectSync] = {}
        # What is being forgotten, and what opens it anew when that is over.
        self._forgetting: dict[Path, Callable[[], None] | None] = {}
        self._current: Path | None = None
        self._wanted: Path | None = None
        self._others_opened = False
        self.is_paused = False
        self._clock = ScanClock()
        self._timer = QTimer(self, interval=round(TICK_S * 1000))
        self._timer.timeout.connect(self._on_tick)
        self._timer.start()

    @property
    def current(self) -> ProjectSync | None:
        """The project in view."""
        return self._open.get(self._current) if self._current is not None else None

    @property
    def session(self) -> ProjectSession | None:
        """The session of the project in view."""
        current = self.current
        return current.session if current is not None else None

    @property
    def sessions(self) -> tuple[ProjectSession, ...]:
        """Every open session."""
        return tuple(one.session for one in self._open.values())

    def show(self, root: Path) -> None:
        """Open a folder, or switch to it; ``current_changed`` or ``failed`` follows."""
        self._open_with(root, lambda: self._workspace.open(root))

    def look_up(self, root: Path) -> None:
        """Open a folder that was chosen, unless it may be a project that was moved; then
        ``moved_found`` follows."""
        self._wanted = root
        job = self._runners.interactive.submit_call(lambda: self._workspace.moved_from(root))

        def on_found(candidates: tuple[RegisteredProject, ...]) -> None:
            if self._wanted is not root:
                return
            if candidates:
                self.moved_found.emit(candidates[0].root, root)
            else:
                self.show(root)

        job.succeeded.connect(on_found)
        job.failed.connect(self.failed)

    def show_moved(self, old_root: Path, root: Path) -> None:
        """Open a folder as the project that was in another one."""
        self._open_with(root, lambda: self._workspace.open_moved(old_root, root))

    def create(self, root: Path) -> None:
        """Make a project folder and open it."""
        self._open_with(root, lambda: self._workspace.create(root))

    def show_sample(self) -> None:
        """Open the sample project."""
        self._open_with(None, lambda: self._workspace.open(self._workspace.sample()))

    def forget(self, root: Path) -> None:
        """Close a project and drop it from the list with its index."""
        is_forgetting = root in self._forgetting
        self._forgetting[root] = None
        if is_forgetting:
            return
        sync = self._open.pop(root, None)
        if self._current == root:
            self._current = None
            self.current_changed.emit(None)
        if sync is not None:
            sync.stop()
            sync.deleteLater()

        def forget() -> None:
            if sync is not None:
                sync.session.close()
            self._workspace.forget(root)

        def on_saved(_none: object) -> None:
            # On the thread that writes the index: a sync that is still ending comes first.
            job = self._runners.indexing.submit_call(forget)
            job.succeeded.connect(lambda _none: self.known_changed.emit())
            job.failed.connect(self.failed)
            job.finished.connect(on_forgotten)

        def on_forgotten() -> None:
            open_again = self._forgetting.pop(root)
            if open_again is not None and self._wanted == root:
                open_again()

        # Behind the saves of its draft: the session must be open for them.
        self._runners.interactive.submit_call(lambda: None).succeeded.connect(on_saved)

    def open_others(self) -> None:
        """Open and sync the other known projects, one after the other, in the background."""
        if self._others_opened:
            return
        self._others_opened = True
        for known in self._workspace.known():
            if known.root not in (*self._open, *self._forgetting):
                self._open_quietly(known)

    def note_typing(self) -> None:
        """Leave the machine to the writer for some seconds."""
        if self.session is not None:
            self.session.note_typing()

    def set_paused(self, *, is_paused: bool) -> None:
        """Read nothing in any project, or go on."""
        if is_paused == self.is_paused:
            return
        self.is_paused = is_paused
        for sync in self._in_turn():
            sync.set_paused(is_paused=is_paused)
        self.paused_changed.emit(is_paused)

    def close(self) -> None:
        """Stop watching and reading everywhere; sessions are closed by the workspace."""
        self._timer.stop()
        for sync in self._open.values():
            sync.stop()

    def _in_turn(self) -> list[ProjectSync]:
        return sorted(self._open.values(), key=lambda one: one is not self.current)

    def _on_tick(self) -> None:
        if self._clock.is_due():
            for sync in self._in_turn():
                sync.request()

    def _open_with(self, root: Path | None, make: Callable[[], ProjectSession]) -> None:
        self._wanted = root
        if root is not None and root in self._forgetting:
            # What is forgotten would go from under the one that is open again.
            self._forgetting[root] = lambda: self._open_with(root, make)
            return
        if root is not None and root in self._open:
            self._show_open(root)
            noted = self._runners.interactive.submit_call(lambda: self._workspace.note_opened(root))
            noted.succeeded.connect(lambda _none: self.known_changed.emit())
            return
        job = self._runners.interactive.submit_call(make)

        def on_opened(session: ProjectSession) -> None:
            key = self._add(session)
            if self._wanted is root:
                self._show_open(key)

        job.succeeded.connect(on_opened)
        job.failed.connect(self.failed)

    def _open_quietly(self, known: RegisteredProject) -> None:
        def open_it() -> ProjectSession | None:
            # Asked here: a disk that does not answer must not hold the window up.
            return self._workspace.open(known.root, is_aside=True) if known.exists else None

        def on_opened(session: ProjectSession | None) -> None:
            if session is not None:
                self._sync(self._add(session))

        self._runners.indexing.submit_call(open_it).succeeded.connect(on_opened)

    def _add(self, session: ProjectSession) -> Path:
        root = session.project.root
        there = self._open.get(root)
        if there is not None and there.session is not session:
            # The same folder under another name: it is open already.
            session.close()
        if there is None:
            sync = ProjectSync(session, self._runners.indexing, self)
            sync.file_changed.connect(lambda record: self._tell(sync, self.file_changed, record))
            sync.progressed.connect(lambda event: self._tell(sync, self.progressed, event))
            sync.synced.connect(lambda report: self._on_synced(sync, report))
            sync.failed.connect(lambda error: self._tell(sync, self.failed, error))
            if self.is_paused:
                sync.set_paused(is_paused=True)
            self._open[root] = sync
        return root

    def _show_open(self, root: Path) -> None:
        if root == self._current:
            # The desk is as the writer left it; only the folder is looked at again.
            self._sync(root)
            return
        self._current = root
        self.known_changed.emit()
        self.current_changed.emit(self._open[root].session)
        self._sync(root)

    def _sync(self, root: Path) -> None:
        sync = self._open.get(root)
        if sync is None:
            return
        if root == self._current:
            # The project in view comes first; the others go on behind it.
            waiting = [one for one in self._open.values() if one is not sync and one.is_running]
            for other in waiting:
                other.cancel()
            sync.request()
            for other in waiting:
                other.request()
        else:
            sync.request()
        sync.watch()

    def _tell(self, sync: ProjectSync, signal: object, value: object) -> None:
        if sync is self.current:
            signal.emit(value)  # type: ignore[attr-defined]

    def _on_synced(self, sync: ProjectSync, report: object) -> None:
        self._tell(sync, self.synced, report)
        if sync is self.current:
            self.open_others()

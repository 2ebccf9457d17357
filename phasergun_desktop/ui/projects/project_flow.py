"""What happens with projects: opened, switched, forgotten, their files shown outside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox

from phasergun_desktop.ui.confirmation import confirm
from phasergun_desktop.ui.dialogs.salvage_dialog import SalvageDialog
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.projects.contents_flow import ContentsFlow
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.projects.project_tree_model import NodeKind

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class ProjectFlow(Flow):
    """Connects the list of projects with those that are open."""

    session_changed = Signal(object)

    def __init__(
        self, desk: Desk, workspace: AnyWorkspace, keeper: ProjectKeeper, contents: ContentsFlow
    ) -> None:
        super().__init__(desk)
        self._workspace = workspace
        self._keeper = keeper
        self._start_page = desk.parts.start_page
        self._contents = contents
        # Calls back when nothing of a project can be lost by closing it for good.
        self.may_forget: Callable[[ProjectSession, Callable[[], None]], None] = (
            lambda _session, forget: forget()
        )
        desk.parts.project_panel.switch_wanted.connect(keeper.show)
        desk.parts.start_page.project_chosen.connect(keeper.show)
        keeper.current_changed.connect(self._on_current_changed)
        keeper.known_changed.connect(self.show_known)
        keeper.moved_found.connect(self.ask_whether_moved)
        keeper.failed.connect(desk.work.report)

    # Projects -------------------------------------------------------------------------------

    def show_known(self) -> None:
        """Bring the list of projects up to date."""
        session = self._work.session
        current = session.project.root if session is not None else None
        known = self._workspace.known()
        self._project_panel.show_projects(known, current)
        self._start_page.show_recent(known)

    def open_folder(self) -> None:
        """Ask for a folder and open it."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open a project folder")
        if chosen:
            self._keeper.look_up(Path(chosen))

    def ask_whether_moved(self, old_root: Path, root: Path) -> None:
        """Ask whether a folder is a project that was somewhere else, and open it as is said."""
        confirm(
            self._window,
            "Open a project folder",
            f"Is “{root.name}” the project that was in {old_root}?",
            "Its files look the same, and that folder is gone. If it was moved, its drafts, "
            "conversations and activity log go on here.",
            {
                "It was moved": lambda: self._keeper.show_moved(old_root, root),
                "Another project": lambda: self._keeper.show(root),
            },
            QMessageBox.ButtonRole.AcceptRole,
        )

    def new_project(self) -> None:
        """Ask where the new project is to be and make it."""
        chosen = QFileDialog.getSaveFileName(
            self._window, "Name and place of the new project folder", str(Path.home() / "Project")
        )[0]
        if chosen:
            self._keeper.create(Path(chosen))

    def next_project(self) -> None:
        """Switch to the project after the one in view."""
        roots = [one.root for one in self._workspace.known() if one.exists]
        session = self._work.session
        if len(roots) > 1 and session is not None:
            # By name: the order of last use would only ever swap two.
            ordered = sorted(roots, key=lambda root: (root.name.lower(), str(root)))
            here = ordered.index(session.project.root) if session.project.root in ordered else 0
            self._keeper.show(ordered[(here + 1) % len(ordered)])

    def forget_project(self) -> None:
        """Ask, then drop the project in view from the list."""
        session = self._work.session
        if session is None:
            return
        root = session.project.root
        confirm(
            self._window,
            "Forget this project",
            f"Forget “{session.project.name}”?",
            "Its index and the passwords of its documents are removed. The folder, your drafts "
            "and the activity log stay; opening the folder again brings drafts and log back.",
            {"Forget": lambda: self.may_forget(session, lambda: self._keeper.forget(root))},
        )

    def sync(self) -> None:
        """Read the folder again, also where reading was paused or takes over a minute."""
        self._keeper.set_paused(is_paused=False)
        if self._keeper.current is not None:
            self._keeper.current.renew()

    def retry(self) -> None:
        """Read the folder again, with the files that could not be read."""
        self._keeper.set_paused(is_paused=False)
        if self._keeper.current is not None:
            self._keeper.current.retry()

    def clear_vectors(self) -> None:
        """Delete the vectors that projects share; each has its own besides."""
        self._work.call(
            self._workspace.clear_shared_vectors,
            lambda size: self._work.say(f"Cleared {size / 1e6:.0f} MB; every index is as it was"),
        )

    # The session ----------------------------------------------------------------------------

    def _on_current_changed(self, session: ProjectSession | None) -> None:
        self._contents.clear()
        self.session_changed.emit(session)
        if session is None:
            self._contents.begin(None)
            self.show_known()
            return
        if session.warnings:
            self._work.tell(" ".join(session.warnings))
        if session.salvage is not None:
            SalvageDialog(session.salvage, self._window).open()
        self._contents.begin(session)

    # One file -------------------------------------------------------------------------------

    def selected_path(self, file: str = "") -> Path | None:
        """Return the path of ``file``, or of the selected file; None if there is none."""
        session = self._work.session
        node = self._project_panel.current_node()
        if not file and node is not None and node.kind is not NodeKind.GROUP:
            file = node.key if node.kind is not NodeKind.DRAFT else ""
        return session.project.root / file if session is not None and file else None

    def open_external(self, file: str = "") -> None:
        """Open a file in its own application."""
        path = self.selected_path(file)
        if path is not None and self._is_there(path):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def show_in_folder(self, file: str = "") -> None:
        """Open the folder that a file is in."""
        path = self.selected_path(file)
        if path is not None and self._is_there(path.parent):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))

    def _is_there(self, path: Path) -> bool:
        if not path.exists():
            text = f"“{path.name}” is not in the folder any more; read the folder again (F5)."
            self._work.tell(text)
        return path.exists()

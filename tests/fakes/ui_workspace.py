"""A workspace of fake sessions, with the signatures of the real one."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.errors import DocumentError
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.project_records import RegisteredProject
from phasergun_desktop.workspace.workspace import Workspace
from tests.fakes.ui_models import FakeModelChoices
from tests.fakes.ui_session import FakeSession


class FakeWorkspace(Workspace):
    """Projects by folder, which is made; one named ``missing`` cannot be opened."""

    language_models: FakeModelChoices

    def __init__(self, *roots: Path) -> None:
        for root in roots:
            root.mkdir(exist_ok=True)
        self.sessions = {root: _session(root) for root in roots}
        # Last opened first.
        self.opened = list(roots)
        self.is_closed = False
        self.cleared = 0
        self.moved: dict[Path, Path] = {}
        self.language_models = FakeModelChoices()

    def known(self) -> tuple[RegisteredProject, ...]:
        ordered = sorted(self.sessions, key=lambda root: (*self.opened, root).index(root))
        return tuple(RegisteredProject(root, root.name, root.name, "") for root in ordered)

    def open(self, root: Path, *, is_aside: bool = False) -> FakeSession:
        if root.name == "missing":
            raise DocumentError("Folder missing", f"{root.name} is not there.", "Choose another.")
        if not is_aside:
            self.note_opened(root)
        return self.sessions.setdefault(root, _session(root))

    def note_opened(self, root: Path) -> None:
        self.opened = [root, *(one for one in self.opened if one != root)]

    def create(self, root: Path) -> FakeSession:
        root.mkdir(parents=True, exist_ok=True)
        return self.open(root)

    def moved_from(self, root: Path) -> tuple[RegisteredProject, ...]:
        old = self.moved.get(root)
        return () if old is None else (RegisteredProject(old, old.name, old.name, ""),)

    def open_moved(self, old_root: Path, root: Path) -> FakeSession:
        return self.sessions.setdefault(root, self.sessions.pop(old_root))

    def forget(self, root: Path) -> None:
        del self.sessions[root]

    def clear_shared_vectors(self) -> int:
        self.cleared += 1
        return 12_300_000

    def sample(self) -> Path:
        return Path("sample")

    def close(self) -> None:
        self.is_closed = True


def _session(root: Path) -> FakeSession:
    return FakeSession(Project(root, root.name, root.name))

"""Stands in for the workspace until it is needed, so that the window need not wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from phasergun_desktop.projects.project_records import RegisteredProject
    from phasergun_desktop.workspace.model_choices import ModelChoices
    from phasergun_desktop.workspace.session import ProjectSession
    from phasergun_desktop.workspace.workspace import Workspace

# What the window works with.
AnyWorkspace: TypeAlias = "Workspace | LateWorkspace"


class LateWorkspace:
    """Makes the workspace at the first project that is opened, on the thread that opens it.

    Putting the product together imports its libraries, most of a second; ``known`` is answered
    by a cheaper source meanwhile.
    """

    def __init__(
        self, make: Callable[[], Workspace], known: Callable[[], tuple[RegisteredProject, ...]]
    ) -> None:
        self._make = make
        self._known = known
        self._lock = threading.Lock()
        self._made: Workspace | None = None

    def known(self) -> tuple[RegisteredProject, ...]:
        """Projects, last opened first."""
        return self._known()

    @property
    def language_models(self) -> ModelChoices:
        """What can be done about language models. Not for the window's thread."""
        return self._workspace().language_models

    def open(self, root: Path, *, is_aside: bool = False) -> ProjectSession:
        """Open a folder."""
        return self._workspace().open(root, is_aside=is_aside)

    def note_opened(self, root: Path) -> None:
        """Note that a project is worked on now."""
        self._workspace().note_opened(root)

    def create(self, root: Path) -> ProjectSession:
        """Make the folder tree and open it."""
        return self._workspace().create(root)

    def moved_from(self, root: Path) -> tuple[RegisteredProject, ...]:
        """Return the missing projects that a folder looks like."""
        return self._workspace().moved_from(root)

    def open_moved(self, old_root: Path, root: Path) -> ProjectSession:
        """Open a folder as the project of another one."""
        return self._workspace().open_moved(old_root, root)

    def forget(self, root: Path) -> None:
        """Drop a project from the list with its index."""
        self._workspace().forget(root)

    def clear_shared_vectors(self) -> int:
        """Delete the vectors that projects share."""
        return self._workspace().clear_shared_vectors()

    def sample(self) -> Path:
        """Return a writable copy of the sample project."""
        return self._workspace().sample()

    def close(self) -> None:
        """Free everything, if there is anything."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None

    def _workspace(self) -> Workspace:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

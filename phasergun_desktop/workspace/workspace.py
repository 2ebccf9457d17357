"""The projects of this user: known, opened, created, forgotten."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from phasergun_desktop.embedding.shared_vectors import SharedVectors
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.paths import Places
from phasergun_desktop.projects.folder_tree import create_project_tree
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.project_records import RegisteredProject
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.storage.problems import UNWRITABLE, storage_errors
from phasergun_desktop.workspace.model_choices import ModelChoices
from phasergun_desktop.workspace.sample_project import SampleProject
from phasergun_desktop.workspace.session import ProjectSession

_log = logging.getLogger(__name__)


class Workspace:
    """Opens projects. ``make_session`` puts a session together; ``on_forget`` gets the id of a
    project that is forgotten; ``close`` frees what is shared."""

    def __init__(
        self,
        places: Places,
        registry: ProjectRegistry,
        settings: SettingsStore,
        *,
        sample: SampleProject,
        vectors: SharedVectors,
        make_session: Callable[[Project], ProjectSession],
        on_close: Callable[[], None],
        on_forget: Callable[[str], None] = lambda project_id: None,
        language_models: ModelChoices,
    ) -> None:
        self.settings = settings
        self.language_models = language_models
        self._places = places
        self._registry = registry
        self._sample = sample
        self._vectors = vectors
        self._make_session = make_session
        self._on_close = on_close
        self._on_forget = on_forget

    def known(self) -> tuple[RegisteredProject, ...]:
        """Return the known projects, last opened first."""
        return self._registry.known()

    def open(self, root: Path, *, is_aside: bool = False) -> ProjectSession:
        """Open the folder ``root``, ``aside`` of the project in view or to be worked on now;
        ``ProjectError`` when it is missing or unreadable.

        Where nothing can be written it is opened for reading, and its session says so.
        """
        session = self._open(root, is_aside=is_aside)
        if root.resolve() == self._sample.target.resolve():
            self._sample.lay_out(session)
        return session

    def note_opened(self, root: Path) -> None:
        """Note that the project of ``root``, which is open, is worked on now. Raises
        ``ProjectError`` and ``StorageError``."""
        self._registry.open(root)

    def create(self, root: Path) -> ProjectSession:
        """Make the folder tree of a new project and open it."""
        if root.exists() and any(root.iterdir()):
            raise ProjectError(
                "The folder is not empty",
                f"{root.name} already holds files.",
                "Choose a new name, or open the folder as it is.",
            )
        create_project_tree(root)
        # Another project may have had this place before.
        return self._open(root, as_new=True)

    def moved_from(self, root: Path) -> tuple[RegisteredProject, ...]:
        """Return the projects whose folders are gone and that ``root`` looks like, the likest
        first; none where ``root`` is known as a project."""
        if self._registry.find(root) is not None:
            return ()
        return self._registry.moved_candidates(root)

    def open_moved(self, old_root: Path, root: Path) -> ProjectSession:
        """Open ``root`` as the project that was in ``old_root``, with its drafts, conversations and
        log. Raises ``ProjectError`` and ``StorageError``."""
        self._registry.relink(old_root, root)
        return self._open(root)

    def forget(self, root: Path) -> None:
        """Take the project off the list and delete its index and the passwords of its documents;
        drafts and log are kept, and are there again when the folder is opened again.

        Raises ``StorageError`` where the index cannot be deleted.
        """
        for project_id in self._registry.forget(root):
            self._on_forget(project_id)
            self._vectors.forget(project_id)
            cache = self._places.project_cache(project_id)
            with storage_errors(cache), suppress(FileNotFoundError):
                shutil.rmtree(cache)

    def clear_shared_vectors(self) -> int:
        """Delete the vectors that projects share; return how many bytes they took."""
        return self._vectors.clear()

    def sample(self) -> Path:
        """Return the sample project as a writable copy in the user's data folder."""
        return self._sample.copy()

    def _open(self, root: Path, *, as_new: bool = False, is_aside: bool = False) -> ProjectSession:
        try:
            project = self._registry.open(root, as_new=as_new, is_aside=is_aside)
        except UNWRITABLE as problem:
            _log.warning("The list of projects was not written: %s", problem.title)
            project = self._registry.look_up(root, problem)
        return self._make_session(project)

    def close(self) -> None:
        """Free what the projects share: the language model and the embedder."""
        self._on_close()

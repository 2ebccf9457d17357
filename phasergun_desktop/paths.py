"""Where things live: the user's folders (platformdirs) and the product's resources; and how a
module of the product is started in a process of its own."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "PhaserGun"
USUAL_FOLDER, PRIVATE_FOLDER, PRIVATE_FILE = 0o777, 0o700, 0o600
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that the product writes to; nothing else on the machine is written, but for the
    system's temporary folder. ``rescue`` are for copies of what ``data`` has no room for."""

    cache: Path
    data: Path
    config: Path
    models: Path
    rescue: tuple[Path, ...] = ()

    def make_private(self) -> None:
        """Make the folders for this user alone, as far as their disk can be written: on one that
        cannot be, or is full, what is there can still be read.

        They hold the texts of private documents. One that others may look into was made by an
        earlier version: everything below it is closed first, so that what is interrupted is done
        the next time. Models are shared and hold nothing private. On Windows the rights of the
        user's profile do all this, and modes say nothing.
        """
        for root in (self.cache, self.data, self.config):
            with suppress(OSError):
                private_folder(root)
                if os.name == "posix" and root.stat().st_mode & _OTHERS:
                    make_private_below(root, (self.models, self.data / "models"))

    def project_cache(self, project_id: str) -> Path:
        """Derived data of a project: may be deleted at any time and is rebuilt."""
        return self.cache / "projects" / project_id

    def project_data(self, project_id: str) -> Path:
        """What the user made: drafts, conversations, log, evaluation runs."""
        return self.data / "projects" / project_id


def make_folder(folder: Path, mode: int = USUAL_FOLDER) -> None:
    """Make ``folder`` and what is missing above it, with the rights ``mode`` and each on the disk;
    one that is there stays as it is. Raises ``OSError``."""
    if folder.is_dir():
        return
    make_folder(folder.parent, mode)
    # ``parents=True`` would give those above the usual rights.
    folder.mkdir(mode, exist_ok=True)
    # Else a power cut takes the folder with everything that was synced in it.
    sync_folder(folder.parent)


def private_folder(folder: Path) -> None:
    """Make ``folder``, and what is missing above it, for this user alone; see ``make_folder``."""
    make_folder(folder, PRIVATE_FOLDER)


def private_file(path: Path) -> None:
    """Make an empty file for this user alone, for a library that opens it by its name next; one
    that is there stays as it is.

    SQLite gives ``-wal`` and ``-shm`` the rights of their database. Raises ``OSError``.
    """
    # A database that is there must not even be opened: closing it would end the locks that
    # another connection of this process has on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))


def sync_folder(folder: Path) -> None:
    """Return when the names in ``folder`` are on the disk, as far as the system tells."""
    # A new name survives a power cut only when the folder itself is on the disk.
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def make_private_below(root: Path, left_alone: tuple[Path, ...] = ()) -> None:
    """Take the rights of others from all below ``root`` and then from ``root`` itself.

    Links are not followed; what belongs to somebody else stays as it is.
    """
    for name, folders, files in os.walk(root):
        here = Path(name)
        folders[:] = [each for each in folders if here / each not in left_alone]
        for path in (*(here / each for each in folders), *(here / each for each in files)):
            with suppress(OSError):
                mode = path.lstat().st_mode
                if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
                    path.chmod(PRIVATE_FOLDER if stat.S_ISDIR(mode) else PRIVATE_FILE)
    with suppress(OSError):
        root.chmod(PRIVATE_FOLDER)


def user_places() -> Places:
    """Return the places of this user; ``PHASERGUN_HOME`` and ``PHASERGUN_MODELS`` override."""
    home = os.environ.get("PHASERGUN_HOME")
    if home:
        base = Path(home)
        cache, data, config = base / "cache", base / "data", base / "config"
    else:
        cache = platformdirs.user_cache_path(APP_NAME, appauthor=False)
        data = platformdirs.user_data_path(APP_NAME, appauthor=False)
        config = platformdirs.user_config_path(APP_NAME, appauthor=False)
    # Models are shared by every checkout and every home, since they are large.
    default_models = platformdirs.user_data_path(APP_NAME, appauthor=False) / "models"
    models = Path(os.environ.get("PHASERGUN_MODELS") or default_models)
    return Places(cache=cache, data=data, config=config, models=models, rescue=_rescue_folders())


def _rescue_folders() -> tuple[Path, ...]:
    """Return the places to try, those first that outlive a restart of the machine."""
    folders = []
    with suppress(RuntimeError):
        folders.append(Path.home() / f"{APP_NAME} rescue")
    # It is sought by writing; a machine without any has no second place.
    with suppress(OSError):
        # On Windows it is the user's own.
        user = f"-{os.getuid()}" if os.name == "posix" else ""
        folders.append(Path(tempfile.gettempdir()) / f"phasergun-rescue{user}")
    return tuple(folders)


def resources_path() -> Path:
    """Return the folder ``resources/``: beside the package, or inside it in a wheel."""
    package = Path(__file__).resolve().parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


def child_start(argument: str, module: str) -> list[str]:
    """Return the command that runs ``module`` in a process of its own; a frozen program starts
    itself with ``argument``, which its ``main`` hands on."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    # -P: a module in the current folder must not take the place of one of ours.
    return [sys.executable, "-P", "-m", module]

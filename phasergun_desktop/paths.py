"""Where things live: the user's folders (platformdirs) and the product's resources."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "PhaserGun"
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that the product writes to; nothing else on the machine is written."""

    cache: Path
    data: Path
    config: Path
    models: Path

    def make_private(self) -> None:
        """Make the folders for this user alone. Raises ``OSError``.

        They hold the texts of private documents. One that others may look into was made by an
        earlier version: everything below it is closed first, so that what is interrupted is done
        the next time. Models are shared and hold nothing private. On Windows the rights of the
        user's profile do all this, and modes say nothing.
        """
        for root in (self.cache, self.data, self.config):
            private_folder(root)
            if os.name == "posix" and root.stat().st_mode & _OTHERS:
                make_private_below(root, (self.models, self.data / "models"))

    def project_cache(self, project_id: str) -> Path:
        """Derived data of a project: may be deleted at any time and is rebuilt."""
        return self.cache / "projects" / project_id

    def project_data(self, project_id: str) -> Path:
        """What the user made: drafts, conversations, log, evaluation runs."""
        return self.data / "projects" / project_id


def private_folder(folder: Path) -> None:
    """Make ``folder``, and what is missing above it, for this user alone; one that is there stays
    as it is. Raises ``OSError``."""
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for each in reversed(missing):
        # ``parents=True`` would give those above the usual rights.
        each.mkdir(PRIVATE_FOLDER, parents=False, exist_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file for this user alone, for a library that opens it by its name next.

    SQLite gives ``-wal`` and ``-shm`` the rights of their database. Raises ``OSError``.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))


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
    return Places(cache=cache, data=data, config=config, models=models)


def resources_path() -> Path:
    """Return the folder ``resources/``: beside the package, or inside it in a wheel."""
    package = Path(__file__).resolve().parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"

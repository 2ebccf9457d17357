"""Where things live: the user's folders (platformdirs) and the product's resources."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "PhaserGun"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that the product writes to; nothing else on the machine is written, but for the
    system's temporary folder. ``rescue`` are for copies of what ``data`` has no room for."""

    cache: Path
    data: Path
    config: Path
    models: Path
    rescue: tuple[Path, ...] = ()

    def project_cache(self, project_id: str) -> Path:
        """Derived data of a project: may be deleted at any time and is rebuilt."""
        return self.cache / "projects" / project_id

    def project_data(self, project_id: str) -> Path:
        """What the user made: drafts, conversations, log, evaluation runs."""
        return self.data / "projects" / project_id


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

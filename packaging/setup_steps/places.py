"""Where the set-up finds and puts things."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

APP_NAME = "PhaserGun"


def user_cache_folder() -> Path:
    """The user's cache folder of the product, as platformdirs names it."""
    if sys.platform == "win32":
        return _windows_local() / APP_NAME / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / APP_NAME
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / APP_NAME


def user_data_folder() -> Path:
    """The user's data folder of the product, as platformdirs names it."""
    if sys.platform == "win32":
        return _windows_local() / APP_NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_NAME
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / APP_NAME


def models_folder() -> Path:
    """The model files, shared by all checkouts; ``PHASERGUN_MODELS`` overrides."""
    return Path(os.environ.get("PHASERGUN_MODELS") or user_data_folder() / "models")


def _windows_local() -> Path:
    return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")


@dataclass(frozen=True)
class Checkout:
    """The folder of the repository and what the set-up makes in it."""

    root: Path

    @property
    def packaging(self) -> Path:
        """The folder of this program, with the lock files."""
        return self.root / "packaging"

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The Python of the virtual environment."""
        return self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def catalogue(self) -> Path:
        """The model catalogue."""
        return self.root / "resources" / "models" / "catalogue.toml"

    def lock_file(self, extra: str) -> Path:
        """The lock file of an extra, or of the product itself for ""."""
        return self.packaging / (f"requirements-{extra}.lock" if extra else "requirements.lock")

    @property
    def wheels(self) -> Path:
        """Wheels that were compiled on this machine; outlive the checkout."""
        return Path(os.environ.get("PHASERGUN_WHEELS") or user_cache_folder() / "wheels")

    @property
    def logs(self) -> Path:
        """What the programs that the set-up runs have said."""
        return user_cache_folder() / "setup-logs"

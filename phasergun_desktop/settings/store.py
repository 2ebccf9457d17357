"""The user's settings as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.sections_file import SectionsFile, Upgrade

# The n-th upgrade turns version n into n + 1; a file without a version is version 1.
UPGRADES: tuple[Upgrade, ...] = ()


class SettingsStore(SectionsFile[Settings]):
    """Loads and saves the settings of this user."""

    def __init__(self, path: Path, upgrades: Sequence[Upgrade] = UPGRADES) -> None:
        super().__init__(path, Settings, upgrades)

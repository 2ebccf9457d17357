"""The user's settings as a JSON file."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.sections_file import SectionsFile


class SettingsStore(SectionsFile[Settings]):
    """Loads and changes the settings of this user."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Settings, version=3)

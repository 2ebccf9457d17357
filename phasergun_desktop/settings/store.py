"""The user's settings as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.model_choice import ModelSource
from phasergun_desktop.settings.sections_file import JsonObject, SectionsFile, Upgrade


def one_model_to_three(stored: JsonObject) -> JsonObject:
    """Version 1 knew one model, by name or by path: it is the balanced profile's now."""
    section = stored.get("generation")
    if not isinstance(section, dict) or "model" not in section:
        return stored
    section = dict(section)
    model = section.pop("model")
    if isinstance(model, str) and model:
        is_file = model.lower().endswith(".gguf") or Path(model).is_file()
        choice = (
            {"source": ModelSource.FILE.value, "file": model}
            if is_file
            else {"source": ModelSource.CATALOGUE.value, "model": model}
        )
        section.setdefault("balanced", choice)
    return {**stored, "generation": section}


def without_unused(stored: JsonObject) -> JsonObject:
    """Version 2 had a switch and a list that nothing read."""
    unused = {"indexing": "is_watching", "projects": "recent"}
    return {
        section: {key: each for key, each in value.items() if key != unused.get(section)}
        if isinstance(value, dict)
        else value
        for section, value in stored.items()
    }


# The n-th upgrade turns version n into n + 1; a file without a version is version 1.
UPGRADES: tuple[Upgrade, ...] = (one_model_to_three, without_unused)


class SettingsStore(SectionsFile[Settings]):
    """Loads and saves the settings of this user."""

    def __init__(self, path: Path, upgrades: Sequence[Upgrade] = UPGRADES) -> None:
        super().__init__(path, Settings, upgrades)

"""The settings of one project: languages of scanned pages, and where passwords are."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.settings.project_settings import (
    Asking,
    ProjectSettings,
    ProjectSettingsStore,
    Reading,
)


def test_they_come_back(tmp_path: Path) -> None:
    reading = Reading("eng+deu+script/Latin", has_passwords=True)
    settings = ProjectSettings(reading, Asking("disclosure"))
    path = tmp_path / "projects" / "p1" / "settings.json"
    ProjectSettingsStore(path).change(lambda _: settings)
    assert ProjectSettingsStore(path).load() == settings
    assert ProjectSettingsStore(tmp_path / "other.json").load() == ProjectSettings()


@pytest.mark.parametrize("languages", ["", "../eng", "eng deu", "-l", "eng+", "a" * 99, 7, None])
def test_strange_languages_are_not_used(tmp_path: Path, languages: object) -> None:
    import json

    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"reading": {"languages": languages}}), "utf-8")
    store = ProjectSettingsStore(path)
    assert store.load().reading.languages == "eng"
    assert "reading.languages" in store.notices[0]


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{")
    store = ProjectSettingsStore(path)
    assert store.load() == ProjectSettings()
    assert "kept as" in store.notices[0]


@pytest.mark.parametrize("name", ["../x", "-a", "a b", 7, "x" * 65])
def test_a_strange_profile_is_not_used(tmp_path: Path, name: object) -> None:
    import json

    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"asking": {"profile": name}}), "utf-8")
    store = ProjectSettingsStore(path)
    assert store.load().asking.profile == ""
    assert "asking.profile" in store.notices[0]

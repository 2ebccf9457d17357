"""Settings: round trip, patience with strange files, unknown keys, versions."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.settings.model import (
    Appearance,
    Generation,
    Indexing,
    Projects,
    Settings,
    Theme,
    WindowLayout,
)
from phasergun_desktop.settings.model_choice import (
    GrammarField,
    ModelChoice,
    ModelProfile,
    ModelSource,
    RemoteEndpoint,
)
from phasergun_desktop.settings.store import SettingsStore


def _keep(path: Path, settings: Settings) -> None:
    SettingsStore(path).change(lambda _: settings)


def test_no_file_means_defaults_without_a_notice(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    assert store.load() == Settings()
    assert store.notices == ()


def test_everything_comes_back(tmp_path: Path) -> None:
    settings = Settings(
        Appearance(Theme.DARK, "Sérif", 14.5, 150),
        Generation(
            "evidence",
            3,
            8192,
            ModelProfile.PREMIUM,
            cheap=ModelChoice(model="smollm2-135m-instruct"),
            balanced=ModelChoice(ModelSource.FILE, file="own.gguf"),
            premium=ModelChoice(
                ModelSource.REMOTE,
                endpoint=RemoteEndpoint(
                    "https://models.example/v1",
                    "large",
                    32_768,
                    0.5,
                    1.5,
                    GrammarField.VLLM,
                    "https://models.example/v1",
                    sends_confidential=True,
                ),
            ),
        ),
        Indexing(30.0),
        WindowLayout("AAEC", "AwQF"),
        Projects("p1"),
    )
    path = tmp_path / "new" / "settings.json"
    _keep(path, settings)
    store = SettingsStore(path)
    assert store.load() == settings
    assert store.notices == ()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_damaged_file_is_kept_aside_and_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    store = SettingsStore(path)
    assert store.load() == Settings()
    (aside,) = tmp_path.iterdir()
    assert aside.read_bytes() == content
    assert aside.name in store.notices[0]
    changed = store.change(lambda before: replace(before, projects=Projects("p1")))
    assert store.load() == changed
    assert store.notices == ()


def test_a_strange_value_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    stored = {
        "appearance": {"theme": "pink", "zoom_percent": 9999, "draft_font_size_pt": True},
        "generation": {"profile": 7, "threads": 2, "context_tokens": 2048.5},
        "indexing": {"tesseract_path": 5, "parse_limit_s": 60},
        "window": 3,
        "projects": {"last_opened": "a"},
        "naming": {"other_names": ["a", 1]},
    }
    path.write_text(json.dumps(stored))
    store = SettingsStore(path)
    settings = store.load()
    assert settings.appearance == Appearance()
    assert settings.generation == Generation(threads=2)
    assert settings.indexing == Indexing(parse_limit_s=60.0)
    assert settings.window == WindowLayout()
    assert settings.projects == Projects(last_opened="a")
    assert len(store.notices) == 8
    assert any("appearance.theme" in notice for notice in store.notices)


def test_unknown_keys_are_told_and_survive_saving(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"future": {"a": 1}, "window": {"screens": 2}}')
    store = SettingsStore(path)
    store.load()
    assert "future" in store.notices[0]
    store.change(lambda before: replace(before, projects=Projects(last_opened="x")))
    kept = json.loads(path.read_text())
    assert kept["future"] == {"a": 1}
    assert kept["window"] == {
        "screens": 2,
        "geometry": "",
        "dock_state": "",
        "hints_seen": [],
        "open_drafts": [],
        "open_conversations": [],
    }
    assert store.load().projects.last_opened == "x"


def test_a_newer_file_is_told_and_keeps_its_version(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"version": 99, "generation": {"threads": 2}}')
    store = SettingsStore(path)
    assert store.load().generation.threads == 2
    assert "newer version" in store.notices[0]
    store.change(lambda before: replace(before, projects=Projects("p1")))
    assert json.loads(path.read_text())["version"] == 99


def test_what_is_written_has_a_version_that_is_not_told_as_newer(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    store.change(lambda before: replace(before, projects=Projects("p1")))
    assert json.loads(path.read_text())["version"] == 3
    store.load()
    assert store.notices == ()


def test_consent_holds_for_one_address_only() -> None:
    endpoint = RemoteEndpoint("https://a/v1", "m", consented_address="https://a/v1")
    assert endpoint.has_consent
    assert not replace(endpoint, address="https://b/v1").has_consent
    assert not RemoteEndpoint().has_consent


def test_saving_where_nothing_can_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError) as caught:
        _keep(tmp_path / "file" / "settings.json", Settings(projects=Projects("p1")))
    assert caught.value.remedy


def test_a_change_keeps_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    _keep(path, Settings(appearance=Appearance(Theme.DARK)))
    store = SettingsStore(path)
    projects = Projects("p1")
    changed = store.change(lambda before: replace(before, projects=projects))
    assert changed == Settings(appearance=Appearance(Theme.DARK), projects=projects)
    assert store.load() == changed


def test_what_cannot_be_read_for_a_moment_is_not_replaced_by_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    settings = Settings(appearance=Appearance(Theme.DARK))
    store = SettingsStore(path)
    _keep(path, settings)

    def refuse(*_place: object) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as locked:
        locked.setattr(os, "open", refuse)
        # A program that starts does so with defaults, and says so.
        assert store.load() == Settings()
        assert "could not be read" in store.notices[0]
        with pytest.raises(StorageError) as caught:
            store.change(lambda before: replace(before, projects=Projects("p1")))
        assert caught.value.remedy
    assert store.load() == settings


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert SettingsStore(path).change(lambda before: before) == Settings()
    assert not path.exists()

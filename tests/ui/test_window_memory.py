"""What the window keeps of itself leaves everything else in the settings as it is."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from phasergun_desktop.errors import StorageError
from phasergun_desktop.settings.model import Appearance, Generation, Projects, Settings, Theme
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.window_memory import WindowMemory

KEPT = Settings(
    appearance=Appearance(Theme.DARK, zoom_percent=150),
    generation=Generation("evidence"),
    projects=Projects("/a"),
)


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    return made


def _refuse(*_place: object) -> str:
    raise PermissionError(13, "Permission denied")


def test_settings_that_could_not_be_read_at_the_start_are_kept(
    window: QMainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    store.change(lambda _: KEPT)
    with monkeypatch.context() as locked:
        locked.setattr(os, "open", _refuse)
        memory = WindowMemory(store)
        # Not at the end either: nothing is written then.
        assert isinstance(memory.save(window), StorageError)
    assert store.load() == KEPT
    assert memory.save(window) is None
    kept = store.load()
    assert kept.window.geometry
    assert replace(kept, window=KEPT.window) == KEPT


def test_only_what_this_window_set_is_written(window: QMainWindow, tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    store.change(lambda _: KEPT)
    memory = WindowMemory(store)
    memory.set_last_project(Path("/b"))
    # Another window chose other colours meanwhile.
    store.change(lambda before: replace(before, appearance=Appearance(Theme.LIGHT)))
    assert memory.save(window) is None
    kept = store.load()
    assert kept.appearance == Appearance(Theme.LIGHT)
    assert kept.projects == replace(KEPT.projects, last_opened="/b")


def test_what_is_open_is_written_at_once(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    memory = WindowMemory(store)
    memory.set_last_project(tmp_path)
    memory.set_open_drafts(["d1", "d2"], {"d1", "d2"})
    memory.set_open_conversation("c1")
    # Nothing is saved at the end: the process died.
    again = WindowMemory(store)
    assert again.last_project == tmp_path
    assert again.settings.window.open_drafts == ("d1", "d2")
    assert again.open_conversations == ("c1",)

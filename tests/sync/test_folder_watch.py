"""The watch: one call after a burst of changes, none for reading."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.observers.polling import PollingEmitter

from phasergun_desktop.sync.folder_watch import FolderWatch


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[Path, list[int], threading.Event]]:
    calls: list[int] = []
    called = threading.Event()

    def on_change() -> None:
        calls.append(1)
        called.set()

    watch = FolderWatch(tmp_path, on_change, quiet_s=0.15)
    watch.start()
    yield tmp_path, calls, called
    watch.stop()


def test_a_burst_of_changes_is_one_call(watched: tuple[Path, list[int], threading.Event]) -> None:
    folder, calls, called = watched
    for number in range(5):
        (folder / f"{number}.md").write_text("text")
    assert called.wait(5)
    called.clear()
    assert not called.wait(0.4)
    assert len(calls) == 1
    (folder / "0.md").rename(folder / "renamed.md")
    assert called.wait(5)


def test_reading_is_no_change(watched: tuple[Path, list[int], threading.Event]) -> None:
    folder, _calls, called = watched
    (folder / "a.md").write_text("text")
    assert called.wait(5)
    called.clear()
    (folder / "a.md").read_text()
    list(folder.iterdir())
    assert not called.wait(0.4)


def test_nothing_is_called_after_stop(tmp_path: Path) -> None:
    calls: list[int] = []
    watch = FolderWatch(tmp_path, lambda: calls.append(1), quiet_s=0.05)
    watch.start()
    watch.notice()
    watch.stop()
    (tmp_path / "late.md").write_text("text")
    count = len(calls)
    assert count <= 1
    watch.stop()
    assert len(calls) == count


def test_polling_notices_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phasergun_desktop.sync.folder_watch._POLLING_S", 0.1)
    called = threading.Event()
    watch = FolderWatch(tmp_path, called.set, quiet_s=0.05, use_polling=True)
    watch.start()
    (tmp_path / "a.md").write_text("text")
    assert called.wait(5)
    assert watch.is_polling
    watch.stop()


def test_a_disk_that_does_not_answer_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phasergun_desktop.sync.folder_watch._POLLING_S", 0.05)
    monkeypatch.setattr("phasergun_desktop.sync.folder_watch._STOP_S", 0.1)
    scanning, answers = threading.Event(), threading.Event()
    scan = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if threading.current_thread() is not threading.main_thread():
            scanning.set()
            answers.wait(10)
        return scan(path)

    usual = PollingEmitter.__init__.__kwdefaults__
    assert usual is not None
    monkeypatch.setitem(usual, "listdir", scandir)
    before = set(threading.enumerate())
    watch = FolderWatch(tmp_path, lambda: None, use_polling=True)
    watch.start()
    try:
        assert scanning.wait(5)
        end = threading.Thread(target=watch.stop)
        end.start()
        end.join(5)
        assert not end.is_alive()
    finally:
        answers.set()
        for each in set(threading.enumerate()) - before:
            each.join(10)


def test_a_folder_that_is_not_there_can_be_watched_without_a_crash(tmp_path: Path) -> None:
    watch = FolderWatch(tmp_path / "absent", lambda: None, quiet_s=0.05)
    watch.start()
    watch.stop()


@pytest.mark.parametrize("is_there_at_first", [True, False])
def test_a_folder_that_comes_back_is_watched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_there_at_first: bool
) -> None:
    monkeypatch.setattr("phasergun_desktop.sync.folder_watch._LOOK_S", 0.05)
    folder, away = tmp_path / "disk", tmp_path / "away"
    (folder if is_there_at_first else away).mkdir()
    called = threading.Event()
    watch = FolderWatch(folder, called.set, quiet_s=0.05)
    watch.start()
    if is_there_at_first:
        folder.rename(away)
        assert called.wait(5)
        called.clear()
    away.rename(folder)
    assert called.wait(5)
    called.clear()
    assert not called.wait(0.3)
    (folder / "a.md").write_text("text")
    assert called.wait(5)
    assert not watch.is_polling
    watch.stop()

"""Atomic files and the lock between processes."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from phasergun_desktop.storage.atomic_files import move_aside, write_atomically
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import (
    StorageDeniedError,
    StorageFullError,
)


def test_content_is_written_exactly_and_nothing_else_stays(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    write_atomically(target, "ä\r\nb\n")
    assert target.read_bytes() == "ä\r\nb\n".encode()
    write_atomically(target, b"\x00")
    assert target.read_bytes() == b"\x00"
    assert [each.name for each in target.parent.iterdir()] == ["a.txt"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFullError) as caught:
        write_atomically(target, "new")
    assert caught.value.remedy
    assert target.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="folders are synced on POSIX")
def test_new_folders_are_on_the_disk_before_the_file_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def sync(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        real(handle)

    monkeypatch.setattr(os, "fsync", sync)
    target = tmp_path / "Context" / "Prompt" / "new.md"
    write_atomically(target, "words")
    wanted = (tmp_path, target.parent.parent, target, target.parent)
    assert synced == [each.stat().st_ino for each in wanted]


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageDeniedError):
        write_atomically(tmp_path / "file" / "a.txt", "x")


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_rights_are_the_usual_ones_and_are_kept(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    write_atomically(fresh, "x", usual_rights=True)
    (tmp_path / "plain").touch()
    assert fresh.stat().st_mode == (tmp_path / "plain").stat().st_mode
    fresh.chmod(0o640)
    write_atomically(fresh, "y", usual_rights=True)
    assert fresh.stat().st_mode & 0o777 == 0o640


def test_move_aside_keeps_the_content_and_companions(tmp_path: Path) -> None:
    path, companion = tmp_path / "a.db", tmp_path / "a.db-wal"
    path.write_text("damaged")
    companion.write_text("tail")
    aside = move_aside(path, companion, tmp_path / "absent")
    assert aside.read_text() == "damaged"
    assert not path.exists()
    assert not companion.exists()


def test_only_one_holds_the_lock_and_it_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "project" / "writer.lock"
    first, second = ProjectLock(path), ProjectLock(path)
    assert second.holder() is None
    assert first.acquire()
    assert first.acquire()
    assert not second.acquire()
    holder = second.holder()
    assert holder is not None
    assert holder.pid == os.getpid()
    assert holder.since.endswith("+00:00")
    first.release()
    assert second.holder() is None
    with second:
        assert second.acquire()
        assert not first.acquire()
    assert first.acquire()
    first.release()


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "writer.lock"
    program = (
        "import sys, time; from pathlib import Path\n"
        "from phasergun_desktop.storage.locks import ProjectLock\n"
        "lock = ProjectLock(Path(sys.argv[1])); print(lock.acquire(), flush=True)\n"
        "time.sleep(60)\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    mine = ProjectLock(path)
    assert not mine.acquire()
    holder = mine.holder()
    assert holder is not None
    assert holder.pid == other.pid
    other.kill()
    other.wait(10)
    other.stdout.close()
    assert mine.acquire()
    mine.release()

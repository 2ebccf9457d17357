"""What a process that was killed left is removed, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.documents.isolated.scratch import Scratch, remove_abandoned
from phasergun_desktop.paths import Places
from phasergun_desktop.wiring import build_application

# A process that has a child and is busy with it until it is killed.
OWNER = """
import sys
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
reader = ChildProcessReader()
reader.warm()
print("warm", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system's temporary folder for this test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def owner(temporary: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process of the product, with its child."""
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env={**os.environ, **places},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"warm"
        yield process
        process.kill()


def test_a_kill_leaves_nothing_beyond_the_next_start(
    owner: subprocess.Popen[bytes], temporary: Path, tmp_path: Path, models_path: Path
) -> None:
    assert len(list(temporary.iterdir())) == 1
    children = psutil.Process(owner.pid).children(recursive=True)
    owner.kill()
    owner.wait()
    psutil.wait_procs(children, timeout=10)
    home = tmp_path / "home"
    places = Places(home / "cache", home / "data", home / "config", models_path)
    build_application(places).close()
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_living_process_stays(
    owner: subprocess.Popen[bytes], temporary: Path
) -> None:
    mine = ChildProcessReader()
    mine.warm()
    there = {*temporary.rglob("*")}
    remove_abandoned()
    assert {*temporary.rglob("*")} == there
    mine.close()
    assert len(list(temporary.iterdir())) == 1
    assert owner.poll() is None


@pytest.mark.skipif(os.name != "posix", reason="users and links of POSIX")
def test_nothing_is_followed_that_another_put_there(temporary: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "files").mkdir(parents=True)
    (elsewhere / "owner.lock").write_text("words of mine", "utf-8")
    (elsewhere / "files" / "mine.txt").touch()
    (temporary / "phasergun-reading-trap").symlink_to(elsewhere)
    remove_abandoned()
    assert (elsewhere / "owner.lock").read_text("utf-8") == "words of mine"
    assert (elsewhere / "files" / "mine.txt").exists()


def test_a_place_without_locks_does_not_hinder_reading(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_handle: int) -> bool:
        raise OSError(37, "No locks available")

    with monkeypatch.context() as without:
        without.setattr("phasergun_desktop.storage.locks._try_lock", refuse)
        scratch = Scratch()
    (scratch.path / "page.png").touch()
    # It may be in use: nobody can tell.
    remove_abandoned()
    assert (scratch.path / "page.png").exists()
    scratch.remove()
    assert list(temporary.iterdir()) == []

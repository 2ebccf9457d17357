from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fakes.warmer_project import add_alarm_statement, make_warmer_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")


@contextmanager
def _started(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "phasergun_desktop", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        text=True,
    )
    # Nothing here may hang the tests.
    guard = threading.Timer(90, process.kill)
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        guard.join()
        process.kill()
        process.communicate()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_watch_follows_the_folder_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    root = make_warmer_project(tmp_path / "project")
    with _started("index", root, "--watch") as process:
        assert "7 indexed" in _line(process)
        (root / "Context" / "Ongoing" / "new.md").write_text("# New\n\nText.\n", "utf-8")
        assert "8 indexed" in _line(process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in errors


def test_watch_prints_one_object_at_its_end(tmp_path: Path) -> None:
    root = make_warmer_project(tmp_path / "project")
    with _started("index", root, "--watch") as first:
        assert "7 indexed" in _line(first)
        first.send_signal(signal.SIGINT)
        first.wait(timeout=30)
    with _started("index", root, "--watch", "--json") as process:
        assert process.stderr is not None
        assert "Watching" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert json.loads(output)["counts"]["indexed"] == 7


def test_ctrl_c_stops_a_draft_with_what_is_written(tmp_path: Path, smollm2_path: Path) -> None:
    root = make_warmer_project(tmp_path / "project")
    add_alarm_statement(root)
    with _started("draft", root, "performance.md", "--model", smollm2_path, "--stream") as process:
        while '"point"' not in _line(process):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    last = json.loads(output.splitlines()[-1])
    assert process.returncode == 1
    assert last["event"] == "error"
    assert last["status"] == "cancelled"
    assert "Traceback" not in errors

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from phasergun_desktop import __main__ as entry
from phasergun_desktop.cli.console import Console
from phasergun_desktop.jobs import Event, Job, Progress


def _main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["phasergun", *arguments])
    return entry.main()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others have a screen")
def test_without_a_screen_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert _main(monkeypatch) == 1
    assert _main(monkeypatch, "gui", "some project") == 1
    assert capsys.readouterr().err.count("no screen") == 2


def test_wrong_usage_of_the_window(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _main(monkeypatch, "gui", "one", "two") == 2
    assert "usage" in capsys.readouterr().err


def test_a_command_needs_no_qt(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['PySide6'] = None; sys.argv = ['phasergun', 'status', sys.argv[1]]"
        "; from phasergun_desktop.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"0 files" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "phasergun_desktop", "models", "--json"],
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""


def test_ctrl_c_closes_the_job() -> None:
    console = Console(wants_json=True)
    closed = []

    def job() -> Generator[Event, None, int]:
        try:
            yield Progress("first")
            console.stop_requested = True
            yield Progress("second")
            closed.append("too late")
        finally:
            closed.append("closed")
        return 1

    work: Job[int] = job()
    with pytest.raises(KeyboardInterrupt):
        console.run(work)
    assert closed == ["closed"]
    assert not console.can_stop

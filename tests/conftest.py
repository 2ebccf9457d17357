"""What every test gets: no screen, folders of its own, test data, and a watch for leftovers."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.paths import resources_path, user_places

# Before anything creates a QApplication.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).resolve().parent.parent
NO_DATA = "test data from outside the repository is absent"
# Threads that libraries keep for the life of the process; they hold nothing of ours.
LIBRARY_THREADS = ("TMonitor", "tqdm_monitor", "QtDBus")


def pytest_configure(config: pytest.Config) -> None:
    """Point the product's folders at a fresh one; models stay shared, since they are large."""
    del config
    models = user_places().models
    os.environ["PHASERGUN_MODELS"] = str(models)
    os.environ["PHASERGUN_HOME"] = tempfile.mkdtemp(prefix="phasergun-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder that ``pytest_configure`` made."""
    del config
    home = os.environ.pop("PHASERGUN_HOME", "")
    if home and Path(home).name.startswith("phasergun-tests-"):
        shutil.rmtree(home, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count what was skipped for want of data, so that a green run does not hide it."""
    absent = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if NO_DATA in str(report.longrepr)
    ]
    if absent:
        terminalreporter.write_line(
            f"{len(absent)} skipped: {NO_DATA} (set PHASERGUN_TEST_DATA)", yellow=True
        )


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of real documents outside the repository; skips the test when it is absent."""
    folder = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(NO_DATA)
    return folder


@pytest.fixture(scope="session")
def models_path() -> Path:
    """The user's real model folder, which the bootstrap fills."""
    return user_places().models


@pytest.fixture(scope="session")
def smollm2_path(models_path: Path) -> Path:
    """The small language model that tests of the machinery use."""
    path = models_path / "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert path.is_file(), "run: python3 packaging/bootstrap.py install"
    return path


@pytest.fixture(scope="session")
def embedder_path() -> Path:
    """The folder that holds the bundled int8 embedder and its tokenizer."""
    return resources_path() / "models"


def _is_running(thread: threading.Thread) -> bool:
    """Whether the thread still runs; Python keeps a dummy entry for ended foreign threads."""
    if not thread.is_alive():
        return False
    # A QThread that has run Python shows up as a dummy thread that never reports its end.
    if type(thread).__name__ == "_DummyThread" and sys.platform == "linux":
        return Path(f"/proc/self/task/{thread.native_id}").exists()
    return type(thread).__name__ != "_DummyThread"


def _new_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before
        and _is_running(thread)
        and not thread.name.startswith(LIBRARY_THREADS)
        and "tqdm" not in type(thread).__module__
    ]


def _open_windows() -> list[str]:
    """Titles of the windows that are still shown."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    return [
        f"{type(widget).__name__} {widget.windowTitle()!r}"
        for widget in widgets.QApplication.topLevelWidgets()
        if widget.isVisible()
    ]


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fail a test that leaves a thread or a window behind."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 3.0
    left = _new_threads(before)
    while left and time.monotonic() < deadline:
        for thread in left:
            if type(thread).__name__ != "_DummyThread":
                thread.join(0.05)
        time.sleep(0.01)
        left = _new_threads(before)
    assert not left, f"threads left running: {[thread.name for thread in left]}"
    windows = _open_windows()
    assert not windows, f"windows left open: {windows}"

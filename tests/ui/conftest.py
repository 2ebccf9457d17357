"""A window on a fake project, closed after each test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from phasergun_desktop.app import release_clipboard
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from tests.fakes.ui_desk_stores import FakeSettings
from tests.fakes.ui_session import FakeSession
from tests.fakes.ui_workspace import FakeWorkspace


@dataclass(slots=True)
class OpenDesk:
    """A shown window with what stands behind it."""

    window: MainWindow
    workspace: FakeWorkspace
    settings: FakeSettings
    session: FakeSession
    qtbot: QtBot

    def wait(self, condition: Callable[[], bool]) -> None:
        """Let the window work until ``condition`` holds."""
        self.qtbot.waitUntil(condition, timeout=10_000)

    def generate(self) -> None:
        """Plan and write the first prompt to the end."""
        panel = self.window.parts.prompt_panel
        self.wait(panel.generate_button.isEnabled)
        with self.qtbot.waitSignal(self.window.draft_flow.generation.ended, timeout=10_000):
            panel.generate_button.click()

    def begin_generation(self) -> None:
        """Plan the first prompt and write it up to where it waits for the session's gate."""
        self.session.gate = threading.Event()
        panel = self.window.parts.prompt_panel
        self.wait(panel.generate_button.isEnabled)
        panel.generate_button.click()
        self.wait(lambda: "still" in self.text())

    def text(self) -> str:
        """The text of the draft."""
        return str(self.window.parts.draft_panel.editor.toPlainText())

    def click_mark(self, key: int) -> None:
        """Click the first mark of a footnote with the mouse."""
        editor = self.window.parts.draft_panel.editor
        assert editor.select_mark(key)
        cursor = QTextCursor(editor.textCursor())
        right = editor.cursorRect(cursor)
        QTest.mouseClick(
            editor.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            QPoint(right.left() - 2, right.center().y() - 2),
        )


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> ThemeSwitch:
    """The one switch of the application."""
    return ThemeSwitch(qapp)


@pytest.fixture(autouse=True)
def clipboard_released(qapp: QApplication) -> Iterator[None]:
    """Leave nothing of Python's on the clipboard, as the application does at its end."""
    yield
    release_clipboard()


@pytest.fixture
def open_desk(
    qtbot: QtBot, tmp_path: Path, theme: ThemeSwitch
) -> Iterator[Callable[..., OpenDesk]]:
    """A function that opens a window; windows are closed after the test."""
    windows: list[MainWindow] = []

    def make(
        workspace: FakeWorkspace | None = None,
        settings: FakeSettings | None = None,
        prepare: Callable[[FakeSession], None] | None = None,
        *,
        opens_project: bool = True,
    ) -> OpenDesk:
        root = tmp_path / "glucose"
        root.mkdir(exist_ok=True)
        workspace = workspace or FakeWorkspace(root)
        settings = settings or FakeSettings()
        if prepare is not None:
            prepare(workspace.sessions[root])
        window = MainWindow(workspace, WindowMemory(settings), theme, tmp_path)
        windows.append(window)
        window.resize(1280, 720)
        with qtbot.waitExposed(window):
            window.show()
        window.start(root if opens_project else None)
        desk = OpenDesk(window, workspace, settings, workspace.sessions[root], qtbot)
        desk.wait(lambda: not opens_project or bool(window.parts.prompt_panel.prompt_text))
        return desk

    yield make
    for window in windows:
        window.close()
        assert window.late_runners == ()
        window.deleteLater()
    qtbot.wait(1)


@pytest.fixture
def desk(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    """A window on the fake project."""
    return open_desk()


@pytest.fixture
def two(open_desk: Callable[..., OpenDesk], tmp_path: Path) -> tuple[OpenDesk, FakeSession]:
    """A desk on the first of two projects, and the session of the second."""
    first, second = tmp_path / "glucose", tmp_path / "pump"
    first.mkdir()
    workspace = FakeWorkspace(first, second)
    return open_desk(workspace=workspace), workspace.sessions[second]

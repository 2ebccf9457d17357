"""The first window fits the screen, and its docks get back what a small window took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from phasergun_desktop.ui.first_geometry import expected_frame, first_geometry
from phasergun_desktop.ui.help.hint_strip import Hint
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from tests.fakes.ui_desk_stores import FakeSettings
from tests.fakes.ui_workspace import FakeWorkspace
from tests.ui.conftest import OpenDesk

WANTED = QSize(1440, 900)
FRAME = QMargins(4, 32, 4, 4)


@pytest.mark.parametrize(
    "available",
    [QRect(0, 0, 1280, 680), QRect(0, 40, 1366, 728), QRect(1920, 0, 2560, 1400)],
    ids=["small", "panel above", "second screen"],
)
def test_the_first_window_fits_with_its_frame_and_is_in_the_middle(available: QRect) -> None:
    inside = first_geometry(available, FRAME, WANTED)
    whole = inside.marginsAdded(FRAME)
    assert available.contains(whole)
    assert inside.size() == WANTED.boundedTo(available.marginsRemoved(FRAME).size())
    off = whole.center() - available.center()
    assert abs(off.x()) <= 1
    assert abs(off.y()) <= 1


@pytest.fixture
def first(qtbot: QtBot, theme: ThemeSwitch, tmp_path: Path) -> Iterator[MainWindow]:
    """The window of a user who has never started the program, as large as it makes itself."""
    window = MainWindow(FakeWorkspace(), WindowMemory(FakeSettings()), theme, tmp_path)
    with qtbot.waitExposed(window):
        window.show()
    window.start(None)
    yield window
    window.close()
    window.deleteLater()
    qtbot.wait(1)


def test_the_real_window_is_on_the_screen_at_once(first: MainWindow) -> None:
    available, whole = first.screen().availableGeometry(), first.frameGeometry()
    assert expected_frame(first).top() > 0
    # Not a pixel higher than there is room for, though the window wants more than this screen has.
    assert first.height() < 900
    assert available.top() <= whole.top() <= whole.bottom() <= available.bottom()


def test_docks_get_back_what_a_small_window_took(desk: OpenDesk) -> None:
    window = desk.window
    project, source = window.docks[0], window.docks[3]
    window.resize(1440, 900)
    desk.wait(lambda: source.width() >= 380)
    before = project.width(), source.width()
    window.resize(window.minimumSizeHint())
    desk.wait(lambda: source.width() < before[1])
    window.resize(1440, 900)
    desk.wait(lambda: (project.width(), source.width()) == before)


def test_a_screen_of_a_thousand_pixels_is_enough(desk: OpenDesk) -> None:
    desk.window.actions_table["go-ask"].trigger()
    assert desk.window.minimumSizeHint().width() <= 1000


def test_an_empty_row_of_notes_does_not_return(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    strip = desk.window.parts.hint_strip
    strip.show_hints((Hint("one", "Try this."), Hint("two", "And that.")))
    assert strip.isVisible()
    strip.remove("one")
    assert strip.isVisible()
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    assert not again.window.parts.hint_strip.isVisible()


def _mouse(window: MainWindow, kind: QEvent.Type, where: QPoint) -> None:
    left, is_let_go = Qt.MouseButton.LeftButton, kind is QEvent.Type.MouseButtonRelease
    held = Qt.MouseButton.NoButton if is_let_go else left
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else left
    place, none = QPointF(where), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(kind, place, QPointF(window.mapToGlobal(where)), button, held, none)
    QApplication.sendEvent(window, event)


def test_a_width_that_the_writer_drags_is_the_one_that_comes_back(desk: OpenDesk) -> None:
    window = desk.window
    source = window.docks[3]
    window.resize(1440, 900)
    desk.wait(lambda: source.width() >= 380)
    before = source.width()
    desk.qtbot.wait(50)
    border = QPoint(source.x() - 3, source.y() + source.height() // 2)
    _mouse(window, QEvent.Type.MouseButtonPress, border)
    _mouse(window, QEvent.Type.MouseMove, border + QPoint(40, 0))
    desk.wait(lambda: source.width() == before - 40)
    _mouse(window, QEvent.Type.MouseButtonRelease, border + QPoint(40, 0))
    desk.qtbot.wait(1)
    window.resize(window.minimumSizeHint())
    desk.wait(lambda: source.width() < before - 40)
    window.resize(1440, 900)
    desk.wait(lambda: source.width() == before - 40)

"""Where the panels of the window stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QPushButton, QTabBar
from pytestqt.qtbot import QtBot

from phasergun_desktop.paths import resources_path
from phasergun_desktop.projects.project_records import RegisteredProject
from phasergun_desktop.settings.model import Theme
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.desk_frame import DeskFrame
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.start_page import WIDTH
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from tests.ui.colour_contrast import contrast


@pytest.fixture
def runners() -> Iterator[Runners]:
    made = Runners()
    yield made
    made.shutdown()


def _frame(qtbot: QtBot, runners: Runners) -> DeskFrame:
    frame = DeskFrame(resources_path() / "icons", runners, None)
    qtbot.addWidget(frame)
    frame.resize(1280, 720)
    frame.show()
    frame.show_start()
    # Each is laid out before the next, as under a hand.
    QApplication.processEvents()
    return frame


def _tabs(frame: DeskFrame) -> list[list[str]]:
    QApplication.processEvents()
    QApplication.processEvents()
    bars = frame.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    texts = [[bar.tabText(at) for at in range(bar.count())] for bar in bars if bar.isVisible()]
    return sorted(each for each in texts if each)


def _dock(frame: DeskFrame, name: str) -> QDockWidget:
    return next(one for one in frame.docks if one.objectName() == f"dock-{name}")


def test_each_group_of_panels_has_one_bar_of_tabs(qtbot: QtBot, runners: Runners) -> None:
    frame = _frame(qtbot, runners)
    frame.tabifyDockWidget(_dock(frame, "source"), _dock(frame, "ask"))
    frame.show_desk()
    assert _tabs(frame) == [["Project", "Search", "Problems"], ["Source", "Ask"]]


def _drawn(frame: DeskFrame, dock: QDockWidget) -> QColor:
    """Return the colour of the cross that closes a dock."""
    button = dock.findChild(QAbstractButton, "qt_dockwidget_closebutton")
    assert button is not None
    image = button.grab().toImage()
    ground = frame.palette().color(QPalette.ColorRole.Window)
    places = product(range(image.width()), range(image.height()))
    colours = [image.pixelColor(x, y) for x, y in places]
    return max(colours, key=lambda one: contrast(one, ground))


def test_the_buttons_of_panels_are_seen_on_a_dark_ground(
    qtbot: QtBot, runners: Runners, theme: ThemeSwitch
) -> None:
    frame = _frame(qtbot, runners)
    frame.show_desk()
    dock = _dock(frame, "source")
    for chosen in (Theme.DARK, Theme.LIGHT):
        theme.choose(chosen)
        frame.icons.use_palette(QApplication.palette())
        frame.dress_docks()
        ground = QApplication.palette().color(QPalette.ColorRole.Window)
        assert contrast(_drawn(frame, dock), ground) > 4.5
        # Also when it was taken out of the window and put back.
        dock.setFloating(True)
        dock.setFloating(False)
        QApplication.processEvents()
        assert contrast(_drawn(frame, dock), ground) > 4.5
    theme.choose(Theme.SYSTEM)


def test_the_names_of_panels_stand_close_also_when_their_tabs_come_together_later(
    qtbot: QtBot, runners: Runners
) -> None:
    frame = _frame(qtbot, runners)
    frame.show_desk()
    frame.tabifyDockWidget(_dock(frame, "source"), _dock(frame, "ask"))
    assert len(_tabs(frame)) == 2
    bars = frame.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for bar in (one for one in bars if one.count()):
        plain = QTabBar(frame.centralWidget())
        plain.setDocumentMode(True)
        for at in range(bar.count()):
            plain.addTab(bar.tabText(at))
        assert bar.sizeHint().width() <= plain.sizeHint().width() - 8 * bar.count()


def test_answers_and_their_sources_share_the_right_half_and_half(
    qtbot: QtBot, runners: Runners, tmp_path: Path
) -> None:
    frame = _frame(qtbot, runners)
    frame.take_place(WindowMemory(SettingsStore(tmp_path / "settings.json")))
    frame.resize(1280, 720)
    frame.show_desk()
    assert _tabs(frame) == [["Project", "Search", "Problems"]]
    source, ask = _dock(frame, "source"), _dock(frame, "ask")
    qtbot.waitUntil(lambda: abs(source.height() - ask.height()) < 50, timeout=5000)
    assert source.geometry().left() == ask.geometry().left()
    assert source.geometry().bottom() < ask.geometry().top()


def test_a_writer_who_has_them_behind_each_other_keeps_them_so(
    qtbot: QtBot, runners: Runners, tmp_path: Path
) -> None:
    memory = WindowMemory(SettingsStore(tmp_path / "settings.json"))
    before = _frame(qtbot, runners)
    before.show_desk()
    before.tabifyDockWidget(_dock(before, "source"), _dock(before, "ask"))
    assert memory.save(before) is None
    after = _frame(qtbot, runners)
    after.take_place(memory)
    after.show_desk()
    assert _tabs(after) == [["Project", "Search", "Problems"], ["Source", "Ask"]]


def test_the_start_page_does_not_widen_the_desk_nor_a_long_name_the_start_page(
    qtbot: QtBot, runners: Runners, tmp_path: Path
) -> None:
    frame = _frame(qtbot, runners)
    start, middle = frame.parts.start_page, frame.centralWidget()
    assert middle is not None
    name = "Verification & validation of the second generation of the monitor " * 2
    start.show_recent((RegisteredProject(tmp_path, "1", name, ""),))
    (button,) = [one for one in start.findChildren(QPushButton) if "Go on" in one.text()]
    assert button.minimumSizeHint().width() <= WIDTH
    assert middle.minimumSizeHint().width() >= WIDTH
    frame.show_desk()
    QApplication.processEvents()
    assert middle.minimumSizeHint().width() < WIDTH
    frame.show_start()
    assert middle.minimumSizeHint().width() >= WIDTH


def test_a_panel_that_came_to_the_front_of_a_small_window_gets_the_width_of_those_behind_it(
    qtbot: QtBot, runners: Runners, tmp_path: Path
) -> None:
    frame = _frame(qtbot, runners)
    frame.take_place(WindowMemory(SettingsStore(tmp_path / "settings.json")))
    frame.resize(1600, 720)
    frame.show_desk()
    project, search = _dock(frame, "project"), _dock(frame, "search")
    qtbot.waitUntil(lambda: project.width() == 320, timeout=5000)
    frame.resize(frame.minimumSizeHint())
    qtbot.waitUntil(lambda: project.width() < 320, timeout=5000)
    frame.show_dock("search")
    frame.resize(1600, 720)
    qtbot.waitUntil(lambda: search.width() == 320, timeout=5000)

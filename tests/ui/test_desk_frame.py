"""Where the panels of the window stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from phasergun_desktop.paths import resources_path
from phasergun_desktop.ui.desk_frame import DeskFrame
from phasergun_desktop.ui.runners import Runners


def test_each_group_of_panels_has_one_bar_of_tabs(qtbot: QtBot) -> None:
    runners = Runners()
    frame = DeskFrame(resources_path() / "icons", runners, None)
    qtbot.addWidget(frame)
    frame.resize(1280, 720)
    frame.show()
    frame.show_start()
    # Each is laid out before the next, as under a hand.
    QApplication.processEvents()
    frame.show_desk()

    def shown() -> list[list[str]]:
        bars = frame.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        texts = [[bar.tabText(at) for at in range(bar.count())] for bar in bars if bar.isVisible()]
        return sorted(each for each in texts if each)

    try:
        QApplication.processEvents()
        QApplication.processEvents()
        assert shown() == [["Project", "Search", "Problems"], ["Source", "Ask"]]
    finally:
        runners.shutdown()

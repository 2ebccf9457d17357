"""Where the panels of the window stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from tests.ui.conftest import OpenDesk


def test_each_group_of_panels_has_one_bar_of_tabs(desk: OpenDesk) -> None:
    def shown() -> list[list[str]]:
        options = Qt.FindChildOption.FindDirectChildrenOnly
        bars = desk.window.findChildren(QTabBar, options=options)
        texts = [[bar.tabText(at) for at in range(bar.count())] for bar in bars if bar.isVisible()]
        return sorted(each for each in texts if each)

    left, right = ["Project", "Search", "Problems"], ["Source", "Ask"]
    desk.wait(lambda: shown() == [left, right])
    desk.window.actions_table["go-activity"].trigger()
    desk.window.actions_table["go-evaluation"].trigger()
    desk.wait(lambda: shown() == [["Activity", "Evaluation"], left, right])

"""Evidence has the room before there is a draft, the page behind it; what is dragged stays."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from phasergun_desktop.ui.desk_shares import DeskShares


def test_heights_follow_the_draft_and_the_writer(qtbot: QtBot) -> None:
    splitter = QSplitter(Qt.Orientation.Vertical)
    qtbot.addWidget(splitter)
    for _ in range(2):
        splitter.addWidget(QWidget())
    shares = DeskShares(splitter)
    splitter.resize(400, 1000)
    splitter.show()

    def share() -> float:
        above, below = splitter.sizes()
        return above / (above + below)

    assert share() > 0.6
    shares.show_draft(True)
    assert share() < 0.4
    splitter.moveSplitter(500, 1)
    shares.show_draft(False)
    assert share() > 0.6
    shares.show_draft(True)
    assert 0.45 < share() < 0.55

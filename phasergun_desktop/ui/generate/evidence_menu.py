"""The menu of a line of the evidence board, and why a passage is there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QMessageBox

from phasergun_desktop.ui.generate.evidence_rows import BoardRow
from phasergun_desktop.ui.generate.evidence_tree import ADD_KEY
from phasergun_desktop.ui.generate.evidence_words import details_of

if TYPE_CHECKING:
    from phasergun_desktop.ui.generate.evidence_board import EvidenceBoard


def menu_for(board: EvidenceBoard, row: BoardRow) -> QMenu:
    """Return the menu of a line of a need."""
    menu = QMenu(board)

    def entry(text: str, command: str, keys: str = "") -> None:
        label = f"{text}\t{keys}" if keys else text
        menu.addAction(label, lambda: board.do(command, row))

    unit, needs = row.unit, board.evidence.needs
    if unit is not None:
        entry("&Open in its source", "open", "Return")
        entry("&Take out" if unit.selected else "&Take in", "tick", "Space")
        if unit in needs[row.need].shown:
            entry("Put &back among the considered", "away", "Del")
            entry("Move &up", "up", "Alt+Up")
            entry("Move &down", "down", "Alt+Down")
        others = menu.addMenu("&Move to")
        for at in range(len(needs)):
            if at != row.need:
                others.addAction(f"{at + 1}. {board.need_name(at)}", partial(board.add, at, unit))
        others.setEnabled(len(needs) > 1)
        menu.addAction("&Why is this here…", lambda: explain(board, row))
        menu.addSeparator()
    entry("&Add passage…", "add", ADD_KEY)
    reset = menu.addAction("&Reset to suggestion", board.reset)
    reset.setEnabled(board.evidence.is_changed)
    return menu


def explain(board: EvidenceBoard, row: BoardRow) -> None:
    """Say why a passage is here, with the numbers on demand."""
    if row.unit is None:
        return
    box = QMessageBox(
        QMessageBox.Icon.NoIcon,
        "Why is this here",
        board.why(row),
        QMessageBox.StandardButton.Close,
        board,
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setDetailedText(details_of(row.unit))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()

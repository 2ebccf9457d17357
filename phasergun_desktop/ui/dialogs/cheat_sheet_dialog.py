"""All keys of the window on one page, built from its actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.generate.evidence_tree import ADD_KEY
from phasergun_desktop.ui.window_actions import SPECS, WindowActions, plain

ALSO = (
    ("Draft", "Open the footnote at the cursor", "Ctrl+Return"),
    ("Draft", "In the evidence: tick or untick a passage", "Space"),
    ("Draft", "In the evidence: take a passage out", "Del"),
    ("Draft", "In the evidence: move a passage", "Alt+Up, Alt+Down"),
    ("Draft", "In the evidence: add a passage", ADD_KEY),
    ("Draft", "In the evidence: take the last change back", "Ctrl+Z"),
)


class CheatSheetDialog(QDialog):
    """Menus as headings, a line an action."""

    def __init__(self, actions: WindowActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.resize(520, 620)
        self.tree = QTreeWidget()
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Action", "Keys"])
        self.tree.setAccessibleName("Actions and their keys")
        self.tree.setRootIsDecorated(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        for menu in dict.fromkeys(spec.menu for spec in SPECS):
            heading = QTreeWidgetItem([plain(menu)])
            font = heading.font(0)
            font.setBold(True)
            heading.setFont(0, font)
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.tree.addTopLevelItem(heading)
            for action in actions.in_menu(menu):
                keys = ", ".join(
                    one.toString(QKeySequence.SequenceFormat.NativeText)
                    for one in action.shortcuts()
                )
                heading.addChild(QTreeWidgetItem([plain(action.text()), keys]))
            for place, text, keys in ALSO:
                if place == plain(menu):
                    heading.addChild(QTreeWidgetItem([text, keys]))
            heading.setExpanded(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.tree)
        column.addWidget(buttons)

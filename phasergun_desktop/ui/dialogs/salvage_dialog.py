"""What was saved of a project's drafts after their database was found damaged."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.wording import when_in_words
from phasergun_desktop.workspace.work_salvage import Salvage, Saved, SavedDraft

_BECAME = {
    Saved.WHOLE: "Whole",
    Saved.EARLIER: "An earlier form; later changes are lost",
    Saved.DOUBTFUL: "Read it again: words may have changed",
    Saved.LOST: "Lost",
}
# What the writer has to look at comes first.
_ORDER = (Saved.LOST, Saved.DOUBTFUL, Saved.EARLIER, Saved.WHOLE)


class SalvageDialog(QDialog):
    """One line a draft; does not block the window behind it."""

    def __init__(self, salvage: Salvage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Drafts after damage")
        self.resize(760, 420)
        self.label = QLabel(_introduction(salvage), wordWrap=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Drafts and what became of each")
        self.tree.setHeaderLabels(["Draft", "What became of it", "Text of"])
        self.tree.setRootIsDecorated(False)
        self.tree.addTopLevelItems(
            [_line(one) for one in sorted(salvage.drafts, key=lambda one: _ORDER.index(one.saved))]
        )
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number in (1, 2):
            self.tree.header().setSectionResizeMode(number, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), self.label, (self.tree, 1), buttons)


def _introduction(salvage: Salvage) -> str:
    if not salvage.aside:
        return (
            "The file with the drafts of this project was gone. What its safety copies held is "
            "here again."
        )
    return (
        "The file with the drafts of this project was damaged on the disk. What could be read of "
        "it and of its safety copies is here again; the damaged file is kept in the project's "
        f"data folder as {salvage.aside}."
    )


def _line(draft: SavedDraft) -> QTreeWidgetItem:
    when = when_in_words(draft.modified) if draft.modified else ""
    return QTreeWidgetItem([draft.title or "(without a title)", _BECAME[draft.saved], when])

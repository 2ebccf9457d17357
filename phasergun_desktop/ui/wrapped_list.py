"""A list whose lines are wrapped as they are measured, whatever its width."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QListWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)


class _Apart(QStyledItemDelegate):
    """Leaves room above and below each entry."""

    SPACE = 3

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return the room that an entry takes."""
        return super().sizeHint(option, index) + QSize(0, 2 * self.SPACE)


class WrappedList(QListWidget):
    """Entries of several lines, each as high as its words need. (With a spacing of Qt's own an
    entry is measured narrower than it is drawn: below some there is a gap, of some the last line
    is cut off.)"""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """``name`` is what a screen reader calls it."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setWordWrap(True)
        self.setItemDelegate(_Apart(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

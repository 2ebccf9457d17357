"""Boxes to check that can be seen in dark colours, where Qt's own style outlines them in black."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QRadioButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QWidget,
)

from phasergun_desktop.ui.theme import colours_for

# The styles of Windows and macOS draw boxes of their own.
STYLE = "fusion"


class OutlinedCheckBox(QCheckBox):
    """A check box with an outline."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, then its outline."""
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        element = QStyle.SubElement.SE_CheckBoxIndicator
        painter = QPainter(self)
        outline_box(painter, self.style().subElementRect(element, option, self), self)
        painter.end()


class OutlinedRadioButton(QRadioButton):
    """A radio button with an outline."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, then its outline."""
        super().paintEvent(event)
        if self.style().name() != STYLE:
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        element = QStyle.SubElement.SE_RadioButtonIndicator
        box = self.style().subElementRect(element, option, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(outline_colour(self.palette()))
        painter.drawEllipse(box.adjusted(0, 0, -1, -1))
        painter.end()


class OutlinedChecks(QStyledItemDelegate):
    """Draws the items of a list with an outline around their boxes."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the item, then the outline."""
        super().paint(painter, option, index)
        made = QStyleOptionViewItem(option)
        self.initStyleOption(made, index)
        element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        outline_box(
            painter, self._view.style().subElementRect(element, made, self._view), self._view
        )


def outline_colour(palette: QPalette) -> QColor:
    """Return the colour of the outline."""
    return colours_for(palette).muted


def outline_box(painter: QPainter, box: QRect, widget: QWidget) -> None:
    if widget.style().name() == STYLE:
        painter.setPen(outline_colour(widget.palette()))
        painter.drawRect(box.adjusted(0, 0, -1, -1))

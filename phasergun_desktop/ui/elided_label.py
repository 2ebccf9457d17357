"""A label that shortens long names in the middle and shows them whole on hover."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from phasergun_desktop.ui.wording import literal


class ElidedLabel(QLabel):
    """One line of text; screen readers and the tooltip get all of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = Qt.TextElideMode.ElideMiddle
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.set_full_text(text)

    def set_elide_mode(self, mode: Qt.TextElideMode) -> None:
        """Set where the text is shortened."""
        self._mode = mode
        self.update()

    def set_full_text(self, text: str) -> None:
        """Set the text, shown as far as there is room."""
        self.setText(text)
        self.setToolTip(literal(text))
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:
        """Take any width."""
        return QSize(40, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text with an ellipsis where it is too long."""
        del event
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), shown)
        painter.end()

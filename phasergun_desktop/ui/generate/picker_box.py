"""A box to pick from that the mouse wheel does not change in passing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget


class PickerBox(QComboBox):
    """Turns with the wheel only while it has the keyboard, which the wheel does not give it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what lies behind, unless the writer is in the box."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

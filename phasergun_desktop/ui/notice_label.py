"""A quiet line on a coloured ground that tells something and asks nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from phasergun_desktop.ui.theme import colours_for


class NoticeLabel(QLabel):
    """Wraps its text and follows light and dark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setContentsMargins(10, 5, 10, 5)
        self.setAutoFillBackground(True)
        wear_notice_colours(self)

    def changeEvent(self, event: QEvent) -> None:
        """Follow light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            wear_notice_colours(self)


def wear_notice_colours(widget: QWidget) -> bool:
    """Give a notice its ground and text in light or dark; return whether they are others now."""
    colours, palette = colours_for(widget.palette()), QPalette(widget.palette())
    # Setting a palette raises the same event again; once for each of light and dark is enough.
    if palette.color(QPalette.ColorRole.Window) == colours.notice:
        return False
    palette.setColor(QPalette.ColorRole.Window, colours.notice)
    palette.setColor(QPalette.ColorRole.WindowText, colours.notice_text)
    widget.setPalette(palette)
    return True

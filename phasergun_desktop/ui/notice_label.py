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
        self._is_dark: bool | None = None
        self._follow_palette()

    def changeEvent(self, event: QEvent) -> None:
        """Follow light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_palette()

    def _follow_palette(self) -> None:
        colours = colours_for(self.palette())
        # Setting a palette raises the same event again; once for each of light and dark is enough.
        if colours.is_dark == self._is_dark:
            return
        self._is_dark = colours.is_dark
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, colours.notice)
        palette.setColor(QPalette.ColorRole.WindowText, colours.notice_text)
        self.setPalette(palette)

"""A bar above the desk that tells of a problem with its remedy, and never blocks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.notice_label import wear_notice_colours
from phasergun_desktop.ui.theme import colours_for


class MessageBar(QFrame):
    """Shows one message; the newest is the one that counts."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._picture = QLabel()
        self._text = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._close = QToolButton(autoRaise=True)
        self._close.setToolTip("Close this message (Ctrl+Shift+W)")
        self._close.setAccessibleName("Close this message")
        self._close.clicked.connect(self.hide)
        row = self._picture, (self._text, 1), self._close
        laid_out(QHBoxLayout(self), *row, margins=(12, 7, 8, 7), spacing=10)
        self.setAutoFillBackground(True)
        self._follow_palette()
        self.hide()

    @property
    def message(self) -> str:
        """What is shown; empty when the bar is closed."""
        return "" if self.isHidden() else self._text.text()

    def show_problem(self, error: PhaserGunError) -> None:
        """Show a problem as it words itself."""
        self.show_text(f"{error.title}. {error.message} {error.remedy}".strip())

    def show_text(self, text: str) -> None:
        """Show a sentence."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.show()

    def hide_text(self, text: str) -> None:
        """Close the bar where it shows this sentence still."""
        if text and self.message == text:
            self.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Follow light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_palette()

    def _follow_palette(self) -> None:
        if wear_notice_colours(self):
            colour = colours_for(self.palette()).notice_text
            self._picture.setPixmap(self._icons.icon("warning", colour).pixmap(20, 20))
            self._close.setIcon(self._icons.icon("close", colour))

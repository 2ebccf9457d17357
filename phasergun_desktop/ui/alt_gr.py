"""Typing with AltGr on Windows, which reports it as Ctrl+Alt: no shortcut is pressed by it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

_BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


class AltGrTyping(QObject):
    """A filter of the fields of ``window``: what types “@”, “€” or “{” reaches the text and no
    action. (One of the application would see every event there is.)"""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        for kind in (QTextEdit, QPlainTextEdit, QLineEdit):
            for field in window.findChildren(kind):
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a key that types a character from the shortcuts."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and types_a_character(event):
            event.accept()
            return True
        return super().eventFilter(watched, event)


def types_a_character(event: QKeyEvent) -> bool:
    """Whether Ctrl+Alt with this key gives a character of its own, as AltGr does, and not the
    letter or digit that the key has without it."""
    text = event.text()
    is_own = len(text) == 1 and text.isprintable() and not (text.isascii() and text.isalnum())
    return is_own and event.modifiers() & _BOTH == _BOTH

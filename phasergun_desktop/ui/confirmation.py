"""Asks before something is done that cannot be taken back, or that can be done in several ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def confirm(
    window: QWidget,
    title: str,
    question: str,
    more: str,
    answers: Mapping[str, Callable[[], object]],
    role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.DestructiveRole,
) -> QMessageBox:
    """Open a question over ``window``: a button for each of ``answers`` does what it says, and one
    cancels. Returns the box."""
    box = QMessageBox(
        QMessageBox.Icon.Question, title, question, QMessageBox.StandardButton.Cancel, window
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(more)
    for words, do in answers.items():
        box.addButton(words, role).clicked.connect(lambda _checked=False, do=do: do())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box

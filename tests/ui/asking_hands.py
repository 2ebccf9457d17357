"""What a writer does in the panel that asks, in tests."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.ui.ask.ask_panel import AskPanel
from phasergun_desktop.ui.ask.transcript import Transcript
from tests.ui.conftest import OpenDesk

QUESTION = "What does the meter measure?"


def panel_of(desk: OpenDesk) -> AskPanel:
    """Return the panel that asks."""
    return desk.window.parts.ask_panel


def ask(desk: OpenDesk, text: str) -> Turn:
    """Type a question, press Return, wait for the answer and return its turn."""
    panel = panel_of(desk)
    desk.window.actions_table["go-ask"].trigger()
    panel.composer.box.put(text)
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        QTest.keyClick(panel.composer.box, Qt.Key.Key_Return)
    return panel.transcript.turns[-1]


def text_of(desk: OpenDesk) -> str:
    """Return what the conversation shows."""
    return str(panel_of(desk).transcript.toPlainText())


def go_to(transcript: Transcript, words: str) -> None:
    """Put the cursor behind ``words``, searched from the end."""
    at = transcript.document().toPlainText().rindex(words)
    cursor = transcript.textCursor()
    cursor.setPosition(at)
    cursor.setPosition(at + len(words), QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.setFocus()

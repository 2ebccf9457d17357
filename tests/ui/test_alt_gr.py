"""AltGr types; it presses no shortcut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from phasergun_desktop.ui.alt_gr import AltGrTyping, types_a_character

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def key(code: Qt.Key, text: str, modifiers: Qt.KeyboardModifier = BOTH) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.ShortcutOverride, code, modifiers, text)


@pytest.mark.parametrize("text", ["@", "€", "{", "ń", "µ"])
def test_a_character_of_its_own_is_typed(text: str) -> None:
    assert types_a_character(key(Qt.Key.Key_Q, text))


@pytest.mark.parametrize("text", ["q", "Q", "7", "\x11", ""])
def test_a_shortcut_stays_one(text: str) -> None:
    assert not types_a_character(key(Qt.Key.Key_Q, text))


def test_ctrl_alone_is_no_alt_gr() -> None:
    assert not types_a_character(key(Qt.Key.Key_Q, "@", Qt.KeyboardModifier.ControlModifier))


@pytest.fixture
def field(qtbot: QtBot) -> tuple[QPlainTextEdit, list[str], QWidget]:
    """A text with an action on Ctrl+Alt+Q, under the filter, and its window."""
    window, pressed = QWidget(), list[str]()
    edit = QPlainTextEdit(window)
    action = QAction("Quote", window)
    action.setShortcut(QKeySequence("Ctrl+Alt+Q"))
    action.triggered.connect(lambda: pressed.append("quote"))
    window.addAction(action)
    AltGrTyping(window)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    edit.setFocus()
    return edit, pressed, window


def test_the_text_gets_the_override_of_a_typed_character(
    field: tuple[QPlainTextEdit, list[str], QWidget],
) -> None:
    edit, pressed, _window = field
    event = key(Qt.Key.Key_Q, "@")
    event.ignore()
    QCoreApplication.sendEvent(edit, event)
    assert event.isAccepted()
    assert pressed == []


def test_the_shortcut_is_pressed_by_its_own_keys(
    field: tuple[QPlainTextEdit, list[str], QWidget],
) -> None:
    edit, pressed, _window = field
    QTest.keyClick(edit, Qt.Key.Key_Q, BOTH)
    assert pressed == ["quote"]

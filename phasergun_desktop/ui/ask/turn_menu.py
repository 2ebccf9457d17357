"""The menu of a turn: what can be done with its answer, and with the passage at the cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.ui.ask.turn_words import has_answer

if TYPE_CHECKING:
    from phasergun_desktop.ui.ask.transcript import Transcript

OF_ANY = (Act.AGAIN, Act.EDIT, Act.KEEP)
ENTRIES = (
    (Act.AGAIN, "&Ask again"),
    (Act.EDIT, "&Edit the question"),
    (Act.COPY, "&Copy with sources"),
    (Act.INSERT, "&Insert into the draft"),
    (Act.KEEP, "&Save as an evaluation question"),
    (Act.RIGHT, "This passage is the &right one"),
)


def turn_menu(transcript: Transcript, turn: Turn | None) -> QMenu:
    """Return the menu of ``turn``; only that of the selection while an answer is written."""
    menu = QMenu(transcript)
    passage = transcript.chosen_passage()
    if turn is not None and not transcript.page.is_running:
        for act, words in ENTRIES:
            entry = menu.addAction(words)
            is_there = passage is not None if act is Act.RIGHT else has_answer(turn)
            entry.setEnabled(is_there or act in OF_ANY)
            entry.triggered.connect(partial(_want, transcript, act, turn))
    menu.addSeparator()
    copy = menu.addAction("Copy the se&lection")
    copy.setEnabled(transcript.textCursor().hasSelection())
    copy.triggered.connect(transcript.copy)
    return menu


def _want(transcript: Transcript, act: Act, turn: Turn, _checked: bool = False) -> None:
    passage = transcript.chosen_passage() if act is Act.RIGHT else None
    transcript.action_wanted.emit(act, turn, passage)

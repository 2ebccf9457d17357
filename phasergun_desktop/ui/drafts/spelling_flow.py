"""Spelling of the draft: dictionary and sources are asked aside, words are marked and mended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QMenu, QToolTip

from phasergun_desktop.settings.model import SpellingLanguage
from phasergun_desktop.spelling.speller import Speller
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.ui.editor.spelling_lines import hint_of
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

# Paragraphs are drawn, and words typed, one after the other; their words are asked for together.
_TOGETHER_MS = 200


class SpellingFlow(Flow):
    """Asks the project's sources for words that the dictionary lacks, behind whatever else the
    writer waits for."""

    def __init__(self, desk: Desk, speller: Speller, memory: WindowMemory) -> None:
        super().__init__(desk)
        self._speller = speller
        self._memory = memory
        self._session: ProjectSession | None = None
        self._language: SpellingLanguage | None = None
        # Another one for every state of the sources: answers of an older one are worth nothing.
        self._state = object()
        self._is_asking = False
        # Where the writer waits for the next misspelled word.
        self._goes_on_from = -1
        self._timer = QTimer(self, singleShot=True, interval=_TOGETHER_MS)
        self._timer.timeout.connect(self._ask)
        self._editor = desk.parts.draft_panel.editor
        self._lines = self._editor.spelling
        self._editor.menu_wanted.connect(self._on_menu_wanted)
        self.apply()

    # What is known ------------------------------------------------------------------------------

    def apply(self) -> None:
        """Check as the settings say."""
        wanted = self._memory.settings.spelling
        if not wanted.is_on or self._language is wanted.language:
            self._lines.use(self._speller if wanted.is_on else None)
            return

        def on_read(found: tuple[object, tuple[str, ...]]) -> None:
            # Another language may have been chosen meanwhile.
            if wanted.language is not self._memory.settings.spelling.language:
                return
            self._speller.use(*found)
            self._language = wanted.language
            if self._memory.settings.spelling.is_on:
                self._lines.use(self._speller)

        self._work.call(lambda: self._speller.read(wanted.language.value), on_read)

    @property
    def own_words(self) -> Path:
        """The file of the words that the writer added."""
        return self._speller.own_words

    @property
    def is_ready(self) -> bool:
        """Whether a dictionary was read."""
        return self._language is not None

    def toggle(self) -> None:
        """Check the spelling, or not."""
        self._memory.set_spelling(is_on=not self._memory.settings.spelling.is_on)
        self.apply()

    def set_session(self, session: ProjectSession | None) -> None:
        """Ask another project's sources from now on."""
        self._session, self._state, self._goes_on_from = session, object(), -1
        self._speller.use_sources(self._timer.start if session is not None else None)
        self._editor.viewport().update()

    def ask_again(self, report: SyncReport) -> None:
        """Ask again for what the sources had not, where they have changed."""
        if report.changed:
            self._state = object()
            self._speller.ask_again()
            self._editor.viewport().update()

    def _ask(self) -> None:
        session, state, words = self._session, self._state, self._speller.unsure
        if session is None or not words or self._is_asking:
            return
        self._is_asking = True

        def on_answered(found: frozenset[str]) -> None:
            self._is_asking = False
            if state is self._state:
                self._speller.answer(words, found)
                self._editor.viewport().update()
                waits_at, self._goes_on_from = self._goes_on_from, -1
                if waits_at == self._editor.textCursor().position():
                    self.next_word()
            # What was met meanwhile, or what another state of the sources was asked for.
            self._ask()

        job = self._work.call(
            lambda: session.occurring(words),
            # An index that cannot be read has no words; whoever searches it is told.
            failed=lambda _error: on_answered(frozenset()),
        )
        job.succeeded.connect(on_answered)

    # Mending ------------------------------------------------------------------------------------

    def next_word(self) -> None:
        """Select the next misspelled word and say how it is mended."""
        if not self._memory.settings.spelling.is_on:
            self._work.say("Spelling is not checked (Edit › Check spelling)")
            return
        cursor = self._editor.textCursor()
        found = self._lines.next_word(cursor.selectionEnd())
        # What was met on the way may be misspelled as well.
        self._goes_on_from = cursor.position() if self._speller.unsure else -1
        if self._speller.unsure:
            self._ask()
            return
        if found is None:
            self._work.say("No misspelled words")
            return
        self._editor.move_cursor(found.selectionEnd(), anchor=found.selectionStart())
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        viewport = self._editor.viewport()
        where = viewport.mapToGlobal(self._editor.cursorRect().bottomLeft())
        QToolTip.showText(where, hint_of(found.selectedText()), viewport)

    def offer_at_cursor(self, menu: QMenu) -> None:
        """Put what can be done about the word at the cursor into a menu."""
        self._on_menu_wanted(menu, self._editor.textCursor().selectionStart())

    def _on_menu_wanted(self, menu: QMenu, position: int) -> None:
        found = self._lines.word_at(position)
        if found is None:
            return
        word = found.selectedText()
        offers: list[tuple[str, Callable[[], object]]] = [
            (one, lambda one=one: self._replace(found, one))  # type: ignore[misc]
            for one in self._speller.suggestions(word)
            if not self._editor.isReadOnly()
        ]
        actions = [_action(menu, text, call) for text, call in offers]
        for action in actions:
            font = action.font()
            font.setBold(True)
            action.setFont(font)
        if not actions:
            actions.append(_action(menu, f"No suggestions for “{word}”", lambda: None))
            actions[0].setEnabled(False)
        actions.append(_action(menu, "A&dd to the dictionary", lambda: self._add(word)))
        actions.append(_action(menu, "&Ignore", lambda: self._ignore(word)))
        # Never an empty menu: it has what is usual, or the fixes.
        menu.insertActions(menu.insertSeparator(menu.actions()[0]), actions)

    def _replace(self, word: QTextCursor, by: str) -> None:
        if not self._editor.isReadOnly():
            # In the format of the word: its sentence stays the same one.
            word.insertText(by)
            self._editor.move_cursor(word.position())

    def _ignore(self, word: str) -> None:
        self._speller.ignore(word)
        self._editor.viewport().update()

    def _add(self, word: str) -> None:
        self._ignore(word)
        self._work.call(lambda: self._speller.keep(word), must_run=True)


def _action(menu: QMenu, text: str, call: Callable[[], object]) -> QAction:
    action = QAction(text, menu)
    # (Without the checked state that it carries.)
    action.triggered.connect(lambda _checked=False: call())
    return action

"""Spelling of the draft: dictionary and sources are read aside, words are marked and mended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from phasergun_desktop.index.records import FileState
from phasergun_desktop.settings.model import SpellingLanguage
from phasergun_desktop.spelling.checked_words import words_of
from phasergun_desktop.spelling.speller import Speller
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.editor.spelling_lines import hint_of
from phasergun_desktop.ui.ports import SessionPort
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.window_memory import WindowMemory


class SpellingFlow(QObject):
    """Knows the words of the project's sources once they were read: one document after the other,
    behind whatever else the writer waits for."""

    def __init__(
        self,
        parts: DeskParts,
        reporter: ProblemReporter,
        speller: Speller,
        memory: WindowMemory,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._reporter = reporter
        self._speller = speller
        self._memory = memory
        self._session: SessionPort | None = None
        self._language: SpellingLanguage | None = None
        self._seen: set[tuple[str, str]] = set()
        self._waiting: deque[str] = deque()
        self._editor = parts.draft_panel.editor
        self._lines = self._editor.spelling
        self._editor.menu_wanted.connect(self._on_menu_wanted)
        self.apply()

    # What is known ------------------------------------------------------------------------------

    def apply(self) -> None:
        """Check as the settings say."""
        wanted = self._memory.spelling
        if not wanted.is_on or self._language is wanted.language:
            self._lines.use(self._speller if wanted.is_on else None)
            return
        job = self._parts.runners.interactive.submit_call(
            lambda: self._speller.read(wanted.language.value)
        )

        def on_read(found: tuple[object, tuple[str, ...]]) -> None:
            self._speller.use(*found)  # type: ignore[arg-type]  # what ``read`` returned
            self._language = wanted.language
            if self._memory.spelling.is_on:
                self._lines.use(self._speller)

        job.succeeded.connect(on_read)
        job.failed.connect(self._reporter.report)

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
        self._memory.set_spelling(is_on=not self._memory.spelling.is_on)
        self.apply()

    def set_session(self, session: SessionPort | None) -> None:
        """Know the words of another project's sources from now on."""
        self._session = session
        self._speller.forget_sources()
        self._seen.clear()
        self._waiting.clear()
        self.read_sources()

    def read_sources(self) -> None:
        """Learn the words of documents that are new or changed."""
        session = self._session
        if session is None:
            return
        job = self._parts.runners.interactive.submit_call(
            lambda: [
                (one.file, one.sha256) for one in session.files() if one.state is FileState.INDEXED
            ]
        )

        def on_listed(files: list[tuple[str, str]]) -> None:
            if session is self._session:
                is_reading = bool(self._waiting)
                self._waiting.extend(one[0] for one in files if one not in self._seen)
                self._seen.update(files)
                if not is_reading:
                    self._read_next(session)

        job.succeeded.connect(on_listed)

    def _read_next(self, session: SessionPort) -> None:
        if session is not self._session or not self._waiting:
            return
        file = self._waiting[0]
        job = self._parts.runners.interactive.submit_call(
            lambda: words_of(session.source(file).document.text)
        )

        def on_read(words: frozenset[str]) -> None:
            if session is self._session:
                self._speller.learn(words)
                self._editor.viewport().update()

        def on_finished() -> None:
            if session is self._session and self._waiting:
                self._waiting.popleft()
                self._read_next(session)

        # A document that is gone again has no words; whoever opens it is told.
        job.succeeded.connect(on_read)
        job.finished.connect(on_finished)

    # Mending ------------------------------------------------------------------------------------

    def next_word(self) -> None:
        """Select the next misspelled word and say how it is mended."""
        if not self._memory.spelling.is_on:
            self._parts.status_bar.show_work("Spelling is not checked (Edit › Check spelling)")
            return
        found = self._lines.next_word(self._editor.textCursor().selectionEnd())
        if found is None:
            self._parts.status_bar.show_work("No misspelled words")
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
        job = self._parts.runners.interactive.submit_call(
            lambda: self._speller.keep(word), must_run=True
        )
        job.failed.connect(self._reporter.report)


def _action(menu: QMenu, text: str, call: Callable[[], object]) -> QAction:
    action = QAction(text, menu)
    # (Without the checked state that it carries.)
    action.triggered.connect(lambda _checked=False: call())
    return action

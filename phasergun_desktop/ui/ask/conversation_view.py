"""The conversation on the screen: its turns, an answer as it comes, and where the view stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit, QWidget

from phasergun_desktop.conversations.model import Conversation, Question, Turn
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.ui.ask.conversation_page import ConversationPage
from phasergun_desktop.ui.editor.page_edit import following_end
from phasergun_desktop.ui.theme import Colours, colours_for

_FROM_TOP = 6


class ConversationView(QTextEdit):
    """Read only; keeps the end in view while text is added there, and the question above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Conversation")
        # A bar that comes and goes would lay everything out twice.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        # Puts the titles of profile and agent in the place of their names.
        self.titled: Callable[[Question], Question] = lambda question: question
        self.page = self._new_page(None)

    def _new_page(self, conversation: Conversation | None) -> ConversationPage:
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        page = ConversationPage(document, self._colours, conversation, self._titled)
        self.setDocument(document)
        return page

    def _titled(self, question: Question) -> Question:
        # (``titled`` is another one once the panel is whole.)
        return self.titled(question)

    def _colours(self) -> Colours:
        return colours_for(self.palette())

    # The conversation -------------------------------------------------------------------------

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns of the conversation, in order."""
        return self.page.turns

    def show_conversation(self, conversation: Conversation | None) -> None:
        """Show a conversation from its end, or an empty page."""
        before, self.page = self.page, self._new_page(conversation)
        before.document.deleteLater()
        self.moveCursor(QTextCursor.MoveOperation.End)
        self._to_end()

    def begin_turn(self, turn: Turn) -> None:
        """Show a question at the end; see ``ConversationPage.begin_turn``."""
        self.page.begin_turn(turn)
        self._to_end()

    def stream(self, text: str) -> None:
        """Show text that is not bound yet."""
        with self._following_answer():
            self.page.stream(text)

    def add_unit(self, unit: DraftSentence, footnotes: tuple[Footnote, ...]) -> None:
        """Show a bound sentence in the place of the streamed text."""
        with self._following_answer():
            self.page.add_unit(unit, footnotes)

    def discard_stream(self) -> None:
        """Take out what was streamed and is not kept."""
        self.page.discard_stream()

    def end_turn(self, turn: Turn | None) -> None:
        """Show the turn that runs as it was kept; None takes it out."""
        with self._following_answer():
            self.page.end_turn(turn)

    @contextmanager
    def _following_answer(self) -> Iterator[None]:
        """Follow the end, but not past the question that is answered while that is in view."""
        bar, shown = self.verticalScrollBar(), self.page.shown
        is_in_view = bool(shown) and bar.value() <= self.top_of(shown[-1])
        with following_end(self):
            yield
        if is_in_view and shown[-1] in self.page.shown:
            bar.setValue(min(bar.value(), self.top_of(shown[-1])))

    def top_of(self, number: int) -> int:
        """Return where the bar stands with a question at the top of the view."""
        cursor = self.textCursor()
        cursor.setPosition(self.page.span(number)[0])
        return self.verticalScrollBar().value() + self.cursorRect(cursor).top() - _FROM_TOP

    # Light and dark, scrolling -----------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the end in view when the field below grows."""
        with following_end(self):
            super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Colour all anew when light turns dark or back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page"):
            self.page.highlighter.follow_colours()

    def settle_layout(self) -> None:
        """Lay everything out now, so that the bar knows how long it is."""
        # Asking for the last line lays out everything before it.
        document = self.document()
        document.documentLayout().blockBoundingRect(document.lastBlock())

    def _to_end(self) -> None:
        self.settle_layout()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

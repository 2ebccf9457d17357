"""The list of the conversations of a project, with a field to search in them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from phasergun_desktop.conversations.model import ConversationSummary
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.wording import count, when_in_words
from phasergun_desktop.ui.wrapped_list import WrappedList

IDLE_MS = 250
_USER = Qt.ItemDataRole.UserRole


class ConversationList(QWidget):
    """Return or a click opens a conversation, Esc goes back to the one in view."""

    chosen = Signal(str)
    search_wanted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QLineEdit(placeholderText="Search the conversations", clearButtonEnabled=True)
        self.box.setAccessibleName("Search the conversations")
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.list = WrappedList("Conversations")
        laid_out(QVBoxLayout(self), self.box, self.summary, (self.list, 1), margins=(8, 4, 8, 4))
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(lambda: self.search_wanted.emit(self.words))
        self.box.textEdited.connect(lambda _text: self._idle.start())
        self.box.returnPressed.connect(self._on_return)
        self.list.itemClicked.connect(self._on_activated)
        self.list.itemActivated.connect(self._on_activated)

    @property
    def words(self) -> str:
        """What is searched for."""
        return self.box.text().strip()

    def show_found(self, found: Sequence[ConversationSummary], current: str) -> None:
        """List conversations; the one in view is chosen."""
        self.list.clear()
        for one in found:
            line = f"{when_in_words(one.modified)} · {count(one.turns, 'question')}"
            item = QListWidgetItem(f"{one.title}\n{line}")
            item.setData(_USER, one.conversation_id)
            self.list.addItem(item)
            if one.conversation_id == current:
                self.list.setCurrentItem(item)
        if not found:
            nothing = "Nothing was asked yet"
            self.summary.setText("No conversation has these words" if self.words else nothing)
        self.summary.setVisible(not found)

    def begin(self) -> None:
        """Take the keyboard, with nothing searched for."""
        self._idle.stop()
        self.box.clear()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_return(self) -> None:
        self._idle.stop()
        self.search_wanted.emit(self.words)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_USER))

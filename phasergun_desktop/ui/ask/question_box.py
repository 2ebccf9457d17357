"""The field that a question is typed into."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

MOST_LINES = 5
# Characters: some twenty pages. What is longer is a document, which belongs into the project.
MOST_TYPED = 100_000
TOO_LONG = (
    "That is longer than a question can be, so it was not put in. Put the file into the project "
    "folder, and ask about it."
)


class QuestionBox(QPlainTextEdit):
    """One to five lines high; Return asks, Shift+Return begins a new line."""

    asked = Signal()
    # More was to be pasted than a question can hold; the sentence says so.
    paste_refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setPlaceholderText("Ask a question")
        self.setAccessibleName("Question")
        self.setToolTip("Return asks, Shift+Return begins a new line")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)
        self._fit()

    @property
    def question(self) -> str:
        """The question as it stands, without the space around it."""
        return self.toPlainText().strip()

    def put(self, text: str) -> None:
        """Put a text in as one undo step, with the cursor behind it."""
        cursor = self.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask with Return."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.asked.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text, as far as a question can be long."""
        if len(source.text()) + len(self.toPlainText()) > MOST_TYPED:
            self.paste_refused.emit(TOO_LONG)
        else:
            self.insertPlainText(source.text())
            self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as the lines are at the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # (A plain text document measures its height in lines.)
        lines = min(max(round(self.document().size().height()), 1), MOST_LINES)
        room = 2 * (self.frameWidth() + round(self.document().documentMargin()))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + room + 2)

"""Finds text in the draft."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QTextEdit, QWidget


class FindBar(QWidget):
    """Opens with Ctrl+F, goes on with F3, closes with Esc."""

    def __init__(self, editor: QTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.box = QLineEdit()
        self.box.setPlaceholderText("Find in the draft")
        self.box.setAccessibleName("Find in the draft")
        self._result = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 10, 4)
        row.addWidget(self.box)
        row.addWidget(self._result, 1)
        self.box.returnPressed.connect(lambda: self.find_text(1))
        self.box.textEdited.connect(self._on_edited)
        self.hide()

    def open(self) -> None:
        """Show the bar with the selected words."""
        selected = self._editor.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.box.setText(selected)
        self.show()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def find_text(self, step: int) -> bool:
        """Select the next (``step`` 1) or previous (-1) place, going round at the end."""
        text = self.box.text()
        if not text:
            self.open()
            return False
        flags = QTextDocument.FindFlag(0)
        if step < 0:
            flags |= QTextDocument.FindFlag.FindBackward
        found = self._editor.find(text, flags)
        if not found:
            cursor = self._editor.textCursor()
            end = QTextCursor.MoveOperation.End if step < 0 else QTextCursor.MoveOperation.Start
            before = QTextCursor(cursor)
            cursor.movePosition(end)
            self._editor.setTextCursor(cursor)
            found = self._editor.find(text, flags)
            if not found:
                self._editor.setTextCursor(before)
        self._result.setText("" if found else "Not in this draft")
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    def _on_edited(self, _text: str) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        if self.box.text():
            self.find_text(1)

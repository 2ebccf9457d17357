"""Finds text in the draft, and puts other words in its place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QTextEdit, QWidget

from phasergun_desktop.ui.editor.draft_formats import footnote_of
from phasergun_desktop.ui.editor.draft_writer import one_step
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import count


class FindBar(QWidget):
    """Opens with Ctrl+F, with a box to replace by with Ctrl+H, goes on with F3, closes with Esc."""

    def __init__(self, editor: QTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.box = QLineEdit(placeholderText="Find in the draft")
        self.box.setAccessibleName("Find in the draft")
        self.by_box = QLineEdit(placeholderText="Replace by")
        self.by_box.setAccessibleName("Replace by")
        self.replacing = QWidget()
        by = laid_out(QHBoxLayout(self.replacing), self.by_box, margins=NO_MARGINS)
        for text, call in (("Replace", self.replace_here), ("Replace all", self.replace_all)):
            button = QPushButton(text, autoDefault=False)
            button.clicked.connect(call)
            by.addWidget(button)
        self.replacing.hide()
        self.by_box.returnPressed.connect(self.replace_here)
        self._result = QLabel()
        laid_out(
            QHBoxLayout(self), self.box, self.replacing, (self._result, 1), margins=(10, 4, 10, 4)
        )
        self.box.returnPressed.connect(lambda: self.find_text(1))
        self.box.textEdited.connect(self._on_edited)
        self.hide()

    def open_replace(self) -> None:
        """Show the bar with the box to replace by."""
        self.open()
        self.replacing.show()

    def open(self) -> None:
        """Show the bar with the selected words."""
        self.replacing.hide()
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

    def _is_match(self, cursor: QTextCursor) -> bool:
        """Whether the words are selected; the number of a footnote is none of them."""
        same = cursor.selectedText().casefold() == self.box.text().casefold()
        return cursor.hasSelection() and same and not footnote_of(cursor.charFormat())

    def replace_here(self) -> None:
        """Replace the words if they are selected, and go to the next place."""
        cursor = self._editor.textCursor()
        if not self._editor.isReadOnly() and self._is_match(cursor):
            cursor.insertText(self.by_box.text(), cursor.charFormat())
        self.find_text(1)

    def replace_all(self) -> int:
        """Replace the words everywhere as one undo step; return how often."""
        document, words = self._editor.document(), self.box.text()
        if not words or self._editor.isReadOnly():
            return 0
        number, edit = 0, QTextCursor(document)
        with one_step(edit):
            found = document.find(words, 0)
            while not found.isNull():
                if self._is_match(found):
                    found.insertText(self.by_box.text(), found.charFormat())
                    number += 1
                found = document.find(words, found.selectionEnd())
        self._result.setText(f"Replaced {count(number, 'time')}")
        return number

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

"""Edits the file of a profile as text, and shows a mistake at its line."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.theme import MONOSPACE_FACES, colours_for

_PLACE = re.compile(r"line (\d+)(?:, column (\d+))?")
_SIZE = (720, 560)


class ProfileDialog(QDialog):
    """Stays open until what was typed is saved, or is left."""

    save_wanted = Signal(str, str)

    def __init__(
        self, name: str, text: str, *, is_copy: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Edit a copy of a profile" if is_copy else f"Edit the profile {name}")
        self.name = QLineEdit(name, readOnly=not is_copy)
        self.name.setToolTip("Letters, digits, - and _")
        self.text = QPlainTextEdit(tabChangesFocus=True)
        self.text.setAccessibleName("File of the profile")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        face = QFont()
        face.setFamilies(list(MONOSPACE_FACES))
        face.setStyleHint(QFont.StyleHint.Monospace)
        self.text.setFont(face)
        self.text.setPlainText(text)
        self.problem = NoticeLabel()
        self.problem.hide()
        form = QFormLayout()
        form.addRow("&Name", self.name)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), form, (self.text, 1), self.problem, buttons)
        follow_the_eye(self, self)
        self.resize(*_SIZE)
        self.text.textChanged.connect(lambda: self.text.setExtraSelections([]))
        (self.name if is_copy else self.text).setFocus()
        self.name.selectAll()

    def show_problem(self, message: str) -> None:
        """Say what is wrong, and go to the line and the column that the message names."""
        self.problem.setText(message)
        self.problem.show()
        found = _PLACE.search(message)
        if found is None:
            return
        block = self.text.document().findBlockByNumber(int(found[1]) - 1)
        if not block.isValid():
            return
        cursor = QTextCursor(block)
        column = int(found[2] or 1) - 1
        cursor.setPosition(block.position() + min(column, block.length() - 1))
        self.text.setTextCursor(cursor)
        mark, colours = QTextEdit.ExtraSelection(), colours_for(self.palette())
        mark.cursor = cursor
        mark.format.setBackground(colours.passage)
        mark.format.setForeground(colours.passage_text)
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        self.text.setExtraSelections([mark])
        self.text.setFocus()

    def _on_save(self) -> None:
        self.problem.hide()
        self.save_wanted.emit(self.name.text().strip(), self.text.toPlainText())

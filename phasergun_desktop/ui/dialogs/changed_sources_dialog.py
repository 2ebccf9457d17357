"""The cited passages whose files changed: old and new text, and taking the new text's place."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.drafts.differences import word_differences
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState
from phasergun_desktop.ui.editor.difference_view import DifferenceView, difference_in_words
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import file_name, literal, place_in_words
from phasergun_desktop.ui.wrapped_list import WrappedList

_USER = Qt.ItemDataRole.UserRole
NO_DOCUMENT = "The project has no document of this name any more, and none with its text."


class ChangedSourcesDialog(QDialog):
    """One line a footnote (``changes`` by its key, the number as it is now); the buttons work on
    the selected one and name it by its key."""

    place_wanted = Signal(int)
    source_wanted = Signal(int)

    def __init__(self, changes: Mapping[int, SourceChange], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._changes = dict(changes)
        self.setWindowTitle("Sources that changed")
        self.resize(900, 560)
        self.list = WrappedList("Footnotes whose source changed")
        self.where = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.old = DifferenceView("Text that was cited")
        self.view = DifferenceView("What became of it")
        self.summary = QLabel(wordWrap=True)
        self.use_button = QPushButton("&Use the new text's place")
        self.use_button.setToolTip(
            "The footnote points at the new text if that still carries the sentence; if it does "
            "not, the sentence is marked"
        )
        self.source_button = QPushButton("&Show the source")
        self.source_button.setToolTip("Opens the source where the new text stands")
        self._build()
        self.list.currentRowChanged.connect(self._show)
        self.use_button.clicked.connect(lambda: self.place_wanted.emit(self.key))
        self.source_button.clicked.connect(lambda: self.source_wanted.emit(self.key))
        self._fill()

    def _build(self) -> None:
        right = QWidget()
        column = laid_out(QVBoxLayout(right), self.where, margins=NO_MARGINS)
        for words, view in (("&Cited then", self.old), ("&Now, with the difference", self.view)):
            label = QLabel(words)
            label.setBuddy(view)
            column.addWidget(label)
            column.addWidget(view, 1)
        column.addWidget(self.summary)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([280, 620])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in (self.use_button, self.source_button):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), (splitter, 1), buttons)

    @property
    def key(self) -> int:
        """Key of the selected footnote, 0 where none is."""
        chosen = self.list.selectedItems()
        return int(chosen[0].data(_USER)) if chosen else 0

    def settle(self, key: int, words: str) -> None:
        """Say what came of a footnote and take it off the list where it is settled."""
        rows = [row for row in range(self.list.count()) if self._key_of(row) == key]
        if rows and not words:
            self.list.takeItem(rows[0])
        if words:
            self.summary.setText(words)
            self.use_button.setEnabled(False)
        elif not self.list.count():
            self._show()

    def _key_of(self, row: int) -> int:
        return int(self.list.item(row).data(_USER))

    def _fill(self) -> None:
        for key, change in self._changes.items():
            state = "" if change.place is not None else " (gone)"
            note = change.note
            item = QListWidgetItem(f"Footnote {note.number}{state}\n{file_name(note.file)}")
            item.setToolTip(literal(note.file))
            item.setData(_USER, key)
            self.list.addItem(item)
        if self.list.count():
            self.list.setCurrentRow(0)
        else:
            self._show()

    def _show(self) -> None:
        change = self._changes.get(self.key)
        has_place = change is not None and change.place is not None
        self.use_button.setEnabled(change is not None)
        self.source_button.setEnabled(has_place)
        if change is None:
            for view in (self.old, self.view):
                view.show_pieces(())
            self.where.setText("Every cited passage stands where it is cited.")
            self.summary.setText("")
            return
        quote = change.note.quote
        self.old.show_pieces(word_differences(quote, quote))
        if change.place is None:
            is_missing = change.state is SourceState.MISSING
            what = "the document" if is_missing else "the passage"
            self.where.setText(f"{change.note.file}: {what} is gone.")
            self.view.show_pieces(word_differences(quote, ""))
            self.summary.setText(
                NO_DOCUMENT if is_missing else "Nothing in the file is like what was cited."
            )
            return
        pieces = word_differences(quote, change.place.quote)
        where = place_in_words(change.place.locator, change.place.heading_path)
        self.where.setText(f"{change.place.file}, {where}")
        self.view.show_pieces(pieces)
        self.summary.setText(difference_in_words(pieces))

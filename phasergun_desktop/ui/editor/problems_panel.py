"""The list of what needs a look in the draft: marked sentences, discrepancies, changed sources."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.editor.problem_steps import MarkedSentence
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.words import count

_USER = Qt.ItemDataRole.UserRole


class ProblemsPanel(QWidget):
    """Enter or a click goes to the sentence; F8 does so from the draft."""

    sentence_activated = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._summary = QLabel()
        self._summary.setWordWrap(True)
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setAccessibleName("Problems of the draft")
        self.list.itemClicked.connect(self._on_activated)
        self.list.itemActivated.connect(self._on_activated)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self._summary)
        column.addWidget(self.list, 1)
        self.show_problems([], ())

    def show_problems(self, sentences: list[MarkedSentence], notes: tuple[str, ...]) -> None:
        """List marked sentences and notes about the whole draft."""
        self.list.clear()
        colours = colours_for(self.palette())
        for sentence in sentences:
            icon = self._icons.icon("problem", colours.wrong)
            self._add(icon, f"{shortened(sentence.text, 110)}\n{sentence.reason}", sentence)
        for note in notes:
            self._add(self._icons.icon("warning", colours.partly), note, None)
        total = len(sentences) + len(notes)
        self._summary.setText(count(total, "thing") + " to look at" if total else "No problems.")

    def _add(self, icon: QIcon, text: str, sentence: MarkedSentence | None) -> None:
        item = QListWidgetItem(text)
        item.setIcon(icon)
        item.setToolTip(text)
        item.setData(_USER, sentence)
        self.list.addItem(item)

    def _on_activated(self, item: QListWidgetItem) -> None:
        sentence = item.data(_USER)
        if isinstance(sentence, MarkedSentence):
            self.sentence_activated.emit(sentence)

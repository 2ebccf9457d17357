"""The sources under the draft, one line each, as footnotes stand at the foot of a page."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.words import footnote_line

_USER = Qt.ItemDataRole.UserRole


class FootnoteList(QListWidget):
    """Numbered by position; Enter or a click opens the source."""

    footnote_activated = Signal(int)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._shown: tuple[object, ...] = ()
        self.setAccessibleName("Sources of the draft")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        self.setViewportMargins(10, 6, 6, 4)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._on_activated)
        self.itemActivated.connect(self._on_activated)

    def show_footnotes(
        self, footnotes: list[tuple[int, int, Footnote]], changed: frozenset[int]
    ) -> None:
        """List (number, key, footnote); ``changed`` are keys whose source changed."""
        shown = (tuple(footnotes), changed)
        if shown == self._shown:
            return
        self._shown = shown
        row = self.currentRow()
        self.clear()
        for number, key, footnote in footnotes:
            is_changed = key in changed
            note = "   (source changed)" if is_changed else ""
            item = QListWidgetItem(f"{number}   {footnote_line(footnote)}{note}")
            item.setData(_USER, key)
            item.setToolTip(hover_html(footnote, is_changed=is_changed))
            if is_changed:
                warning = self._icons.icon("warning", colours_for(self.palette()).partly)
                item.setIcon(warning)
            self.addItem(item)
        if 0 <= row < self.count():
            self.setCurrentRow(row)

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.footnote_activated.emit(item.data(_USER))

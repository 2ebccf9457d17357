"""The sources under the draft, one line each, as footnotes stand at the foot of a page."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.fold_line import FoldLine
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import count, footnote_line

_USER = Qt.ItemDataRole.UserRole
_UNLIMITED = 16_777_215


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


class FootnotesBox(QWidget):
    """The list under a line that folds it; nothing is higher than it needs to be."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = FoldLine("Footnotes")
        self.line.setToolTip("Show or hide the list of sources (Ctrl+5)")
        self.list = FootnoteList(icons)
        laid_out(QVBoxLayout(self), self.line, (self.list, 1), margins=NO_MARGINS, spacing=0)
        self.line.folded.connect(self._on_folded)
        self._on_folded(True)

    @property
    def line_height(self) -> int:
        """The height while the list is folded."""
        return self.line.sizeHint().height()

    def show_footnotes(
        self, footnotes: list[tuple[int, int, Footnote]], changed: frozenset[int]
    ) -> None:
        """List the sources and count them in the line; see ``FootnoteList.show_footnotes``."""
        self.list.show_footnotes(footnotes, changed)
        stale = {note.file for _number, key, note in footnotes if key in changed}
        told = f", {count(len(stale), 'source')} changed" if stale else ""
        self.line.say(f"{len(footnotes)}{told}")

    def _on_folded(self, is_folded: bool) -> None:
        self.list.setVisible(not is_folded)
        self.setMaximumHeight(self.line_height if is_folded else _UNLIMITED)

"""The page of a draft with the list of its sources under it, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.editor.draft_book import BookKeys, DraftBook
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.footnote_list import FootnotesBox
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out


class DraftFrame(QWidget):
    """The list is there while the draft has sources and more than the page is wanted."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = BookKeys()
        self._is_bare = False
        self.editor = DraftEditor(DraftBook(self._keys))
        self.footnotes_box = FootnotesBox(icons)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.editor)
        self.splitter.addWidget(self.footnotes_box)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setChildrenCollapsible(False)
        self.footnotes_box.line.folded.connect(self._share)
        self.footnotes_box.hide()
        self._share(True)
        laid_out(QVBoxLayout(self), self.splitter, margins=NO_MARGINS)

    def show_footnotes(self, footnotes: list[tuple[int, int, Footnote]]) -> None:
        """List (number, key, footnote) under the page."""
        self.footnotes_box.show_footnotes(footnotes, self.editor.highlighter.changed_footnotes)
        self._show_box()

    def set_bare(self, is_bare: bool) -> None:
        """Show nothing but the page, or the list of sources under it again."""
        self._is_bare = is_bare
        self._show_box()

    def _show_box(self) -> None:
        self.footnotes_box.setVisible(self.footnotes_box.list.count() > 0 and not self._is_bare)

    def _share(self, is_folded: bool) -> None:
        self.splitter.setSizes([420, self.footnotes_box.line_height if is_folded else 110])


@contextmanager
def following_end(editor: DraftEditor) -> Iterator[None]:
    """Keep the end of the page in view while text is added, if it was in view before."""
    bar = editor.verticalScrollBar()
    follows = bar.value() >= bar.maximum() - 24
    yield
    if follows:
        bar.setValue(bar.maximum())

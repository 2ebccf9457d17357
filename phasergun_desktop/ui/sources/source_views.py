"""The views of a source, one of them in front: pages, rows of a table, or text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from phasergun_desktop.documents.model import BlockKind, ParsedDocument, RowLocator
from phasergun_desktop.ui.sources.page_text import PageText
from phasergun_desktop.ui.sources.page_view import PageView
from phasergun_desktop.ui.sources.row_table import RowTable
from phasergun_desktop.ui.sources.source_loader import SourceLoader
from phasergun_desktop.ui.sources.source_target import FoundPassage, page_rects
from phasergun_desktop.ui.sources.text_view import SourceTextView

HINT = "Click a footnote, a passage of the plan or a search result to see its source here."


class SourceViews(QStackedWidget):
    """Pages where the file has pages, a table where it is one, else text with structure."""

    page_changed = Signal(int)

    def __init__(self, loader: SourceLoader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loader = loader
        self._pages_shown: ParsedDocument | None = None
        # The pages may belong to the file before: a wanted page names its own file.
        self._pages_file = ""
        self.text_view = SourceTextView()
        self.page_view = PageView()
        self.row_table = RowTable()
        self.hint = QLabel(HINT, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setContentsMargins(32, 6, 32, 6)
        self.hint.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        for page in (self.hint, self.text_view, self.page_view, self.row_table):
            self.addWidget(page)
        loader.image_loaded.connect(self._on_image_loaded)
        self.page_view.page_wanted.connect(self._on_page_wanted)
        self.page_view.page_left.connect(lambda page: loader.drop_image(self._pages_file, page))
        self.page_view.page_changed.connect(self._on_page_changed)

    @property
    def shows_pages(self) -> bool:
        """Whether rendered pages are in front."""
        return self.currentWidget() is self.page_view

    @property
    def current_page(self) -> int:
        """The page in the middle of the view, from 1; 0 where there are no pages."""
        return self.page_view.current_page() if self.shows_pages else 0

    def clear(self, words: str = HINT) -> None:
        """Show nothing but a hint, or other words."""
        self.hint.setText(words)
        self._pages_shown = None
        self._pages_file = ""
        self.setCurrentIndex(0)

    def leave(self, file: str) -> None:
        """Let ``file`` be fetched first: pages of another one that still wait are in its way."""
        if file != self._pages_file:
            self._loader.drop_waiting_images()

    def show_source(self, file: str, document: ParsedDocument, found: FoundPassage) -> None:
        """Show a document with a passage of it marked."""
        if document.pages:
            if self._pages_shown is not document:
                self._loader.drop_waiting_images()
                self.page_view.show_pages(document.pages)
                self.page_view.show_words(PageText(document))
                self._pages_shown = document
                self._pages_file = file
            else:
                self.page_view.ask_again()
            self.setCurrentWidget(self.page_view)
            self.page_view.show_marks(page_rects(document, found.start, found.end))
            return
        # In front first: what is laid out needs its width.
        if is_table(document):
            self.setCurrentWidget(self.row_table)
            self.row_table.show_document(document)
            self.row_table.show_passage(found.start, found.end)
        else:
            self.setCurrentWidget(self.text_view)
            self.text_view.show_document(document, found.start)
            self.text_view.show_passage(found.start, found.end)

    @property
    def shown_view(self) -> PageView | SourceTextView | RowTable | None:
        """The view in front; None while there is only a hint."""
        shown = self.currentWidget()
        return shown if isinstance(shown, PageView | SourceTextView | RowTable) else None

    def selected_span(self) -> tuple[int, int]:
        """Return the code points that the writer selected, equal where none are."""
        shown = self.shown_view
        return shown.selected_span() if shown is not None else (0, 0)

    def go_to_span(self, start: int, end: int) -> None:
        """Select code points and bring them into view."""
        shown = self.shown_view
        if shown is not None:
            shown.select_span(start, end)

    def step_page(self, step: int) -> None:
        """Turn the page, go to the next slide, or scroll by a view."""
        shown = self.shown_view
        if shown is not None:
            shown.step_page(step)

    def zoom_by(self, steps: int) -> None:
        """Zoom what is shown."""
        shown = self.shown_view
        if shown is not None:
            shown.zoom_by(steps)

    def _on_page_wanted(self, page: int, scale: float) -> None:
        if self._pages_file:
            self._loader.load_image(self._pages_file, page, scale)

    def _on_image_loaded(self, file: str, page: int, image: QImage, scale: float) -> None:
        if file == self._pages_file:
            self.page_view.set_image(page, image, scale)

    def _on_page_changed(self, page: int) -> None:
        if self.shows_pages:
            self.page_changed.emit(page)


def is_table(document: ParsedDocument) -> bool:
    """Whether the document is nothing but the rows of one table, and the title above it."""
    kinds = {block.kind for block in document.blocks}
    return (
        BlockKind.TABLE_ROW in kinds
        and kinds <= {BlockKind.TABLE_ROW, BlockKind.CAPTION}
        and all(isinstance(block.locator, RowLocator) for block in document.blocks)
    )

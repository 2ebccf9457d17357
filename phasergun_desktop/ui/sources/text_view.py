"""Shows a source as text with structure, read only, with the passage marked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.drafts.cited_clipboard import cited_data
from phasergun_desktop.ui.qt_absent import table_of
from phasergun_desktop.ui.sources.source_text import SourceText, build_source_text
from phasergun_desktop.ui.sources.text_places import band_of, header_of, top_position
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.theme import colours_for, reading_font

DEFAULT_POINTS = 11.0
SMALLEST_POINTS, LARGEST_POINTS = 7.0, 26.0
# The passage stands a third down the view, so that what leads to it is seen too.
PASSAGE_AT = 3
BAND_EDGE = 3.0
BAND_STRENGTH = 0.45


class SourceTextView(QTextEdit):
    """Headings, lists, tables, slides and cues of a source; the text is exactly the file's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: SourceText | None = None
        self._passage = (0, 0)
        self._points = DEFAULT_POINTS
        self._is_dark = colours_for(self.palette()).is_dark
        # The footnote for what is selected; the panel knows the file.
        self.citation: Callable[[], Footnote | None] = lambda: None
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        # A bar that comes and goes changes the width: everything would be laid out four times.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Source text")
        # Not while the bar moves: the document is replaced.
        self._following = QTimer(self, singleShot=True, interval=0)
        self._following.timeout.connect(self._follow)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def show_document(self, source: ParsedDocument, at: int = 0) -> None:
        """Show another document; of a very long one the part around code point ``at``."""
        if self._shown is None or self._shown.source is not source:
            self._passage = (0, 0)
            self._lay_out(source, at)

    def show_passage(self, start: int, end: int) -> None:
        """Mark code points ``start``..``end`` and scroll to them; an empty range marks nothing."""
        self._passage = (start, end)
        if self._shown is not None and not self._shown.covers(start, end):
            self._lay_out(self._shown.source, start)
        self._mark()
        found = self._shown.positions(start, end) if self._shown is not None else []
        self._scroll_to(found[0][0] if found else 0, PASSAGE_AT if found else 0)

    def selected_span(self) -> tuple[int, int]:
        """Return the code points of the source that are selected, equal where none are."""
        cursor, shown = self.textCursor(), self._shown
        spans = shown.code_points(cursor.selectionStart(), cursor.selectionEnd()) if shown else []
        return (min(a for a, _ in spans), max(b for _, b in spans)) if spans else (0, 0)

    def select_span(self, start: int, end: int) -> None:
        """Select code points of the source and bring them into view."""
        if self._shown is not None and not self._shown.covers(start, end):
            self._lay_out(self._shown.source, start)
            self._mark()
        found = self._shown.positions(start, end) if self._shown is not None else []
        if found:
            self._scroll_to(found[0][0], PASSAGE_AT)
            self.setTextCursor(stretch(self.document(), found[0][0], found[-1][1]))

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the text together with where it came from."""
        return cited_data(self.textCursor().selection().toPlainText(), self.citation())

    def zoom_by(self, steps: int) -> None:
        """Make the text larger or smaller by ``steps`` points."""
        wanted = min(max(self._points + steps, SMALLEST_POINTS), LARGEST_POINTS)
        if wanted != self._points:
            self._points = wanted
            self._lay_out_again()

    def step_page(self, step: int) -> None:
        """Go to the next or previous slide, else scroll by a view."""
        slides = self._shown.slides if self._shown is not None else []
        if not slides:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + step * bar.pageStep())
            return
        here = self.top_position()
        current = max((i for i, start in enumerate(slides) if start <= here), default=0)
        self._scroll_to(slides[min(max(current + step, 0), len(slides) - 1)], 0)

    def top_position(self) -> int:
        """Return the position at which the paragraph at the top of the view begins."""
        return top_position(self.document(), self._scrolled())

    def _scrolled(self) -> int:
        """Return how far the view is scrolled, in pixels of the document."""
        # Until all is laid out the height is a guess, and the bar may stand below the end.
        document = self.document()
        end = document.documentLayout().blockBoundingRect(document.lastBlock()).bottom()
        most = max(int(end + document.documentMargin()) - self.viewport().height(), 0)
        return min(self.verticalScrollBar().value(), most)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Write in the colours of light or dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_is_dark"):
            is_dark = colours_for(self.palette()).is_dark
            if is_dark != self._is_dark:
                self._is_dark = is_dark
                self._lay_out_again()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep a passage in view that was: where a panel opens beside it, it would slip out."""
        before = self._passage_top()
        super().resizeEvent(event)
        after, height = self._passage_top(), self.viewport().height()
        was_seen = before is not None and 0 <= before < event.oldSize().height()
        last = height - self.fontMetrics().lineSpacing()
        if after is not None and was_seen and not 0 <= after < last:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + after - height // PASSAGE_AT)

    def _passage_top(self) -> int | None:
        """Return where the marked passage begins, in pixels of the view; None without one."""
        marked = self.extraSelections()
        if not marked:
            return None
        start = QTextCursor(self.document())
        start.setPosition(marked[0].cursor.selectionStart())
        return int(self.cursorRect(start).top())

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Draw everything anew: the header of a table does not move with its rows."""
        super().scrollContentsBy(dx, dy)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the band behind a cited row, shape or cue, and the header of a cut table."""
        self._paint_bands()
        super().paintEvent(event)
        self._paint_header()

    # Layout -----------------------------------------------------------------------------------

    def _lay_out(self, source: ParsedDocument, at: int) -> None:
        colours = colours_for(self.palette())
        made = build_source_text(source, reading_font(self._points), colours, at)
        old, self._shown = self._shown, made
        made.document.setParent(self)
        self.setExtraSelections([])
        modes = QTextOption.WrapMode
        self.setWordWrapMode(
            modes.WordWrap if made.keeps_words_whole else modes.WrapAtWordBoundaryOrAnywhere
        )
        self.setDocument(made.document)
        if old is not None:
            old.document.deleteLater()

    def _lay_out_again(self) -> None:
        """Lay the same document out anew; what is at the top stays there."""
        if self._shown is None:
            return
        at = self._shown.code_point_from(self.top_position())
        below = self._top_of(at) - self._scrolled()
        self._lay_out(self._shown.source, at)
        self._mark()
        self.verticalScrollBar().setValue(round(self._top_of(at) - below))

    def _top_of(self, code_point: int) -> float:
        """Return where the paragraph with a code point begins, in pixels of the document."""
        found = self._shown.positions(code_point, code_point + 1) if self._shown else []
        block = self.document().findBlock(found[0][0] if found else 0)
        return float(self.document().documentLayout().blockBoundingRect(block).top())

    def _on_scrolled(self, _value: int) -> None:
        if self._shown is not None and not self._shown.is_whole:
            self._following.start()

    def _follow(self) -> None:
        """Show the part around the view, where it comes near an end of what is laid out."""
        shown, bar = self._shown, self.verticalScrollBar()
        if shown is None:
            return
        near_start = bar.value() < bar.pageStep() and shown.first > 0
        near_end = bar.value() > bar.maximum() - bar.pageStep() and not shown.has_end
        at = shown.code_point_from(self.top_position())
        if (near_start or near_end) and shown.would_move(at):
            self._lay_out_again()

    def _mark(self) -> None:
        colours = colours_for(self.palette())
        look = QTextCharFormat()
        look.setBackground(colours.passage)
        look.setForeground(colours.passage_text)
        # A line as well: the mark must be seen without its colour.
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(colours.passage_edge)
        selections = []
        places = self._shown.positions(*self._passage) if self._shown is not None else []
        for first, last, _start, _end in places:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = stretch(self.document(), first, last)
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)
        self.viewport().update()

    def _scroll_to(self, position: int, share: int) -> None:
        """Bring a position to the top of the view, or down by a ``share``-th of it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        bar = self.verticalScrollBar()
        lower = self.viewport().height() // share if share else 0
        bar.setValue(bar.value() + self.cursorRect().top() - lower)

    # Bands and headers --------------------------------------------------------------------------

    def bands(self) -> list[QRectF]:
        """Return where the cited rows, shapes and cues stand, in pixels of the document."""
        shown = self._shown
        if shown is None or self._passage[1] <= self._passage[0]:
            return []
        wholes = shown.wholes(*self._passage)
        return [band_of(self.document(), runs) for runs in wholes if runs]

    def _paint_bands(self) -> None:
        bands = self.bands()
        if not bands:
            return
        colours = colours_for(self.palette())
        painter = QPainter(self.viewport())
        painter.translate(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        for band in bands:
            painter.setOpacity(BAND_STRENGTH)
            painter.fillRect(band, colours.passage)
            painter.setOpacity(1.0)
            edge = QRectF(band.left(), band.top(), BAND_EDGE, band.height())
            painter.fillRect(edge, colours.passage_edge)
        painter.end()

    def _paint_header(self) -> None:
        """Draw the header rows of the table at the top of the view where they are scrolled off."""
        if self._shown is None or not self._shown.has_headers:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(self.top_position())
        table = table_of(cursor)
        header = header_of(self.document(), table) if table is not None else QRectF()
        if table is None or header.isEmpty():
            return
        end = self.document().documentLayout().frameBoundingRect(table).bottom()
        top = self.verticalScrollBar().value()
        if top <= header.top() or header.height() > self.viewport().height() / 3:
            return
        # Pushed out by the end of its table.
        at = min(0.0, end - header.height() - top)
        painter = QPainter(self.viewport())
        painter.translate(-self.horizontalScrollBar().value(), at - header.top())
        painter.fillRect(header, self.palette().base())
        self.document().drawContents(painter, header)
        painter.setClipping(False)
        painter.fillRect(
            QRectF(header.left(), header.bottom() - 2.0, header.width(), 2.0),
            colours_for(self.palette()).rule,
        )
        painter.end()

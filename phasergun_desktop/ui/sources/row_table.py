"""Shows a CSV file as the table that it is: the header stays, the cited row is marked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.drafts.cited_clipboard import cited_data
from phasergun_desktop.ui.sources.row_model import RowModel
from phasergun_desktop.ui.theme import colours_for

SMALLEST_POINTS, LARGEST_POINTS = 6.0, 26.0
ROWS_FOR_WIDTHS = 40
WIDEST_COLUMN_LETTERS = 34
HIGHEST_ROW_LINES = 14
PASSAGE_AT = 3
ROOM = 16


class _CitedCells(QStyledItemDelegate):
    """Draws a frame around the cells that the passage is in."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw a cell."""
        super().paint(painter, option, index)
        model = index.model()
        if isinstance(model, RowModel) and model.is_cited(index.row(), index.column()):
            area = QRect(option.rect)
            painter.save()
            painter.setPen(QPen(colours_for(model.palette).passage_edge, 2.0))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
            painter.restore()


class RowTable(QTableView):
    """Rows are made high enough for their text when they come into view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: RowModel | None = None
        self._sized: set[int] = set()
        # The footnote for what is selected; the panel knows the file.
        self.citation: Callable[[], Footnote | None] = lambda: None
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setItemDelegate(_CitedCells(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(True)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setHighlightSections(False)
        right, top = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignTop
        self.verticalHeader().setDefaultAlignment(right | top)
        self.horizontalHeader().setStretchLastSection(True)
        self.setCornerButtonEnabled(False)
        self.setAccessibleName("Rows of the source")
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def show_document(self, source: ParsedDocument) -> None:
        """Show another table from its beginning."""
        if self._rows is not None and self._rows.source is source:
            return
        old, old_selection = self._rows, self.selectionModel()
        # Not yet: rows must not be measured before the columns have their widths.
        self._rows = None
        rows = RowModel(source, self)
        rows.palette = self.palette()
        self.clearSpans()
        self.setModel(rows)
        for row in range(rows.title_rows):
            self.setSpan(row, 0, 1, rows.columnCount())
        if old is not None:
            old_selection.deleteLater()
            old.deleteLater()
        self._rows = rows
        self._arrange()

    def show_passage(self, start: int, end: int) -> None:
        """Mark code points ``start``..``end`` and scroll to them; an empty range marks nothing."""
        model = self._rows
        if model is None:
            return
        model.set_passage(start, end)
        rows = model.rows_of(start, end)
        self._widen(range(max(rows.start - ROWS_FOR_WIDTHS // 2, 0), rows.stop))
        if not rows:
            self.scrollToTop()
            self._size_rows_in_view()
            return
        cited = [one for one in range(model.columnCount()) if model.is_cited(rows[0], one)]
        index = model.index(rows[0], cited[0] if cited else 0)
        self.selectionModel().clear()
        self.selectionModel().setCurrentIndex(index, self.selectionModel().SelectionFlag.NoUpdate)
        in_view = max(self.viewport().height() // self._line_height(), 1)
        self.scrollTo(index)
        self.verticalScrollBar().setValue(max(rows[0] - in_view // PASSAGE_AT, 0))
        self._size_rows_in_view()

    def selected_span(self) -> tuple[int, int]:
        """Return the code points from the first selected cell to the last, equal without any."""
        rows = self._rows
        cells = [
            cell
            for one in self.selectedIndexes()
            if rows is not None and (cell := rows.cells(one.row()).get(one.column())) is not None
        ]
        starts = [cell.start for cell in cells]
        return (min(starts), max(cell.end for cell in cells)) if cells else (0, 0)

    def select_span(self, start: int, end: int) -> None:
        """Select the first cell that code points ``start``..``end`` touch, and show it; of the name
        of a column, which stands before each of its cells, the cell behind it."""
        rows = self._rows
        if rows is None:
            return
        # Nothing is selected for words of the header, which are always in view.
        self.clearSelection()
        for row in rows.rows_of(start, end):
            for column, cell in rows.cells(row).items():
                if start < cell.end:
                    self.setCurrentIndex(rows.index(row, column))
                    return

    def copy(self) -> None:
        """Put the selected cells on the clipboard, as a spreadsheet takes them."""
        indexes = sorted(self.selectedIndexes(), key=lambda one: (one.row(), one.column()))
        lines: dict[int, list[str]] = {}
        for one in indexes or [self.currentIndex()]:
            if one.isValid():
                lines.setdefault(one.row(), []).append(" ".join(str(one.data()).split()))
        if lines:
            text = "\n".join("\t".join(cells) for cells in lines.values())
            QGuiApplication.clipboard().setMimeData(cited_data(text, self.citation()))

    def zoom_by(self, steps: int) -> None:
        """Make the text larger or smaller by ``steps`` points."""
        font = self.font()
        wanted = min(max(font.pointSizeF() + steps, SMALLEST_POINTS), LARGEST_POINTS)
        if wanted == font.pointSizeF():
            return
        font.setPointSizeF(wanted)
        self.setFont(font)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setFont(font)
        self._arrange()
        self._size_rows_in_view()

    def step_page(self, step: int) -> None:
        """Scroll by a view."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + step * bar.pageStep())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with the usual keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give rows that come into view the height they need."""
        super().resizeEvent(event)
        self._size_rows_in_view()

    def changeEvent(self, event: QEvent) -> None:
        """Mark in the colours of light or dark."""
        super().changeEvent(event)
        rows: RowModel | None = getattr(self, "_rows", None)
        if event.type() == QEvent.Type.PaletteChange and rows is not None:
            rows.palette = self.palette()
            self.viewport().update()

    def _line_height(self) -> int:
        return self.fontMetrics().height() + 8

    def _arrange(self) -> None:
        """Choose widths from the first rows; heights follow when rows come into view."""
        self._sized.clear()
        header = self.verticalHeader()
        header.setMinimumSectionSize(self._line_height())
        # Sets every row back to one line.
        header.setDefaultSectionSize(self._line_height() + 1)
        header.setDefaultSectionSize(self._line_height())
        metrics = QFontMetrics(self.horizontalHeader().font())
        if self._rows is None:
            return
        for column in range(self._rows.columnCount()):
            label = metrics.horizontalAdvance(self._rows.label(column))
            self.setColumnWidth(column, min(label + ROOM, self._widest()))
        self._widen(range(ROWS_FOR_WIDTHS))

    def _widest(self) -> int:
        return int(self.fontMetrics().averageCharWidth() * WIDEST_COLUMN_LETTERS)

    def _widen(self, rows: range) -> None:
        """Make the columns wide enough for these rows, as far as that is sensible."""
        if self._rows is None:
            return
        metrics, widest = self.fontMetrics(), self._widest()
        wanted: dict[int, int] = {}
        for row in rows[: 2 * ROWS_FOR_WIDTHS]:
            if row < self._rows.rowCount():
                is_title = row < self._rows.title_rows
                cells = {} if is_title else self._rows.cells(row)
                for column, cell in cells.items():
                    width = metrics.horizontalAdvance(cell.text[:WIDEST_COLUMN_LETTERS]) + ROOM
                    wanted[column] = max(wanted.get(column, 0), min(width, widest))
        for column, width in wanted.items():
            if width > self.columnWidth(column):
                self.setColumnWidth(column, width)

    def _on_scrolled(self, _value: int) -> None:
        self._size_rows_in_view()

    def _size_rows_in_view(self) -> None:
        if self._rows is None:
            return
        first = max(self.rowAt(0), 0)
        most = self.viewport().height() // self._line_height() + 2
        for row in range(first, min(first + most, self._rows.rowCount())):
            if row not in self._sized:
                self._sized.add(row)
                wanted = min(self._height_of(row), self._line_height() * HIGHEST_ROW_LINES)
                if wanted > self.rowHeight(row):
                    self.setRowHeight(row, wanted)

    def _height_of(self, row: int) -> int:
        """Return the height of the lines of the highest cell; asking Qt for it takes far longer,
        since it asks for the colours and fonts of every cell as well."""
        if self._rows is None:
            return 0
        metrics, height = self.fontMetrics(), 0
        widest_letter = metrics.maxWidth()
        for column, cell in self._rows.cells(row).items():
            width = self.columnWidth(column) * self.columnSpan(row, column) - ROOM // 2
            if len(cell.text) * widest_letter > width or "\n" in cell.text:
                room = QRect(0, 0, width, 0)
                flags = int(Qt.TextFlag.TextWordWrap)
                lines = metrics.boundingRect(room, flags, self._rows.shown(cell))
                height = max(height, lines.height() + 8)
        return height

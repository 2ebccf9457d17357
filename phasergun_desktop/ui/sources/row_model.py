"""The rows of a CSV file as a Qt model; cells are worked out when they are shown."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QPalette

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument, RowLocator
from phasergun_desktop.ui.sources.table_columns import PlacedCell, column_labels, placed_cells
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import literal

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
MOST_CACHED_ROWS = 512
# Labels are taken from the header; without one, from this many rows.
ROWS_FOR_LABELS = 200
LONG_CELL = 40
# Breaking a text into lines takes longer than its length; more than this is not read in a cell.
MOST_SHOWN = 2000


class RowModel(QAbstractTableModel):
    """One line a row of the file; header rows become the labels of the columns."""

    def __init__(self, source: ParsedDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self.palette = QPalette()
        blocks = source.blocks
        first = next((i for i, one in enumerate(blocks) if one.kind is BlockKind.TABLE_ROW), 0)
        self._labels = column_labels(blocks[first : first + ROWS_FOR_LABELS])
        after = first
        while after < len(blocks) and blocks[after].is_table_header:
            after += 1
        # A file of a header alone still shows it.
        headers = blocks[first:after] if after < len(blocks) else ()
        # Lines above the header are the title of the table.
        self.title_rows = first
        self._rows = (*blocks[:first], *blocks[first + len(headers) :])
        self._starts = [one.start for one in self._rows]
        self._header_cells = [
            cell for one in headers for cell in placed_cells(one, self._labels, source.text)
        ]
        # Cells beyond the labels stand one after the other.
        widest = max((len(one.cells) for one in self._rows), default=0)
        self._columns = max(len(self._labels), widest, 1)
        self._cells = lru_cache(MOST_CACHED_ROWS)(self._place)
        self._passage = (0, 0)
        self._cited_labels: set[int] = set()

    def cells(self, row: int) -> dict[int, PlacedCell]:
        """Return the cells of a row (from 0) by column."""
        return self._cells(row)

    def set_passage(self, start: int, end: int) -> None:
        """Mark what code points ``start``..``end`` touch."""
        self._passage = (start, end)
        self._cited_labels = {
            one.column for one in self._header_cells if one.start < end and one.end > start
        }
        if self._rows:
            last = self.index(len(self._rows) - 1, self._columns - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        for orientation, count in (
            (Qt.Orientation.Horizontal, self._columns),
            (Qt.Orientation.Vertical, len(self._rows)),
        ):
            if count:
                self.headerDataChanged.emit(orientation, 0, count - 1)

    def rows_of(self, start: int, end: int) -> range:
        """Return the rows (from 0) that ``start``..``end`` touches."""
        if end <= start:
            return range(0)
        first = max(bisect_left(self._starts, start + 1) - 1, 0)
        while first < len(self._rows) and self._rows[first].end <= start:
            first += 1
        return range(first, max(first, bisect_left(self._starts, end)))

    def is_cited(self, row: int, column: int) -> bool:
        """Whether the passage is in this cell, and not in all the cells of the row."""
        start, end = self._passage
        if row not in self.rows_of(start, end):
            return False
        cells = self.cells(row)
        touched = [one.column for one in cells.values() if one.start < end and one.end > start]
        return column in touched and len(touched) < len(cells)

    # What Qt asks ---------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many rows there are below the header."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns the widest row has."""
        return 0 if parent.isValid() else self._columns

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return text and colours of a cell."""
        cell = self.cells(index.row()).get(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown(cell) if cell is not None else ""
        if role == Qt.ItemDataRole.ToolTipRole and cell is not None and len(cell.text) > LONG_CELL:
            return literal(self.shown(cell))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        if role == Qt.ItemDataRole.AccessibleTextRole and cell is not None:
            label = self.label(index.column())
            cited = ", cited" if self.is_cited(index.row(), index.column()) else ""
            return f"{label}: {cell.text}{cited}"
        is_coloured = role in (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.ForegroundRole)
        if is_coloured and index.row() in self.rows_of(*self._passage):
            colours = colours_for(self.palette)
            ground = role == Qt.ItemDataRole.BackgroundRole
            return colours.passage if ground else colours.passage_text
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = int(Qt.ItemDataRole.DisplayRole),
    ) -> object:
        """Return the label of a column, or the number that the row has in the file."""
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if orientation == Qt.Orientation.Horizontal:
            if role not in shown:
                return None
            label = self.label(section)
            return f"▸ {label}" if section in self._cited_labels else label
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        locator = self._rows[section].locator
        number = str(locator.row if isinstance(locator, RowLocator) else section + 1)
        # A sign as well: the mark must be seen without its colour.
        return f"▸ {number}" if section in self.rows_of(*self._passage) else number

    def label(self, column: int) -> str:
        """Return the name of a column."""
        given = self._labels[column] if column < len(self._labels) else ""
        return given or f"Column {column + 1}"

    def shown(self, cell: PlacedCell) -> str:
        """Return the text of a cell; of a very long one the part with the passage."""
        if len(cell.text) <= MOST_SHOWN:
            return cell.text
        start, end = self._passage
        is_here = cell.start < end and start < cell.end
        first = max(start - cell.start - MOST_SHOWN // 4, 0) if is_here else 0
        last = min(first + MOST_SHOWN, len(cell.text))
        before, after = "… " * (first > 0), " …" * (last < len(cell.text))
        return f"{before}{cell.text[first:last]}{after}"

    def _place(self, row: int) -> dict[int, PlacedCell]:
        block: Block = self._rows[row]
        placed = placed_cells(block, self._labels, self.source.text)
        return {one.column: one for one in placed}

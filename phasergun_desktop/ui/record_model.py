"""Records as a table: what a cell of a column says, and what its rows are sorted by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

RecordT = TypeVar("RecordT")
SORT = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column(Generic[RecordT]):
    """Rows are sorted by ``key`` (None comes first), by the words without one. ``tip`` says what
    the title means; what is ``long`` is told in full by its tip."""

    title: str
    width: int
    told: Callable[[RecordT], str]
    key: Callable[[RecordT], float | None] | None = None
    is_number: bool = False
    is_long: bool = False
    tip: str = ""


class RecordTable(QAbstractTableModel, Generic[RecordT]):
    """One row a record, as they are given."""

    def __init__(self, columns: tuple[Column[RecordT], ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self.records: tuple[RecordT, ...] = ()

    def show_records(self, records: Sequence[RecordT]) -> None:
        """Show other records."""
        self.beginResetModel()
        self.records = tuple(records)
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return how many records there are."""
        return 0 if parent.isValid() else len(self.records)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the title of a column, and what it means."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._columns[section].title
            if role == Qt.ItemDataRole.ToolTipRole:
                return self._columns[section].tip or None
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says, and what it is sorted by."""
        record, column = self.records[index.row()], self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.told(record)
        if role == Qt.ItemDataRole.ToolTipRole and column.is_long:
            return column.told(record)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == SORT:
            if column.key is None:
                return column.told(record).casefold()
            value = column.key(record)
            return -1.0 if value is None else value
        return None

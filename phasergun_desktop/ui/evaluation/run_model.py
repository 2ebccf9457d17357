"""The evaluation runs as a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from phasergun_desktop.ui.evaluation.run_rows import KINDS, RunRow
from phasergun_desktop.ui.wording import when_in_words

TITLES = (
    "Run",
    "When",
    "Of",
    "File",
    "Questions",
    "Found first",
    "In 10",
    "Right",
    "Wrong",
    "Time",
)
NUMBER, WHEN, KIND, FILE, QUESTIONS, FIRST, TEN, RIGHT, WRONG, TIME = range(10)
SORT = Qt.ItemDataRole.UserRole
_FIGURES = {FIRST: "recall@1", TEN: "recall@10", RIGHT: "answers_right", WRONG: "wrong"}
_TIPS = {
    FIRST: "A right file comes first",
    TEN: "A right file is among the first ten",
    RIGHT: "Answers that say what they must",
    WRONG: "Answers that state something else",
    TIME: "Time of a search (median)",
}
Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class RunTable(QAbstractTableModel):
    """One row a run."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RunRow, ...] = ()

    def show_runs(self, rows: Sequence[RunRow]) -> None:
        """Show other runs."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return how many runs there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the title of a column, and what it means."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return TITLES[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                return _TIPS.get(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says, and what it is sorted by."""
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _told(row, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == FILE:
            return row.run.file
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= QUESTIONS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == SORT:
            return _sorted_by(row, column)
        return None


def _told(row: RunRow, column: int) -> str:
    if column in _FIGURES:
        return row.told(_FIGURES[column])
    told = {
        NUMBER: str(row.run.run_id),
        WHEN: when_in_words(row.run.made),
        KIND: KINDS.get(row.run.kind, row.run.kind),
        FILE: row.run.file,
        QUESTIONS: f"{row.rows:,}" if row.rows else "",
        TIME: f"{row.p50_ms:.0f} ms" if row.p50_ms is not None else "",
    }
    return told[column]


def _sorted_by(row: RunRow, column: int) -> object:
    if column in _FIGURES:
        return row.figures.get(_FIGURES[column], -1.0)
    numbers = {NUMBER: row.run.run_id, WHEN: row.run.run_id, QUESTIONS: row.rows}
    if column == TIME:
        return row.p50_ms if row.p50_ms is not None else -1.0
    return numbers.get(column, _told(row, column).casefold())

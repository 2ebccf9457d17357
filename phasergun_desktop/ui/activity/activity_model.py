"""The entries of the log as a table, and those of them that are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from phasergun_desktop.activity.model import ActivityEntry, ActivityKind
from phasergun_desktop.ui.activity.activity_words import (
    KINDS,
    model_of,
    seconds_of,
    status_of,
    subject_of,
)
from phasergun_desktop.ui.wording import percent, when_in_words

TITLES = ("When", "What", "About", "Result", "Confidence", "Seconds", "Model", "Cost")
WHEN, KIND, ABOUT, STATUS, CONFIDENCE, SECONDS, MODEL, COST = range(8)
_NUMBERS = (CONFIDENCE, SECONDS, COST)
_SORT = Qt.ItemDataRole.UserRole
_LONGEST = 300
Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class ActivityTable(QAbstractTableModel):
    """One row an entry, as they are given: the newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[ActivityEntry, ...] = ()

    def show_entries(self, entries: Sequence[ActivityEntry]) -> None:
        """Show other entries."""
        self.beginResetModel()
        self.entries = tuple(entries)
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return how many entries there are."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the title of a column."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return TITLES[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell says, and what it is sorted by."""
        entry, column = self.entries[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _told(entry, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == ABOUT:
            return subject_of(entry.activity)[:_LONGEST]
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == _SORT:
            return _sorted_by(entry, column)
        return None


class ActivityProxy(QSortFilterProxyModel):
    """The entries that are looked for; which they are is worked out once for all rows."""

    def __init__(self, table: ActivityTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._haystacks: list[str] = []
        self._accepted: bytearray | None = None
        self._text, self._kind, self._status, self._days = "", "", "", 0
        self.setSortRole(_SORT)
        self.setSourceModel(table)
        table.modelAboutToBeReset.connect(self._forget)

    def look_for(self, text: str, kind: str, status: str, days: int) -> None:
        """Show entries that hold ``text``, of a kind, with a status, of the last ``days``; empty
        ones and 0 are met by all."""
        self._text, self._kind, self._status, self._days = text.casefold(), kind, status, days
        self._accepted = None
        self.invalidate()

    def shown(self) -> list[ActivityEntry]:
        """Return the entries that are looked for, the newest first."""
        accepted = self._found()
        return [e for e, is_in in zip(self._table.entries, accepted, strict=True) if is_in]

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        """Return whether the entry of a row is looked for."""
        return bool(self._found()[row])

    def _forget(self) -> None:
        self._haystacks, self._accepted = [], None

    def _found(self) -> bytearray:
        if self._accepted is None:
            entries = self._table.entries
            if self._text and not self._haystacks:
                self._haystacks = [_haystack(each) for each in entries]
            first = ""
            if self._days:
                first = (datetime.now(UTC) - timedelta(days=self._days)).isoformat()
            self._accepted = bytearray(
                (not self._text or self._text in self._haystacks[at])
                and (not self._kind or entry.activity.kind == self._kind)
                and (not self._status or entry.activity.status == self._status)
                and entry.at >= first
                for at, entry in enumerate(entries)
            )
        return self._accepted


def _told(entry: ActivityEntry, column: int) -> str:
    one = entry.activity
    match column:
        case _ if column == WHEN:
            return when_in_words(entry.at)
        case _ if column == KIND:
            return KINDS[one.kind]
        case _ if column == ABOUT:
            return subject_of(one)[:_LONGEST]
        case _ if column == STATUS:
            return status_of(one)
        case _ if column == CONFIDENCE:
            is_answer = one.kind in (ActivityKind.ASK, ActivityKind.DRAFT)
            return percent(one.confidence) if is_answer and one.confidence is not None else ""
        case _ if column == SECONDS:
            seconds = seconds_of(one)
            return f"{seconds:.1f}" if seconds is not None else ""
        case _ if column == MODEL:
            return model_of(one)
        case _:
            return f"{one.cost:.4f}" if one.cost is not None else ""


def _sorted_by(entry: ActivityEntry, column: int) -> object:
    one = entry.activity
    if column == WHEN:
        return entry.number
    numbers = {CONFIDENCE: one.confidence, SECONDS: seconds_of(one), COST: one.cost}
    if column in numbers:
        value = numbers[column]
        return -1.0 if value is None else value
    return _told(entry, column).casefold()


def _haystack(entry: ActivityEntry) -> str:
    one = entry.activity
    files = (each.file for each in one.citations)
    parts = (one.prompt, one.answer, *one.errors, one.subject, one.model, *files)
    return "\n".join(parts).casefold()

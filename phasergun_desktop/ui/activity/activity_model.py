"""The entries of the log as a table, and those of them that are looked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject, QSortFilterProxyModel

from phasergun_desktop.activity.model import ActivityEntry, ActivityKind
from phasergun_desktop.ui.activity.activity_words import (
    KINDS,
    model_of,
    seconds_of,
    status_of,
    subject_of,
)
from phasergun_desktop.ui.record_model import SORT, Column, Index, RecordTable
from phasergun_desktop.ui.wording import percent, when_in_words

_LONGEST = 300


class ActivityProxy(QSortFilterProxyModel):
    """The entries that are looked for; which they are is worked out once for all rows."""

    def __init__(self, table: RecordTable[ActivityEntry], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._haystacks: list[str] = []
        self._accepted: bytearray | None = None
        self._text, self._kind, self._status, self._days = "", "", "", 0
        self.setSortRole(SORT)
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
        return [e for e, is_in in zip(self._table.records, accepted, strict=True) if is_in]

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        """Return whether the entry of a row is looked for."""
        return bool(self._found()[row])

    def _forget(self) -> None:
        self._haystacks, self._accepted = [], None

    def _found(self) -> bytearray:
        if self._accepted is None:
            entries = self._table.records
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


def _about(entry: ActivityEntry) -> str:
    return subject_of(entry.activity)[:_LONGEST]


def _confidence(entry: ActivityEntry) -> str:
    one = entry.activity
    is_answer = one.kind in (ActivityKind.ASK, ActivityKind.DRAFT)
    return percent(one.confidence) if is_answer and one.confidence is not None else ""


def _seconds(entry: ActivityEntry) -> str:
    seconds = seconds_of(entry.activity)
    return f"{seconds:.1f}" if seconds is not None else ""


def _cost(entry: ActivityEntry) -> str:
    cost = entry.activity.cost
    return f"{cost:.4f}" if cost is not None else ""


def _haystack(entry: ActivityEntry) -> str:
    one = entry.activity
    files = (each.file for each in one.citations)
    parts = (one.prompt, one.answer, *one.errors, one.subject, one.model, *files)
    return "\n".join(parts).casefold()


COLUMNS: tuple[Column[ActivityEntry], ...] = (
    Column("When", 116, lambda entry: when_in_words(entry.at), lambda entry: entry.number),
    Column("What", 76, lambda entry: KINDS[entry.activity.kind]),
    Column("About", 236, _about, is_long=True),
    Column("Result", 146, lambda entry: status_of(entry.activity)),
    Column("Confidence", 80, _confidence, lambda entry: entry.activity.confidence, is_number=True),
    Column("Seconds", 64, _seconds, lambda entry: seconds_of(entry.activity), is_number=True),
    Column("Model", 130, lambda entry: model_of(entry.activity)),
    Column("Cost", 60, _cost, lambda entry: entry.activity.cost, is_number=True),
)
WHEN, _KIND, ABOUT, _STATUS, _CONFIDENCE, SECONDS, _MODEL, _COST = range(len(COLUMNS))

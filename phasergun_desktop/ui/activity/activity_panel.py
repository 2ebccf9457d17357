"""The activity log: what was asked, drafted, edited and exported, with figures and charts."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.ui.activity.activity_model import COLUMNS, WHEN, ActivityProxy
from phasergun_desktop.ui.activity.activity_series import series_of
from phasergun_desktop.ui.activity.activity_words import KINDS, STATUS, details_of
from phasergun_desktop.ui.chart import EMPTY
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.record_model import RecordTable
from phasergun_desktop.ui.record_panel import RecordPanel, record_view
from phasergun_desktop.ui.wording import count

IDLE_MS = 150
_PERIODS = (("All the time", 0), ("Last 24 hours", 1), ("Last 7 days", 7), ("Last 30 days", 30))


class ActivityPanel(RecordPanel):
    """Shows the entries that are looked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What the chart shows", parent)
        self.table = RecordTable(COLUMNS, self)
        self.proxy = ActivityProxy(self.table, self)
        self.box = QLineEdit(placeholderText="Find in the log", clearButtonEnabled=True)
        self.box.setAccessibleName("Find in the activity log")
        kinds = [("Everything", ""), *((words, kind.value) for kind, words in KINDS.items())]
        self.kind = _choice("Kind of activity", kinds)
        self.status = _choice(
            "Result", [("Any result", ""), *((words, name) for name, words in STATUS.items())]
        )
        self.period = _choice("Time", list(_PERIODS))
        self.summary = QLabel()
        self.verify_button = _button("&Check the log", "Say whether an entry is missing or changed")
        self.export_button = _button("&Export…", "Write the log to a file")
        self.remove_button = _button("Re&move…", "Remove entries that need not be kept")
        self.view = record_view("Entries of the activity log", self.proxy, COLUMNS, WHEN)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.selectionModel().currentChanged.connect(self._on_chosen)
        self.details = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.details.setAccessibleName("The chosen entry")
        self.details.setPlaceholderText("Choose an entry to see all of it.")
        self._lay_out()
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self.filter_now)
        self.box.textEdited.connect(lambda _text: self._idle.start())
        for choice in (self.kind, self.status, self.period):
            choice.activated.connect(self.filter_now)
        self.chart_choice.activated.connect(self._draw)

    def show_entries(self, entries: tuple[ActivityEntry, ...]) -> None:
        """Show the entries, the newest first; what is looked for stays."""
        self.table.show_records(entries)
        self.details.clear()
        self.filter_now()

    def filter_now(self) -> None:
        """Show what is looked for."""
        self._idle.stop()
        self.proxy.look_for(
            self.box.text().strip(),
            str(self.kind.currentData()),
            str(self.status.currentData()),
            int(self.period.currentData()),
        )
        shown, total = self.proxy.rowCount(), len(self.table.records)
        if not total:
            self.summary.setText("Nothing was logged in this project yet.")
        elif shown == total:
            self.summary.setText(count(total, "entry", "entries"))
        else:
            self.summary.setText(f"{shown:,} of {count(total, 'entry', 'entries')}")
        self.export_button.setEnabled(bool(total))
        self.remove_button.setEnabled(bool(total))
        self._draw()

    def chosen(self) -> ActivityEntry | None:
        """Return the entry that is chosen."""
        index = self.view.currentIndex()
        if not index.isValid():
            return None
        return self.table.records[self.proxy.mapToSource(index).row()]

    def hideEvent(self, event: QHideEvent) -> None:
        """Let no filter wait."""
        self._idle.stop()
        super().hideEvent(event)

    def _draw(self) -> None:
        series = series_of(self.proxy.shown())
        at = max(self.chart_choice.currentIndex(), 0)
        self.chart_choice.clear()
        self.chart_choice.addItems([each.name for each in series])
        self.chart_choice.setCurrentIndex(at)
        self.chart.show_series(series[at] if series else EMPTY)

    def _on_chosen(self, _now: QModelIndex, _before: QModelIndex) -> None:
        entry = self.chosen()
        self.details.setPlainText(details_of(entry) if entry is not None else "")

    def _lay_out(self) -> None:
        row = laid_out(
            QHBoxLayout(),
            (self.box, 1),
            self.kind,
            self.status,
            self.period,
            self.summary,
            self.verify_button,
            self.export_button,
            self.remove_button,
        )
        self.lay_out(row, self.view, ("Entry", self.details), ("Chart", self.chart_page))


def _choice(name: str, items: list[tuple[str, str]] | list[tuple[str, int]]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    for words, value in items:
        box.addItem(words, value)
    return box


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text, autoDefault=False)
    button.setToolTip(tip)
    return button

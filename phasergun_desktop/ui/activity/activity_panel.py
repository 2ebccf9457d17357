"""The activity log: what was asked, drafted, edited and exported, with figures and charts."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.ui.activity.activity_model import WHEN, ActivityProxy, ActivityTable
from phasergun_desktop.ui.activity.activity_series import series_of
from phasergun_desktop.ui.activity.activity_words import KINDS, STATUS, details_of
from phasergun_desktop.ui.chart import EMPTY, Chart
from phasergun_desktop.ui.laid_out import give_widths, laid_out
from phasergun_desktop.ui.wording import count

IDLE_MS = 150
_PERIODS = (("All the time", 0), ("Last 24 hours", 1), ("Last 7 days", 7), ("Last 30 days", 30))
_WIDTHS = (116, 76, 236, 146, 80, 64, 130, 60)
_SIZE, _SPLIT = QSize(900, 220), (760, 460)


class ActivityPanel(QWidget):
    """``wanted`` asks for the entries when the panel comes into view."""

    wanted = Signal()
    verify_wanted = Signal()
    export_wanted = Signal()
    removal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = ActivityTable(self)
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
        self.view = self._make_view()
        self.details = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.details.setAccessibleName("The chosen entry")
        self.details.setPlaceholderText("Choose an entry to see all of it.")
        self.chart = Chart()
        self.chart_choice = QComboBox()
        self.chart_choice.setAccessibleName("What the chart shows")
        self._lay_out()
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self.filter_now)
        self.box.textEdited.connect(lambda _text: self._idle.start())
        for choice in (self.kind, self.status, self.period):
            choice.activated.connect(self.filter_now)
        self.chart_choice.activated.connect(self._draw)
        self.verify_button.clicked.connect(self.verify_wanted)
        self.export_button.clicked.connect(self.export_wanted)
        self.remove_button.clicked.connect(self.removal_wanted)

    def show_entries(self, entries: tuple[ActivityEntry, ...]) -> None:
        """Show the entries, the newest first; what is looked for stays."""
        self.table.show_entries(entries)
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
        shown, total = self.proxy.rowCount(), len(self.table.entries)
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
        return self.table.entries[self.proxy.mapToSource(index).row()]

    def sizeHint(self) -> QSize:
        """Return a size that leaves the draft its room."""
        return _SIZE

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the entries: nothing is read while nobody looks."""
        super().showEvent(event)
        self.wanted.emit()

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

    def _make_view(self) -> QTableView:
        view = QTableView(showGrid=False, wordWrap=False)
        view.setModel(self.proxy)
        view.setAccessibleName("Entries of the activity log")
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setAlternatingRowColors(True)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 6)
        header = view.horizontalHeader()
        give_widths(view, _WIDTHS)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        view.setSortingEnabled(True)
        view.sortByColumn(WHEN, Qt.SortOrder.DescendingOrder)
        view.selectionModel().currentChanged.connect(self._on_chosen)
        return view

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
        chart = QWidget()
        laid_out(QVBoxLayout(chart), self.chart_choice, (self.chart, 1), margins=(6, 6, 6, 6))
        tabs = QTabWidget()
        tabs.addTab(self.details, "Entry")
        tabs.addTab(chart, "Chart")
        tabs.setDocumentMode(True)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.view)
        split.addWidget(tabs)
        split.setSizes(_SPLIT)
        split.setChildrenCollapsible(False)
        laid_out(QVBoxLayout(self), row, (split, 1), margins=(8, 6, 8, 8))


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

"""A panel of records: a row of what can be done, their table, and tabs beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QComboBox,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.chart import Chart
from phasergun_desktop.ui.laid_out import give_widths, laid_out
from phasergun_desktop.ui.record_model import Column, RecordT

_SIZE, _SPLIT = QSize(900, 220), (760, 460)


class RecordPanel(QWidget):
    """``wanted`` asks for the records when the panel comes into view; ``chart_page`` holds a chart
    below the choice of what it shows."""

    wanted = Signal()

    def __init__(self, chart_name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.chart = Chart()
        self.chart_choice = QComboBox()
        self.chart_choice.setAccessibleName(chart_name)
        self.chart_page = QWidget()
        laid_out(
            QVBoxLayout(self.chart_page), self.chart_choice, (self.chart, 1), margins=(6, 6, 6, 6)
        )

    def sizeHint(self) -> QSize:
        """Return a size that leaves the draft its room."""
        return _SIZE

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the records: nothing is read while nobody looks."""
        super().showEvent(event)
        self.wanted.emit()

    def lay_out(self, row: QBoxLayout, view: QTableView, *pages: tuple[str, QWidget]) -> None:
        """Put ``row`` above the table, and the titled ``pages`` beside it."""
        tabs = QTabWidget(documentMode=True)
        for title, page in pages:
            tabs.addTab(page, title)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(view)
        split.addWidget(tabs)
        split.setSizes(_SPLIT)
        split.setChildrenCollapsible(False)
        laid_out(QVBoxLayout(self), row, (split, 1), margins=(8, 6, 8, 8))


def record_view(
    name: str, model: QAbstractItemModel, columns: Sequence[Column[RecordT]], sorted_by: int
) -> QTableView:
    """Return a view of whole rows; the column ``sorted_by`` goes downwards at first."""
    view = QTableView(showGrid=False, wordWrap=False)
    view.setModel(model)
    view.setAccessibleName(name)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setAlternatingRowColors(True)
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 6)
    view.horizontalHeader().setHighlightSections(False)
    give_widths(view, [column.width for column in columns])
    view.setSortingEnabled(True)
    view.sortByColumn(sorted_by, Qt.SortOrder.DescendingOrder)
    return view

"""Evaluation runs of the project: listed, looked into, compared, over time; its own questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QSortFilterProxyModel, Qt, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.chart import EMPTY, Chart
from phasergun_desktop.ui.evaluation.figures_view import (
    FiguresView,
    changes_in_words,
    questions_in_words,
)
from phasergun_desktop.ui.evaluation.run_model import FILE, NUMBER, SORT, RunTable
from phasergun_desktop.ui.evaluation.run_rows import FIGURES, RunRow, series_over_time
from phasergun_desktop.ui.laid_out import give_widths, laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox
from phasergun_desktop.ui.wording import count, literal

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.questions import JudgedQuestion
    from phasergun_desktop.evaluation.run_comparison import Comparison

_WIDTHS = (44, 116, 78, 130, 70, 80, 58, 58, 58, 58)
_ID = Qt.ItemDataRole.UserRole
_SIZE, _SPLIT = QSize(900, 220), (760, 460)


class EvaluationPanel(QWidget):
    """``wanted`` asks for the runs when the panel comes into view; ``pair_wanted`` carries two
    runs that shall be compared, ``delete_wanted`` the ids of questions to delete."""

    wanted = Signal()
    own_wanted = Signal()
    file_wanted = Signal()
    stop_wanted = Signal()
    questions_export_wanted = Signal()
    pair_wanted = Signal(object, object)
    delete_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = RunTable(self)
        self.proxy = QSortFilterProxyModel(self, sortRole=SORT, filterKeyColumn=-1)
        self.proxy.setSourceModel(self.table)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.box = QLineEdit(placeholderText="Filter the runs", clearButtonEnabled=True)
        self.box.setAccessibleName("Filter the evaluation runs")
        self.box.textChanged.connect(self.proxy.setFilterFixedString)
        self.answers = OutlinedCheckBox("&Answer too")
        self.answers.setToolTip("Answer every question as well: a second or more for each")
        self.own_button = _button("Run &own questions", self.own_wanted)
        self.file_button = _button("Run a &file…", self.file_wanted)
        self.stop_button = _button("&Stop", self.stop_wanted)
        self.export_button = _button("E&xport own questions…", self.questions_export_wanted)
        self.summary = QLabel()
        self.view = self._make_view()
        self.figures = FiguresView()
        self.questions = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.questions.setAccessibleName("Questions that went wrong or changed")
        self.questions.setPlaceholderText(
            "Choose a run to see which questions went wrong, or two runs to compare them."
        )
        self.own = QListWidget()
        self.own.setWordWrap(True)
        self.own.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.own.setAccessibleName("Questions of this project")
        self.own.itemSelectionChanged.connect(self._on_own_chosen)
        self.delete_button = QPushButton("&Delete", autoDefault=False)
        self.delete_button.setToolTip("Delete the questions that are chosen")
        self.delete_button.clicked.connect(self._on_delete)
        self.chart = Chart()
        self.chart_choice = QComboBox()
        self.chart_choice.setAccessibleName("Figure over all runs")
        self.chart_choice.activated.connect(self._draw)
        self._lay_out()
        self.show_questions(())
        self.set_running(False)
        self.show_runs(())

    def show_runs(self, rows: tuple[RunRow, ...]) -> None:
        """Show the runs; the last one is chosen."""
        self.table.show_runs(rows)
        chosen = self.chart_choice.currentData()
        self.chart_choice.clear()
        for name in FIGURES:
            if any(name in row.figures for row in rows):
                self.chart_choice.addItem(FIGURES[name], name)
        self.chart_choice.setCurrentIndex(max(self.chart_choice.findData(chosen), 0))
        if rows:
            self.view.selectRow(0)
        else:
            self.figures.show_run(None)
            self.questions.clear()
        self._draw()

    def show_questions(self, questions: Sequence[JudgedQuestion]) -> None:
        """Show the questions that the project has of its own."""
        self._has_own = bool(questions)
        number = f"{count(len(questions), 'question')} of this project"
        self.summary.setText(number if questions else "No questions saved")
        self.own.clear()
        for one in questions:
            item = QListWidgetItem(one.prompt)
            item.setData(_ID, one.question_id)
            item.setToolTip(literal("\n".join(one.files)))
            self.own.addItem(item)
        self._on_own_chosen()
        self.summary.setToolTip("Save questions from answers and search results, or name a file.")
        self.own_button.setEnabled(self._has_own)
        self.export_button.setEnabled(self._has_own)

    def set_running(self, is_running: bool) -> None:
        """Offer to stop what runs, or to begin."""
        self.stop_button.setVisible(is_running)
        self.own_button.setEnabled(self._has_own and not is_running)
        self.file_button.setEnabled(not is_running)
        self.answers.setEnabled(not is_running)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show two runs side by side."""
        self.figures.show_comparison(comparison)
        self.questions.setPlainText(changes_in_words(comparison))

    def chosen(self) -> list[RunRow]:
        """Return the runs that are chosen, the first one first."""
        rows = [
            self.proxy.mapToSource(one).row() for one in self.view.selectionModel().selectedRows()
        ]
        return sorted((self.table.rows[row] for row in rows), key=lambda row: row.run.run_id)

    def sizeHint(self) -> QSize:
        """Return a size that leaves the draft its room."""
        return _SIZE

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the runs: nothing is read while nobody looks."""
        super().showEvent(event)
        self.wanted.emit()

    def _on_chosen(self) -> None:
        rows = self.chosen()
        if len(rows) == 2:
            self.pair_wanted.emit(rows[0].run, rows[1].run)
        elif len(rows) == 1:
            self.figures.show_run(rows[0])
            self.questions.setPlainText(questions_in_words(rows[0]))

    def _on_own_chosen(self) -> None:
        self.delete_button.setEnabled(bool(self.own.selectedItems()))

    def _on_delete(self) -> None:
        self.delete_wanted.emit(tuple(one.data(_ID) for one in self.own.selectedItems()))

    def _draw(self) -> None:
        name = self.chart_choice.currentData()
        self.chart.show_series(series_over_time(self.table.rows, name) if name else EMPTY)

    def _make_view(self) -> QTableView:
        view = QTableView(showGrid=False, wordWrap=False)
        view.setModel(self.proxy)
        view.setAccessibleName("Evaluation runs")
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setAlternatingRowColors(True)
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 6)
        give_widths(view, _WIDTHS)
        view.horizontalHeader().setSectionResizeMode(FILE, QHeaderView.ResizeMode.Stretch)
        view.horizontalHeader().setHighlightSections(False)
        view.setSortingEnabled(True)
        view.sortByColumn(NUMBER, Qt.SortOrder.DescendingOrder)
        view.selectionModel().selectionChanged.connect(lambda _on, _off: self._on_chosen())
        return view

    def _lay_out(self) -> None:
        row = laid_out(
            QHBoxLayout(),
            (self.box, 1),
            self.summary,
            self.own_button,
            self.file_button,
            self.answers,
            self.stop_button,
            self.export_button,
        )
        chart = QWidget()
        laid_out(QVBoxLayout(chart), self.chart_choice, (self.chart, 1), margins=(6, 6, 6, 6))
        own = QWidget()
        beside = laid_out(QVBoxLayout(), self.delete_button)
        beside.addStretch(1)
        # (Below the list the button would make the panel higher.)
        laid_out(QHBoxLayout(own), (self.own, 1), beside, margins=(6, 6, 6, 6))
        tabs = QTabWidget(documentMode=True)
        for title, page in (
            ("Figures", self.figures),
            ("Questions", self.questions),
            ("Over time", chart),
            ("Saved", own),
        ):
            tabs.addTab(page, title)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.view)
        split.addWidget(tabs)
        split.setSizes(_SPLIT)
        split.setChildrenCollapsible(False)
        laid_out(QVBoxLayout(self), row, (split, 1), margins=(8, 6, 8, 8))


def _button(text: str, wanted: SignalInstance) -> QPushButton:
    button = QPushButton(text, autoDefault=False)
    button.clicked.connect(wanted)
    return button

"""Evaluation runs of the project: listed, looked into, compared, over time; its own questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.chart import EMPTY
from phasergun_desktop.ui.evaluation.figures_view import (
    FiguresView,
    changes_in_words,
    questions_in_words,
)
from phasergun_desktop.ui.evaluation.run_model import COLUMNS, FILE, NUMBER
from phasergun_desktop.ui.evaluation.run_rows import FIGURES, RunRow, series_over_time
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox
from phasergun_desktop.ui.record_model import SORT, RecordTable
from phasergun_desktop.ui.record_panel import RecordPanel, record_view
from phasergun_desktop.ui.wording import count, literal

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.questions import JudgedQuestion
    from phasergun_desktop.evaluation.run_comparison import Comparison

_ID = Qt.ItemDataRole.UserRole


class EvaluationPanel(RecordPanel):
    """``pair_wanted`` carries two runs that shall be compared, ``delete_wanted`` the ids of
    questions to delete."""

    pair_wanted = Signal(object, object)
    delete_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Figure over all runs", parent)
        self.table = RecordTable(COLUMNS, self)
        self.proxy = QSortFilterProxyModel(self, sortRole=SORT, filterKeyColumn=-1)
        self.proxy.setSourceModel(self.table)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.box = QLineEdit(placeholderText="Filter the runs", clearButtonEnabled=True)
        self.box.setAccessibleName("Filter the evaluation runs")
        self.box.textChanged.connect(self.proxy.setFilterFixedString)
        self.answers = OutlinedCheckBox("&Answer too")
        self.answers.setToolTip("Answer every question as well: a second or more for each")
        self.own_button = QPushButton("Run &own questions", autoDefault=False)
        self.file_button = QPushButton("Run a &file…", autoDefault=False)
        self.stop_button = QPushButton("&Stop", autoDefault=False)
        self.export_button = QPushButton("E&xport own questions…", autoDefault=False)
        self.summary = QLabel()
        self.view = record_view("Evaluation runs", self.proxy, COLUMNS, NUMBER)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.horizontalHeader().setSectionResizeMode(FILE, QHeaderView.ResizeMode.Stretch)
        self.view.selectionModel().selectionChanged.connect(lambda _on, _off: self._on_chosen())
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
        self.chart_choice.activated.connect(self._draw)
        self._lay_out()
        self.show_questions(())
        self.set_running(False)
        self.show_runs(())

    def show_runs(self, rows: tuple[RunRow, ...]) -> None:
        """Show the runs; the last one is chosen."""
        self.table.show_records(rows)
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
        return sorted((self.table.records[row] for row in rows), key=lambda row: row.run.run_id)

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
        self.chart.show_series(series_over_time(self.table.records, name) if name else EMPTY)

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
        own = QWidget()
        beside = laid_out(QVBoxLayout(), self.delete_button, 1)
        # (Below the list the button would make the panel higher.)
        laid_out(QHBoxLayout(own), (self.own, 1), beside, margins=(6, 6, 6, 6))
        self.lay_out(
            row,
            self.view,
            ("Figures", self.figures),
            ("Questions", self.questions),
            ("Over time", self.chart_page),
            ("Saved", own),
        )

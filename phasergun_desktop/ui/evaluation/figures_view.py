"""The figures of one evaluation run, or of two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from phasergun_desktop.ui.evaluation.run_rows import FIGURES, RunRow, share
from phasergun_desktop.ui.wording import count

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.run_comparison import ComparedQuestion, Comparison

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FiguresView(QTableWidget):
    """A row for each figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Figures of the chosen runs")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.horizontalHeader().setHighlightSections(False)

    def show_run(self, row: RunRow | None) -> None:
        """Show the figures of one run with their intervals."""
        if row is None:
            self._show(("Figure", "Value", "Likely between"), ())
            return
        cells = [
            (FIGURES[name], share(value), _interval(row.intervals.get(name)))
            for name, value in row.figures.items()
        ]
        for name, value in (("Search time, median", row.p50_ms), ("95 % within", row.p95_ms)):
            if value is not None:
                cells.append((name, f"{value:.0f} ms", ""))
        self._show(("Figure", "Value", "Likely between"), cells)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show two runs with what became better or worse."""
        first, second = comparison.first.run_id, comparison.second.run_id
        titles = ("Figure", f"Run {first}", f"Run {second}", "Change", "Likely between")
        self._show(
            (*titles, "Better", "Worse"),
            [
                (
                    FIGURES[each.name],
                    share(each.first),
                    share(each.second),
                    _signed(each.difference.value),
                    f"{_signed(each.difference.low)} to {_signed(each.difference.high)}",
                    str(each.won),
                    str(each.lost),
                )
                for each in comparison.figures
            ],
        )

    def _show(self, titles: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
        self.clear()
        self.setColumnCount(len(titles))
        self.setHorizontalHeaderLabels(titles)
        self.setRowCount(len(cells))
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if column:
                    item.setTextAlignment(_RIGHT)
                self.setItem(row, column, item)
        self.resizeColumnsToContents()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def _interval(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}"


def _signed(change: float) -> str:
    told = f"{100 * change:+.1f}"
    return "0" if float(told) == 0 else told.replace("-", "−")


def questions_in_words(row: RunRow) -> str:
    """Return the questions of a run that went wrong."""
    if not row.rows:
        return ""
    if not row.missed:
        return "Nothing went wrong in this run."
    return f"{count(len(row.missed), 'question')} went wrong:\n\n" + "\n".join(row.missed)


def changes_in_words(comparison: Comparison) -> str:
    """Return the questions that two runs differ in."""
    parts = []
    if comparison.first.sha256 != comparison.second.sha256:
        parts.append("The two runs are not on the same file of questions.")
    parts += _made_otherwise(comparison)
    if comparison.only_one:
        parts.append(f"{count(comparison.only_one, 'question')} in one of the runs only.")
    changed = [each for each in comparison.questions if each.differs]
    if not changed:
        parts.append("No question has other figures.")
    second = comparison.second.run_id
    for became, found in (
        ("worse", [each for each in changed if each.gain < 0]),
        ("better", [each for each in changed if each.gain > 0]),
        ("different in part", [each for each in changed if each.gain == 0]),
    ):
        if found:
            parts.append(f"{count(len(found), 'question')} {became} in run {second}:\n")
            parts += [_change_in_words(each) for each in sorted(found, key=lambda each: each.gain)]
    return "\n".join(parts)


def _made_otherwise(comparison: Comparison) -> list[str]:
    """Return a line for each run with the versions that it was made with and the other was not."""
    runs = (comparison.first, comparison.second)
    made = [run.versions.split("; ") for run in runs]
    only = [[one for one in made[at] if one not in made[1 - at]] for at in range(2)]
    return [
        f"Run {run.run_id} was made with {', '.join(names)}."
        for run, names in zip(runs, only, strict=True)
        if names
    ]


def _change_in_words(question: ComparedQuestion) -> str:
    figures = ", ".join(
        f"{FIGURES[name].lower()} {share(a)} → {share(b)}" for name, a, b in question.differs
    )
    return f"{question.question_id}  {question.text}\n      {figures}"

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QMessageBox

from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.run_comparison import compare
from phasergun_desktop.evaluation.run_store import EvaluationRun, RunStore
from phasergun_desktop.ui.evaluation.evaluation_panel import EvaluationPanel
from phasergun_desktop.ui.evaluation.figures_view import changes_in_words
from phasergun_desktop.ui.evaluation.run_rows import row_of, series_over_time
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_logs import fill_runs
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk


def _fill(session: FakeSession) -> None:
    fill_runs(session.runs_file, 6)
    with closing(RunStore(session.runs_file)) as runs:
        runs.questions.add(JudgedQuestion("own", "What does the meter measure?", files=(DEVICE,)))


@pytest.fixture
def evaluated(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    """A window with six runs in view."""
    desk = open_desk(prepare=_fill)
    desk.window.actions_table["go-evaluation"].trigger()
    desk.wait(lambda: desk.window.parts.evaluation_panel.table.rowCount() == 6)
    return desk


def _figures(panel: EvaluationPanel) -> dict[str, list[str]]:
    table = panel.figures
    cells = [
        [str(table.model().index(row, column).data()) for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]
    return {name: rest for name, *rest in cells}


def test_the_last_run_is_shown_first(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    assert panel.proxy.index(0, 0).data() == "6"
    assert [row.run.run_id for row in panel.chosen()] == [6]
    figures = _figures(panel)
    assert figures["File found first"] == ["65.0 %", "45.0 to 85.0"]
    assert figures["Answers right"][0] == "65.0 %"
    assert "8 questions went wrong" in panel.questions.toPlainText()
    assert "file not among the first 10" in panel.questions.toPlainText()
    assert panel.summary.text() == "1 question of this project"


def test_runs_are_filtered_by_words(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    panel.box.setText("no such file")
    assert panel.proxy.rowCount() == 0
    panel.box.setText("GLUCOSE")
    assert panel.proxy.rowCount() == 6


def test_two_runs_are_compared(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    flags = QItemSelectionModel.SelectionFlag
    panel.view.selectionModel().select(panel.proxy.index(3, 0), flags.Select | flags.Rows)
    evaluated.wait(lambda: panel.figures.columnCount() == 7)
    assert _figures(panel)["Answers right"] == [
        "50.0 %", "65.0 %", "+15.0", "0 to +30.0", "3", "0",
    ]  # fmt: skip
    assert _figures(panel)["Wrong answers"][2] == "−15.0"
    told = panel.questions.toPlainText()
    assert "wrong answers 100.0 % → 0.0 %" in told
    assert "3 questions better in run 6" in told
    assert "worse" not in told
    assert "Run 3 was made with index 2.\nRun 6 was made with index 5." in told


def test_what_became_worse_is_told_first(evaluated: OpenDesk) -> None:
    rows = evaluated.window.parts.evaluation_panel.table.records
    by_number = {row.run.run_id: row.run for row in rows}
    told = changes_in_words(compare(by_number[6], by_number[3]))
    assert "3 questions worse in run 3" in told
    report = json.loads(by_number[3].report)
    # The last question becomes right, as the only one.
    report["questions"][-1] |= {"right": 1.0, "wrong": 0.0}
    told = changes_in_words(compare(by_number[6], replace(by_number[3], report=json.dumps(report))))
    assert told.index("3 questions worse") < told.index("1 question better")


def test_a_figure_over_time(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    panel.chart_choice.setCurrentIndex(panel.chart_choice.findData("answers_right"))
    panel.chart_choice.activated.emit(panel.chart_choice.currentIndex())
    assert panel.chart.series.values == pytest.approx((40.0, 45.0, 50.0, 55.0, 60.0, 65.0))
    assert panel.chart.series.places[0].startswith("Run 1, ")


def test_the_own_questions_are_run(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    evaluated.wait(panel.own_button.isEnabled)
    panel.own_button.click()
    assert not panel.own_button.isEnabled()
    assert not panel.stop_button.isHidden()
    evaluated.wait(lambda: panel.table.rowCount() == 7)
    evaluated.wait(panel.own_button.isEnabled)
    assert panel.stop_button.isHidden()
    assert panel.chosen()[0].run.file == "questions of this project"
    assert "1 question evaluated" in evaluated.window.parts.status_bar.work_label.text()


def test_bad_lines_of_a_file_are_told(evaluated: OpenDesk, tmp_path: Path) -> None:
    file = tmp_path / "asked.jsonl"
    good = {"id": "a", "question": "What does the meter measure?", "files": [DEVICE]}
    file.write_text(f"{json.dumps(good)}\n{{\n", "utf-8")
    evaluated.window.evaluation_flow.evaluate(file)
    panel, bar = evaluated.window.parts.evaluation_panel, evaluated.window.parts.message_bar
    evaluated.wait(lambda: panel.table.rowCount() == 7)
    assert "Line 2 of asked.jsonl is not JSON." in bar.accessibleName()


def test_a_file_that_cannot_be_used_is_told(evaluated: OpenDesk, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("", "utf-8")
    evaluated.window.evaluation_flow.evaluate(file)
    bar = evaluated.window.parts.message_bar
    evaluated.wait(lambda: "empty.jsonl" in bar.accessibleName())
    evaluated.wait(evaluated.window.parts.evaluation_panel.own_button.isEnabled)


def test_the_own_questions_are_exported(evaluated: OpenDesk, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    evaluated.window.evaluation_flow.export_questions(path)
    evaluated.wait(path.is_file)
    assert json.loads(path.read_text("utf-8"))["id"] == "own"


def test_an_own_question_is_deleted_after_a_question(evaluated: OpenDesk) -> None:
    panel = evaluated.window.parts.evaluation_panel
    assert panel.own.item(0).text() == "What does the meter measure?"
    assert not panel.delete_button.isEnabled()
    panel.own.item(0).setSelected(True)
    panel.delete_button.click()
    (box,) = evaluated.window.findChildren(QMessageBox)
    assert box.text() == "Delete this question?"
    (delete,) = [each for each in box.buttons() if each.text() == "Delete"]
    delete.click()
    evaluated.wait(lambda: panel.summary.text() == "No questions saved")
    assert panel.own.count() == 0
    assert evaluated.session.questions() == ()
    assert panel.table.rowCount() == 6


def test_without_runs_and_questions(desk: OpenDesk) -> None:
    panel = desk.window.parts.evaluation_panel
    desk.window.actions_table["go-evaluation"].trigger()
    desk.wait(panel.isVisible)
    assert panel.summary.text() == "No questions saved"
    assert not panel.own_button.isEnabled()
    assert not panel.export_button.isEnabled()


@pytest.mark.parametrize("report", ["", "[]", "{", '{"metrics": 3, "questions": {"a": 1}}'])
def test_a_run_that_says_nothing_is_a_row_all_the_same(report: str) -> None:
    row = row_of(EvaluationRun(1, "questions", "2026-01-01T00:00:00+00:00", "q", "", "", report))
    assert dict(row.figures) == {}
    assert row.missed == ()
    assert series_over_time([row], "recall@1").values == ()

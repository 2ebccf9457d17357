from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.activity.retention import first_kept
from phasergun_desktop.errors import StorageError
from phasergun_desktop.ui.activity.activity_model import ABOUT, SECONDS, ActivityProxy
from phasergun_desktop.ui.activity.activity_panel import ActivityPanel
from phasergun_desktop.ui.activity.activity_series import series_of
from phasergun_desktop.ui.activity.activity_words import details_of
from phasergun_desktop.ui.activity.removal_dialog import RemovalDialog
from tests.fakes.ui_logs import DeskLogs, fill_log
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk


def _fill(session: FakeSession) -> None:
    fill_log(session.logs, 200)


@pytest.fixture
def logged(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    """A window with the log of two hundred entries in view."""
    desk = open_desk(prepare=_fill)
    desk.window.actions_table["go-activity"].trigger()
    desk.wait(lambda: desk.window.parts.activity_panel.table.rowCount() == 200)
    return desk


def _choose(panel: ActivityPanel, name: str, value: str | int) -> None:
    box = getattr(panel, name)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def _texts(proxy: ActivityProxy, column: int) -> list[str]:
    return [str(proxy.index(row, column).data()) for row in range(proxy.rowCount())]


def test_the_panel_is_closed_at_first(desk: OpenDesk) -> None:
    panel = desk.window.parts.activity_panel
    assert not panel.isVisible()
    # Nothing is read while nobody looks.
    assert panel.table.rowCount() == 0


def test_the_newest_entry_comes_first_and_is_told_whole(logged: OpenDesk) -> None:
    panel = logged.window.parts.activity_panel
    assert panel.view.hasFocus()
    entry = panel.table.records[int(panel.proxy.mapToSource(panel.proxy.index(0, 0)).row())]
    assert entry.number == 200
    for row, one in enumerate(panel.proxy.shown()):
        if one.activity.kind is ActivityKind.ASK:
            panel.view.selectRow(row)
            break
    chosen = panel.chosen()
    assert chosen is not None
    told = panel.details.toPlainText()
    assert chosen.activity.prompt in told
    assert "Glucose dehydrogenase" in told
    assert chosen.hash in told
    assert "120 written" in told


def test_filters_go_together(logged: OpenDesk) -> None:
    panel = logged.window.parts.activity_panel
    QTest.keyClicks(panel.box, "capa RECORDS")
    logged.wait(lambda: panel.proxy.rowCount() < 200)
    assert set(_texts(panel.proxy, ABOUT)) == {
        "How long must CAPA records be kept, and who signs them?"
    }
    found = panel.proxy.rowCount()
    _choose(panel, "kind", "ask")
    _choose(panel, "status", "abstained")
    assert 0 < panel.proxy.rowCount() < found
    assert panel.summary.text() == f"{panel.proxy.rowCount()} of 200 entries"
    panel.box.clear()
    panel.filter_now()
    _choose(panel, "kind", "")
    _choose(panel, "status", "")
    _choose(panel, "period", 7)
    assert 20 <= panel.proxy.rowCount() <= 25


def test_numbers_are_sorted_as_numbers(logged: OpenDesk) -> None:
    panel = logged.window.parts.activity_panel
    panel.view.sortByColumn(SECONDS, Qt.SortOrder.AscendingOrder)
    told = [float(text) for text in _texts(panel.proxy, SECONDS) if text]
    assert told == sorted(told)
    assert len(told) > 50


def test_the_log_is_checked(logged: OpenDesk) -> None:
    bar = logged.window.parts.message_bar
    logged.window.parts.activity_panel.verify_button.click()
    logged.wait(lambda: "whole" in bar.accessibleName())
    with logged.session.logs.database.transaction() as connection:
        connection.execute("DROP TRIGGER activity_no_delete")
        connection.execute("DELETE FROM activity WHERE number = 90")
    logged.window.parts.activity_panel.verify_button.click()
    logged.wait(lambda: "broken at entry 90" in bar.accessibleName())


def test_old_entries_are_removed_after_one_question(logged: OpenDesk) -> None:
    panel, window = logged.window.parts.activity_panel, logged.window
    panel.remove_button.click()
    (dialog,) = window.findChildren(RemovalDialog)
    logged.wait(lambda: "No entries" in dialog.told.text() or "0 entries" in dialog.told.text())
    assert not dialog.remove_button.isEnabled()
    dialog.days.setValue(30)
    logged.wait(dialog.remove_button.isEnabled)
    removed = logged.session.activity.older_than(first_kept(30))
    assert dialog.told.text() == f"{removed} entries will be removed."
    dialog.remove_button.click()
    logged.wait(lambda: panel.table.rowCount() == 200 - removed + 1)
    assert panel.table.records[0].activity.kind is ActivityKind.CHECKPOINT
    assert logged.session.activity.verify().removed == removed


def test_texts_are_removed_and_the_entries_stay(logged: OpenDesk) -> None:
    panel, window, log = logged.window.parts.activity_panel, logged.window, logged.session.activity
    panel.remove_button.click()
    (dialog,) = window.findChildren(RemovalDialog)
    dialog.days.setValue(30)
    dialog.only_texts.setChecked(True)
    older = log.texts_older_than(first_kept(30))
    logged.wait(lambda: dialog.told.text() == f"The texts of {older} entries will be removed.")
    dialog.remove_button.click()
    logged.wait(lambda: panel.table.rowCount() == 201)
    entries = panel.table.records
    assert entries[0].activity.texts_upto == older
    assert sum(not one.activity.prompt for one in entries[1:]) >= older
    assert f"up to {older} were removed" in details_of(entries[0])
    assert log.verify().textless == older


def test_a_search_that_rested_is_logged_once(desk: OpenDesk) -> None:
    search = desk.window.parts.search_panel
    search._rest.setInterval(50)
    for letters in ("glu", "gluc", "glucose"):
        search.box.setText(letters)
        search.search_now()
    logs = desk.session.activity
    desk.wait(lambda: any(e.activity.kind is ActivityKind.SEARCH for e in logs.entries()))
    (one,) = [e.activity for e in logs.entries() if e.activity.kind is ActivityKind.SEARCH]
    assert (one.prompt, one.status, one.profile) == ("glucose", "complete", "regulatory")
    assert len(one.chunk_ids) == search.hits.count()
    # Nobody sees one of a project that is left before.
    search.search_now()
    search.set_session(None)
    desk.qtbot.wait(150)
    assert len([e for e in logs.entries() if e.activity.kind is ActivityKind.SEARCH]) == 1


def test_a_search_that_failed_is_logged_with_why(desk: OpenDesk) -> None:
    search, logs = desk.window.parts.search_panel, desk.session.activity
    search._rest.setInterval(50)
    desk.session.search_failure = StorageError("Damaged", "A part is damaged.", "Search again.")
    search.box.setText("glucose")
    search.search_now()
    desk.wait(lambda: any(e.activity.kind is ActivityKind.SEARCH for e in logs.entries()))
    one = logs.entries()[0].activity
    assert (one.prompt, one.status, one.errors) == ("glucose", "error", ("A part is damaged.",))
    assert (one.chunk_ids, one.average_similarity) == ((), None)
    assert logs.verify().ok


@pytest.mark.parametrize(
    ("form", "name", "has_texts"),
    [
        ("The whole log (*.jsonl)", "log.jsonl", True),
        ("The whole log without questions and answers (*.jsonl)", "log.jsonl", False),
        ("Table for a spreadsheet (*.csv)", "log.csv", True),
    ],
)
def test_the_log_is_exported(
    logged: OpenDesk, tmp_path: Path, form: str, name: str, has_texts: bool
) -> None:
    logged.window.activity_flow.export(tmp_path / "log", form)
    path = tmp_path / name
    logged.wait(path.is_file)
    logged.wait(lambda: "exported" in logged.window.parts.status_bar.work_label.text())
    assert ("GlucoTrace" in path.read_text("utf-8")) is has_texts


def test_charts_show_what_is_listed(logged: OpenDesk) -> None:
    panel = logged.window.parts.activity_panel
    assert panel.chart.series.name == "Entries per day"
    assert sum(value or 0 for value in panel.chart.series.values) == 200
    _choose(panel, "kind", "ask")
    listed = panel.proxy.rowCount()
    assert sum(value or 0 for value in panel.chart.series.values) == listed
    names = [panel.chart_choice.itemText(at) for at in range(panel.chart_choice.count())]
    assert len(names) == 4
    panel.chart_choice.setCurrentIndex(2)
    panel.chart_choice.activated.emit(2)
    shares = [value for value in panel.chart.series.values if value is not None]
    assert shares
    assert all(0 <= share <= 100 for share in shares)


def test_an_empty_log_says_so(desk: OpenDesk) -> None:
    panel = desk.window.parts.activity_panel
    desk.window.actions_table["go-activity"].trigger()
    desk.wait(lambda: "Nothing was logged" in panel.summary.text())
    assert not panel.export_button.isEnabled()
    assert panel.chart.accessibleDescription() == "Nothing to show"


def test_hostile_texts_are_only_text(qtbot: QtBot, tmp_path: Path) -> None:
    logs = DeskLogs(tmp_path)
    logs.activity.append(
        Activity(ActivityKind.ASK, prompt="<img src=x>\n\u202e&amp;", status="<b>")
    )
    panel = ActivityPanel()
    qtbot.addWidget(panel)
    panel.show_entries(logs.activity.entries())
    panel.view.selectRow(0)
    assert "<img src=x>\n\u202e&amp;" in panel.details.toPlainText()
    logs.close()


def test_a_long_time_is_shown_by_weeks(tmp_path: Path) -> None:
    logs = DeskLogs(tmp_path)
    fill_log(logs, 300, days=400)
    series = series_of(logs.activity.entries())
    logs.close()
    assert series[0].name == "Entries per week"
    assert len(series[0].places) < 60
    assert sum(value or 0 for value in series[0].values) == 300


def test_twenty_thousand_entries_are_filtered_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    logs = DeskLogs(tmp_path)
    fill_log(logs, 2_000)
    entries = logs.activity.entries() * 10
    logs.close()
    panel = ActivityPanel()
    qtbot.addWidget(panel)
    panel.show_entries(entries)
    best = 1e9
    for text in ("capa", "haematocrit", "nowhere"):
        panel.box.setText(text)
        started = time.perf_counter()
        panel.filter_now()
        best = min(best, time.perf_counter() - started)
    assert best < 0.3

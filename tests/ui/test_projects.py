"""Projects: the states of files, watching, switching, forgetting, and the empty start."""

from __future__ import annotations

import gc
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCommandLinkButton, QFileDialog, QMessageBox, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.projects.project_records import RegisteredProject
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.sync.scan_clock import SCAN_EVERY_S, ScanClock
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.projects.project_tree_model import ProjectTreeModel
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from tests.fakes.marked_passage import marked_in
from tests.fakes.ui_desk_stores import FakeSettings
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_session import PROMPT, PROMPT_FILE, FakeSession
from tests.fakes.ui_workspace import FakeWorkspace
from tests.ui.conftest import OpenDesk


def _lines(model: ProjectTreeModel, parent: QModelIndex | None = None) -> list[str]:
    above = parent or QModelIndex()
    found = []
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        found.append(str(index.data()))
        found.extend(f"  {line}" for line in _lines(model, index))
    return found


def test_the_tree_shows_every_file_with_its_state(desk: OpenDesk) -> None:
    model = desk.window.parts.project_panel.model
    desk.wait(lambda: model.item_of_file(DEVICE) is not None)
    lines = _lines(model)
    sources = lines.index("Procedures")
    assert lines[sources : sources + 4] == [
        "Procedures",
        "  SOPs",
        "    SOP-003-risk-management.md",
        "    SOP-015-change-control.pdf",
    ]
    assert [line for line in lines if not line.startswith(" ")] == [
        "Drafts",
        "Prompts",
        "Procedures",
        "Context",
        "Not part of the index",
    ]
    item = model.item_of_file("Procedures/SOPs/SOP-015-change-control.pdf")
    assert item is not None
    assert "Needs attention: the file is encrypted" in item.toolTip()
    assert item.accessibleText().endswith("needs attention: the file is encrypted")


def test_thousands_of_new_files_stand_in_order_in_the_tree_at_once(desk: OpenDesk) -> None:
    model = desk.window.parts.project_panel.model
    desk.wait(lambda: model.item_of_file(DEVICE) is not None)
    numbers = list(range(4_000))
    random.Random(1).shuffle(numbers)
    # What this thread works: jobs of the window, and what thousands of tests have left for the
    # garbage collector, are not what is measured.
    gc.collect()
    started = time.thread_time()
    for number in numbers:
        file = f"Context/General/N{number:04}.md"
        model.show_file(FileRecord(file, Layer.GENERAL, FileState.PENDING))
    assert time.thread_time() - started < 2
    lines = [line.strip() for line in _lines(model)]
    first = lines.index("N0000.md")
    assert lines[first : first + 4_000] == [f"N{number:04}.md" for number in range(4_000)]


def test_the_status_bar_accounts_for_every_file(desk: OpenDesk) -> None:
    label = desk.window.parts.status_bar.index_label
    desk.wait(lambda: "indexed" in label.text())
    desk.wait(lambda: desk.window.keeper.current is not None)
    assert "1 needs attention: the file is encrypted" in label.text()
    assert "1 skipped" in label.text()


def test_details_of_the_selected_file(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    desk.wait(lambda: panel.model.item_of_file(DEVICE) is not None)
    panel.select_file("Procedures/SOPs/SOP-015-change-control.pdf")
    text = panel.details.text()
    assert "Needs attention: the file is encrypted" in text
    assert "117 kB" in text


def test_a_click_on_a_file_opens_it(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    desk.wait(lambda: panel.model.item_of_file(DEVICE) is not None)
    with desk.qtbot.waitSignal(desk.window.parts.source_panel.shown):
        panel.file_activated.emit(DEVICE)
    assert marked_in(desk.window.parts.source_panel) == ""


def test_a_change_in_the_folder_syncs_again(desk: OpenDesk) -> None:
    desk.wait(lambda: desk.session.dirty is not None and desk.session.syncs == 1)
    desk.wait(lambda: not _is_syncing(desk))
    dirty = desk.session.dirty
    assert dirty is not None
    # The watcher calls on a thread of its own, several times at once.
    threads = [threading.Thread(target=dirty) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    desk.wait(lambda: desk.session.syncs > 1 and not _is_syncing(desk))
    assert desk.session.syncs <= 3


def _stopped_before_the_last_file(
    open_desk: Callable[..., OpenDesk],
) -> tuple[OpenDesk, threading.Event]:
    may_go_on = threading.Event()

    def prepare(session: FakeSession) -> None:
        session.unread = may_go_on

    return open_desk(prepare=prepare), may_go_on


def test_a_plan_that_waits_for_a_file_is_made_again_when_one_is_read(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk, may_go_on = _stopped_before_the_last_file(open_desk)
    panel, session = desk.window.parts.prompt_panel, desk.session
    try:
        panel.choose("Context/Prompt/broken.md")
        desk.wait(lambda: panel.waits_for_files)
        made = session.planned
        desk.window.keeper.file_changed.emit(session.files()[0])
        desk.wait(lambda: session.planned > made)
        assert _is_syncing(desk)
        desk.wait(lambda: panel.waits_for_files)
        # One that is on its way is not asked for again.
        panel.request_plan()
        assert not panel.waits_for_files
        desk.wait(lambda: panel.waits_for_files)
    finally:
        may_go_on.set()


def test_trying_again_reads_what_failed_once(desk: OpenDesk) -> None:
    desk.wait(lambda: desk.session.syncs == 1 and not _is_syncing(desk))
    assert desk.session.retries == 0
    desk.window.actions_table["retry-file"].trigger()
    desk.wait(lambda: desk.session.syncs == 2 and not _is_syncing(desk))
    assert desk.session.retries == 1
    desk.window.actions_table["sync"].trigger()
    desk.wait(lambda: desk.session.syncs == 3 and not _is_syncing(desk))
    assert desk.session.retries == 1


def test_reading_can_be_paused_and_goes_on_where_it_stopped(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk, may_go_on = _stopped_before_the_last_file(open_desk)
    pause = desk.window.actions_table["pause-sync"]
    label = desk.window.parts.status_bar.index_label
    try:
        desk.wait(lambda: desk.session.syncs == 1 and desk.session.dirty is not None)
        pause.trigger()
    finally:
        may_go_on.set()
    desk.wait(lambda: not _is_syncing(desk))
    desk.wait(lambda: label.text().endswith("reading is paused"))
    dirty = desk.session.dirty
    assert dirty is not None
    dirty()
    desk.window.keeper._on_tick()
    QTest.qWait(50)
    assert desk.session.syncs == 1
    pause.trigger()
    desk.wait(lambda: desk.session.syncs == 2 and not _is_syncing(desk))
    desk.wait(lambda: "paused" not in label.text())
    # Who asks for the folder to be read wants it read.
    pause.trigger()
    desk.window.actions_table["sync"].trigger()
    assert not pause.isChecked()
    desk.wait(lambda: desk.session.syncs >= 3 and not _is_syncing(desk))


def test_typing_leaves_the_machine_to_the_writer(desk: OpenDesk) -> None:
    desk.wait(lambda: desk.session.syncs == 1 and not _is_syncing(desk))
    for editor in (desk.window.parts.prompt_panel.editor, desk.window.parts.draft_panel.editor):
        before = desk.session.keys
        QTest.keyClicks(editor, "a")
        assert desk.session.keys > before


def test_every_open_project_is_looked_at_again_when_it_is_due(
    two: tuple[OpenDesk, FakeSession],
) -> None:
    desk, other = two
    desk.wait(lambda: other.syncs == 1)
    desk.wait(lambda: not any(one.is_running for one in desk.window.keeper._open.values()))
    before = [one.syncs for one in desk.workspace.sessions.values()]
    now = time.time()
    clock = desk.window.keeper._clock = ScanClock(lambda: now)
    desk.window.keeper._timer.timeout.emit()
    assert not any(one.is_running for one in desk.window.keeper._open.values())
    now += 2 * SCAN_EVERY_S
    desk.window.keeper._timer.timeout.emit()
    desk.wait(
        lambda: [one.syncs for one in desk.workspace.sessions.values()] == [n + 1 for n in before]
    )
    assert not clock.is_due()


def _is_syncing(desk: OpenDesk) -> bool:
    current = desk.window.keeper.current
    return current is not None and current.is_running


def test_switching_shows_the_other_project_and_keeps_both_synced(
    two: tuple[OpenDesk, FakeSession],
) -> None:
    desk, other = two
    desk.wait(lambda: other.syncs == 1)
    desk.generate()
    desk.window.actions_table["next-project"].trigger()
    desk.wait(lambda: desk.window.keeper.session is other)
    assert desk.window.windowTitle().startswith("pump")
    assert desk.text() == ""
    desk.window.keeper.show(desk.session.project.root)
    desk.wait(lambda: "amperometrically" in desk.text())
    desk.window.close()
    assert desk.settings.settings.projects.last_opened == str(desk.session.project.root)


def test_the_project_in_view_last_is_the_first_to_go_on_with(
    open_desk: Callable[..., OpenDesk], tmp_path: Path
) -> None:
    roots = first, second, third = [tmp_path / name for name in ("glucose", "pump", "valve")]
    first.mkdir()
    workspace = FakeWorkspace(*roots)
    desk = open_desk(workspace=workspace)
    start = desk.window.parts.start_page

    def offered() -> list[str]:
        buttons = start.findChildren(QPushButton)
        return [one.text()[11:] for one in buttons if one.text().startswith("Go on with ")]

    # The others are opened behind it, which is no work on them.
    desk.wait(lambda: workspace.sessions[third].syncs == 1)
    desk.window.keeper.known_changed.emit()
    desk.wait(lambda: offered() == ["glucose", "pump", "valve"])
    desk.window.keeper.show(third)
    desk.wait(lambda: offered() == ["valve", "glucose", "pump"])
    desk.window.keeper.forget(third)
    desk.wait(start.isVisible)
    desk.wait(lambda: offered() == ["glucose", "pump"])
    button = next(one for one in start.findChildren(QPushButton) if one.text().endswith("pump"))
    QTest.keyClick(button, Qt.Key.Key_Return)
    desk.wait(lambda: desk.window.keeper.session is workspace.sessions[second])


def test_forgetting_shows_the_start_page(desk: OpenDesk, tmp_path: Path) -> None:
    desk.wait(lambda: not _is_syncing(desk))
    session = desk.session
    desk.window.keeper.forget(tmp_path / "glucose")
    desk.wait(lambda: not desk.workspace.sessions)
    assert session.is_closed
    assert desk.window.parts.start_page.isVisible()


def test_a_project_that_is_opened_while_it_is_forgotten_is_opened_after_that(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk.wait(lambda: not _is_syncing(desk))
    session, root = desk.session, tmp_path / "glucose"
    gate = threading.Event()
    desk.window.runners.indexing.submit_call(lambda: gate.wait(10), must_run=True)
    desk.window.keeper.forget(root)
    desk.window.keeper.show(root)
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    assert desk.window.keeper.session is None
    gate.set()
    desk.wait(lambda: desk.window.keeper.session is not None)
    assert session.is_closed
    assert desk.window.keeper.session is desk.workspace.sessions[root] is not session


def test_the_window_itself_does_not_ask_whether_the_other_projects_are_there(
    desk: OpenDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    class Known(RegisteredProject):
        """Notes who asks."""

        @property
        def exists(self) -> bool:
            """Whether it is there."""
            asked.append(threading.current_thread() is threading.main_thread())
            return False

    desk.wait(lambda: not _is_syncing(desk))
    known = Known(tmp_path / "away", "away", "away", "")
    monkeypatch.setattr(desk.workspace, "known", lambda: (known,))
    vars(desk.window.keeper)["_others_opened"] = False
    desk.window.keeper.open_others()
    desk.wait(lambda: asked == [False])
    assert desk.window.keeper.sessions == (desk.session,)


@pytest.mark.parametrize(
    ("button", "shown"), [("It was moved", "old"), ("Another project", "new"), ("Cancel", "")]
)
def test_a_folder_that_may_have_been_moved_is_asked_about(
    desk: OpenDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, button: str, shown: str
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    before = desk.workspace.open(old)
    desk.workspace.moved = {new: old}
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(new))
    desk.window.actions_table["open-folder"].trigger()
    desk.wait(lambda: bool(desk.window.findChildren(QMessageBox)))
    box = desk.window.findChildren(QMessageBox)[0]
    assert str(old) in box.text()
    next(each for each in box.buttons() if each.text().replace("&", "") == button).click()
    if shown:
        desk.wait(lambda: desk.window.keeper.session is not desk.session)
        assert (desk.window.keeper.session is before) == (shown == "old")
    else:
        assert desk.window.keeper.session is desk.session


def test_what_projects_share_can_be_cleared(desk: OpenDesk) -> None:
    desk.window.actions_table["clear-vectors"].trigger()
    desk.wait(lambda: desk.workspace.cleared == 1)
    desk.wait(lambda: "Cleared 12 MB" in desk.window.parts.status_bar.work_label.text())


def test_what_was_lost_is_told_when_the_project_opens(open_desk: Callable[..., OpenDesk]) -> None:
    def lose(session: FakeSession) -> None:
        session.warnings = ("3 entries of the activity log are missing.", "work.db was empty.")

    desk = open_desk(prepare=lose)
    desk.wait(
        lambda: (
            desk.window.parts.message_bar.message
            == "3 entries of the activity log are missing. work.db was empty."
        )
    )


def test_a_folder_that_cannot_be_opened_is_told(desk: OpenDesk, tmp_path: Path) -> None:
    desk.window.keeper.show(tmp_path / "missing")
    desk.wait(lambda: "Folder missing" in desk.window.parts.message_bar.message)
    assert desk.window.keeper.session is desk.session


def test_the_empty_start_offers_three_things(
    qtbot: QtBot, theme: ThemeSwitch, tmp_path: Path
) -> None:
    workspace = FakeWorkspace()
    window = MainWindow(workspace, WindowMemory(FakeSettings()), theme, tmp_path)
    qtbot.addWidget(window)
    window.show()
    window.start(None)
    page = window.parts.start_page
    buttons = page.findChildren(QCommandLinkButton)
    assert [one.text() for one in buttons] == [
        "Open a folder",
        "Make a new project",
        "Look at the sample",
    ]
    QTest.keyClick(buttons[2], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.parts.prompt_panel.prompt_text == PROMPT)
    assert not page.isVisible()
    window.close()


def test_a_prompt_is_saved_to_its_file(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    panel.editor.setPlainText("Another prompt.")
    desk.window.actions_table["save-prompt"].trigger()
    desk.wait(lambda: bool(desk.session.saved_prompts))
    assert list(desk.session.saved_prompts.values()) == ["Another prompt."]
    desk.wait(lambda: desk.window.parts.status_bar.work_label.text() == "Prompt saved")


def test_search_opens_the_hit(desk: OpenDesk) -> None:
    panel = desk.window.parts.search_panel
    desk.window.actions_table["search"].trigger()
    QTest.keyClicks(panel.box, "Residual risk")
    desk.wait(lambda: panel.hits.count() == 1)
    assert "SOP-003-risk-management.md (SOPs)" in panel.hits.item(0).text()
    with desk.qtbot.waitSignal(desk.window.parts.source_panel.shown):
        QTest.keyClick(panel.box, Qt.Key.Key_Return)
        QTest.keyClick(panel.hits, Qt.Key.Key_Return)
    assert marked_in(desk.window.parts.source_panel).startswith("Residual risk")


def test_a_click_on_a_prompt_behind_a_file_loads_the_prompt(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    desk.wait(lambda: panel.model.item_of_file(DEVICE) is not None)
    desk.window.resize(1000, 420)
    prompts = desk.window.parts.prompt_panel
    prompts.choose("")
    panel.details.line.fold(False)
    panel.select_file(DEVICE)
    # The card is whole and laid out: what comes later moves the lines below the pointer.
    (card,) = panel.details.findChildren(QTextEdit)
    desk.wait(lambda: card.isVisible() and panel.record_without_details() is None)
    desk.qtbot.wait(80)
    panel.tree.scrollToBottom()
    line = next(
        panel.model.index(row, 0, group)
        for at in range(panel.model.rowCount())
        if str((group := panel.model.index(at, 0)).data()) == "Prompts"
        for row in range(panel.model.rowCount(group))
    )
    panel.tree.scrollTo(line, panel.tree.ScrollHint.PositionAtTop)
    spot = panel.tree.visualRect(line).center()
    QTest.mousePress(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    # The event loop runs between press and release, as under a hand.
    desk.qtbot.wait(80)
    assert card.isVisible()
    QTest.mouseRelease(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert prompts.prompt_file == PROMPT_FILE
    assert prompts.prompt_text
    desk.wait(lambda: not card.isVisible())


def test_the_card_follows_after_a_menu_took_the_release_of_the_right_button(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    desk.wait(lambda: panel.model.item_of_file(DEVICE) is not None)
    QTest.mousePress(panel.tree.viewport(), Qt.MouseButton.RightButton)
    panel.select_file(DEVICE)
    desk.wait(lambda: bool(panel.details.text()))


def test_what_an_earlier_version_read_is_read_anew_for_minutes_only_when_asked(
    desk: OpenDesk,
) -> None:
    bar, synced = desk.window.parts.message_bar, desk.window.keeper.synced
    report = SyncReport(1_204, 0, 0, 0, False, 3.1, outdated=1_204, outdated_s=700.0)
    synced.emit(report)
    desk.wait(lambda: bar.message == report.asks)
    assert "1,204" in bar.message
    assert "about 12 minutes" in bar.message
    assert not desk.session.renews
    bar.hide()
    # A sync follows whenever a file is saved: it was asked, and is not asked each time.
    synced.emit(report)
    assert not bar.message
    desk.window.actions_table["sync"].trigger()
    desk.wait(lambda: desk.session.renews)

"""Nothing is lost: autosave, restart, another project, a full disk, export."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from phasergun_desktop.drafts.export import ExportFormat
from phasergun_desktop.ui.dialogs.open_problems_dialog import OpenProblemsDialog
from phasergun_desktop.ui.dialogs.salvage_dialog import SalvageDialog
from phasergun_desktop.ui.editor.marks import find_marks
from phasergun_desktop.workspace.work_salvage import Salvage, Saved, SavedDraft
from tests.fakes.marked_passage import marked_in
from tests.fakes.ui_session import PROMPT_FILE, FakeSession
from tests.fakes.ui_workspace import FakeWorkspace
from tests.ui.conftest import OpenDesk


def test_a_draft_is_saved_while_it_grows(desk: OpenDesk) -> None:
    desk.begin_generation()
    desk.wait(lambda: desk.session.drafts.saves > 0)
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert kept.status == "writing"
    assert [unit.text for unit in kept.units][:1] == ["Device Description"]
    desk.window.draft_flow.generation.stop()
    desk.wait(lambda: not desk.window.draft_flow.generation.is_running)


def test_edits_and_marks_are_back_after_a_restart(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    mark = find_marks(editor.document())[0]
    editor.move_cursor(mark.end)
    with desk.qtbot.waitSignal(editor.marks_changed):
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
    QTest.keyClicks(editor, " Edited by hand.")
    text = desk.text()
    saves = desk.session.drafts.saves
    desk.wait(lambda: desk.session.drafts.saves > saves)
    # Closed within the second: the last words are kept as well.
    QTest.keyClicks(editor, " Last.")
    desk.window.close()
    assert desk.session.is_closed
    assert desk.workspace.is_closed

    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: "Edited by hand" in again.text())
    assert again.text() == text.replace("Edited by hand.", "Edited by hand. Last.")
    status = again.window.parts.status_bar.work_label.text()
    assert status == "Your last draft is open again"
    # The marks still lead to their passages, in their new order.
    panel = again.window.parts.source_panel
    for _number, key, note in again.window.parts.draft_panel.text.footnotes():
        with again.qtbot.waitSignal(panel.shown):
            again.window.source_flow.open_footnote(key)
        assert marked_in(panel) == note.quote


def test_the_next_start_says_that_writing_was_stopped(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.begin_generation()
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: "amperometrically" in again.text())
    assert again.window.parts.status_bar.work_label.text() == (
        "Your last draft is open again; its writing was stopped"
    )


def test_what_was_being_written_at_the_closing_is_back(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.begin_generation()
    before = desk.text().split("still")[0].strip()
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: again.text() != "")
    assert again.text().startswith(before)
    assert len(again.text()) > len(before) + 20


def test_an_empty_draft_is_not_opened_at_the_start(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.generate()
    desk.window.actions_table["undo"].trigger()
    desk.window.close()
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert not kept.units
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    tabs = again.window.parts.draft_tabs
    again.wait(lambda: kept.draft_id in tabs.draft_ids)
    again.wait(lambda: not again.window.runners.interactive.is_busy)
    assert again.window.parts.draft_panel.draft is None
    assert again.window.parts.status_bar.work_label.text() == ""


def test_an_unedited_draft_is_back_as_it_was_written(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.generate()
    text = desk.text()
    desk.window.close()
    again = open_desk(workspace=desk.workspace)
    again.wait(lambda: again.text() != "")
    assert again.text() == text
    assert not again.window.parts.draft_panel.editor.document().isUndoAvailable()


def test_own_words_become_a_draft(desk: OpenDesk) -> None:
    QTest.keyClicks(desk.window.parts.draft_panel.editor, "Only mine")
    desk.wait(lambda: desk.session.drafts.saves > 0)
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert [unit.text for unit in kept.units] == ["Only mine"]


def test_generating_again_keeps_the_draft_before(desk: OpenDesk) -> None:
    desk.generate()
    first = desk.window.parts.draft_panel.draft
    desk.generate()
    second = desk.window.parts.draft_panel.draft
    assert first is not None
    assert second is not None
    assert first.draft_id != second.draft_id
    assert {one.draft_id for one in desk.session.drafts.list()} == {
        first.draft_id,
        second.draft_id,
    }
    desk.window.draft_flow.shelf.open_draft(first.draft_id)
    desk.wait(
        lambda: (
            (opened := desk.window.parts.draft_panel.draft) is not None
            and opened.draft_id == first.draft_id
        )
    )


def test_a_full_disk_is_told_and_the_text_stays(open_desk: Callable[..., OpenDesk]) -> None:
    def fill(session: FakeSession) -> None:
        session.drafts.fails = True

    desk = open_desk(prepare=fill)
    QTest.keyClicks(desk.window.parts.draft_panel.editor, "Mine")
    desk.wait(lambda: "Disk full" in desk.window.parts.message_bar.message)
    assert desk.text() == "Mine"
    assert desk.window.draft_flow.autosave.is_dirty
    desk.session.drafts.fails = False


def test_leaving_a_project_while_writing_keeps_both_clean(
    open_desk: Callable[..., OpenDesk], tmp_path: Path
) -> None:
    first, second = tmp_path / "glucose", tmp_path / "other"
    first.mkdir()
    workspace = FakeWorkspace(first, second)
    gate = threading.Event()
    workspace.sessions[first].gate = gate
    desk = open_desk(workspace=workspace)
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    panel.generate_button.click()
    desk.wait(lambda: "still" in desk.text())
    desk.window.keeper.show(second)
    desk.wait(lambda: desk.window.keeper.session is workspace.sessions[second])
    gate.set()
    assert desk.text() == ""
    desk.wait(
        lambda: (
            (kept := workspace.sessions[first].drafts.latest()) is not None
            and kept.status == "cancelled"
        )
    )
    assert workspace.sessions[second].drafts.latest() is None


def test_export_writes_what_is_on_the_desk(desk: OpenDesk, tmp_path: Path) -> None:
    desk.generate()
    QTest.keyClicks(desk.window.parts.draft_panel.editor, "Added. ")
    path = tmp_path / "draft.md"
    desk.window.draft_flow.shelf.export_to(path)
    desk.wait(lambda: "Exported" in desk.window.parts.status_bar.work_label.text())
    text = path.read_text("utf-8")
    assert "Added." in text
    assert "amperometrically" in text
    word = tmp_path / "draft.docx"
    desk.window.draft_flow.shelf.export_to(word)
    desk.wait(word.is_file)


def test_a_failed_export_says_so(desk: OpenDesk, tmp_path: Path) -> None:
    desk.generate()
    desk.window.draft_flow.shelf.export_to(tmp_path / "absent" / "draft.odt")
    desk.wait(lambda: "Unknown format" in desk.window.parts.message_bar.message)
    assert desk.window.parts.status_bar.work_label.text() == "Nothing was exported"


def test_an_opened_draft_shows_which_prompt_it_is_of(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    # The command line keeps the bare name of the prompt.
    panel.set_text("broken.md", "Describe the meter as it was then.")
    assert panel.prompt_file == "Context/Prompt/broken.md"
    assert panel.prompt_text == "Describe the meter as it was then."
    panel.set_text("elsewhere.md", "Describe something else.")
    assert panel.prompt_file == ""
    assert panel.picker.currentText() == "New prompt"


def test_a_draft_that_is_opened_before_the_prompts_are_listed(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    panel.show_prompts(())
    panel.set_text(PROMPT_FILE, "Describe the meter as it was then.")
    assert panel.prompt_file == ""
    panel.show_prompts(desk.session.prompts())
    assert panel.prompt_file == PROMPT_FILE
    assert panel.prompt_text == "Describe the meter as it was then."
    assert panel.is_changed()


def test_an_untouched_prompt_follows_its_file(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    first, second = desk.session.prompts()
    panel.show_prompts((replace(first, text="Describe it anew."), second))
    assert panel.prompt_text == "Describe it anew."
    panel.editor.setPlainText("My own words.")
    panel.show_prompts((first, second))
    assert panel.prompt_text == "My own words."


def test_closing_lets_go_even_where_the_last_save_fails(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_draft: object) -> None:
        raise ZeroDivisionError("a bug")

    desk.generate()
    monkeypatch.setattr(desk.session.drafts, "save", fail)
    QTest.keyClicks(desk.window.parts.draft_panel.editor, "More. ")
    with pytest.raises(ZeroDivisionError):
        desk.window.close()
    assert desk.session.is_closed
    assert desk.workspace.is_closed


# A name for the export -----------------------------------------------------------------------


@pytest.fixture
def exported(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are written for a draft on the desk."""
    desk.generate()
    made: list[Path] = []
    monkeypatch.setattr(desk.window.draft_flow.shelf, "export_to", made.append)
    return made


def test_the_dialog_knows_the_ending(desk: OpenDesk, exported: list[Path], tmp_path: Path) -> None:
    desk.window.actions_table["export-word"].trigger()
    # It has open problems.
    desk.window.findChildren(OpenProblemsDialog)[0].export_button.click()
    dialog = desk.window.findChildren(QFileDialog)[0]
    assert dialog.defaultSuffix() == "docx"
    dialog.fileSelected.emit(str(tmp_path / "Device.docx"))
    dialog.reject()
    assert exported == [tmp_path / "Device.docx"]


def test_a_dot_in_the_name_is_no_ending(
    desk: OpenDesk, exported: list[Path], tmp_path: Path
) -> None:
    shelf = desk.window.draft_flow.shelf
    shelf.export_as(tmp_path / "Device v1.2", ExportFormat.WORD)
    assert exported == [tmp_path / "Device v1.2.docx"]


@pytest.mark.parametrize("answer", ["Replace", "Cancel"])
def test_a_file_that_the_dialog_did_not_see_is_asked_about(
    desk: OpenDesk, exported: list[Path], tmp_path: Path, answer: str
) -> None:
    (tmp_path / "Device v1.2.docx").touch()
    desk.window.draft_flow.shelf.export_as(tmp_path / "Device v1.2", ExportFormat.WORD)
    assert exported == []
    question = desk.window.findChildren(QMessageBox)[0]
    assert "Device v1.2.docx" in question.text()
    next(one for one in question.buttons() if answer in one.text()).click()
    assert exported == ([tmp_path / "Device v1.2.docx"] if answer == "Replace" else [])


def test_an_opened_draft_stands_beside_its_own_prompt(desk: OpenDesk) -> None:
    desk.generate()
    made = desk.window.parts.draft_panel.draft
    assert made is not None
    prompt = desk.window.parts.prompt_panel
    own = prompt.prompt_text
    prompt.choose("")
    prompt.editor.setFocus()
    QTest.keyClicks(prompt.editor, "Another prompt, not saved.")
    desk.window.draft_flow.shelf.show_draft(made)
    assert (prompt.prompt_file, prompt.prompt_text) == (made.prompt_file, own)
    # What was typed is with its prompt still.
    prompt.choose("")
    assert prompt.prompt_text == "Another prompt, not saved."
    # An edited form of the draft's own prompt is the writer's newer wish.
    prompt.choose(made.prompt_file)
    QTest.keyClicks(prompt.editor, "Longer. ")
    desk.window.draft_flow.shelf.show_draft(made)
    assert prompt.prompt_text.startswith("Longer. ")


def test_what_was_saved_of_damaged_drafts_is_listed_with_what_to_look_at_first(
    open_desk: Callable[..., OpenDesk],
) -> None:
    saved = (
        SavedDraft("Performance", Saved.WHOLE, "2026-01-03T00:00:00+00:00"),
        SavedDraft("Alarms", Saved.EARLIER, "2026-01-02T00:00:00+00:00"),
        SavedDraft("", Saved.LOST),
    )

    def damage(session: FakeSession) -> None:
        session.salvage = Salvage(saved, "work.db.damaged-1")

    desk = open_desk(prepare=damage)
    desk.wait(lambda: desk.window.findChild(SalvageDialog) is not None)
    dialog = desk.window.findChild(SalvageDialog)
    assert dialog is not None
    lines = [dialog.tree.topLevelItem(row) for row in range(dialog.tree.topLevelItemCount())]
    found = [[line.text(column) for column in (0, 1)] for line in lines if line is not None]
    assert found == [
        ["(without a title)", "Lost"],
        ["Alarms", "An earlier form; later changes are lost"],
        ["Performance", "Whole"],
    ]
    assert "work.db.damaged-1" in dialog.label.text()

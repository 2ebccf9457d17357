"""The way to Word: what is open is listed before an export, and what is copied has footnotes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import docx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from phasergun_desktop.drafts.export import file_stem
from phasergun_desktop.ui.dialogs.open_problems_dialog import OpenProblemsDialog
from phasergun_desktop.ui.editor.draft_clipboard import RTF_TYPE
from phasergun_desktop.ui.editor.marks import find_marks
from tests.ui.conftest import OpenDesk


def _dialog(desk: OpenDesk) -> OpenProblemsDialog:
    desk.window.actions_table["export-word"].trigger()
    desk.wait(lambda: bool(desk.window.findChildren(OpenProblemsDialog)))
    return desk.window.findChildren(OpenProblemsDialog)[0]


def _file_dialogs(desk: OpenDesk) -> list[QFileDialog]:
    return desk.window.findChildren(QFileDialog)


def test_open_problems_are_listed_and_do_not_block(desk: OpenDesk, tmp_path: Path) -> None:
    desk.generate()
    dialog = _dialog(desk)
    panel = desk.window.parts.problems_panel
    shown = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert len(shown) == panel.total > 0
    assert shown == [panel.list.item(row).text() for row in range(panel.total)]
    assert any("7 s does not occur" in line for line in shown)
    # The desk works on beside it.
    assert not dialog.isModal()
    assert not _file_dialogs(desk)
    dialog.export_button.click()
    (files,) = _file_dialogs(desk)
    path = tmp_path / "Device.docx"
    files.fileSelected.emit(str(path))
    files.reject()
    desk.wait(path.is_file)
    comments = [one.text for one in docx.Document(str(path)).comments]
    assert any("7 s does not occur" in one for one in comments)


def test_the_first_problem_is_a_click_away(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(editor.document().characterCount() - 1)
    _dialog(desk).first_button.click()
    assert editor.textCursor().selectedText().startswith("The predicate device uses test strips")
    assert not _file_dialogs(desk)


def test_cancel_exports_nothing(desk: OpenDesk) -> None:
    desk.generate()
    _dialog(desk).reject()
    assert not _file_dialogs(desk)


def test_a_draft_in_order_is_exported_at_once(desk: OpenDesk) -> None:
    desk.generate()
    actions = desk.window.actions_table
    actions["keep-supported"].trigger()
    editor = desk.window.parts.draft_panel.editor
    while desk.window.parts.draft_panel.sentences:
        actions["next-problem"].trigger()
        editor.textCursor().removeSelectedText()
        desk.window.parts.draft_panel.refresh()
    for one in desk.window.parts.problems_panel.open_problems():
        discrepancy = one.data(Qt.ItemDataRole.UserRole)
        desk.window.discrepancy_flow.settle(discrepancy, "The record holds.")
    assert desk.window.parts.problems_panel.total == 0
    actions["export-word"].trigger()
    (files,) = _file_dialogs(desk)
    assert not desk.window.findChildren(OpenProblemsDialog)
    files.reject()


@pytest.mark.parametrize(
    ("trouble", "said"),
    [(errno.ENOSPC, "no room left"), (errno.EACCES, "open in Word")],
)
def test_a_file_that_cannot_be_written_stays_and_the_remedy_is_said(
    desk: OpenDesk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    trouble: int,
    said: str,
) -> None:
    desk.generate()
    path = tmp_path / "Device.docx"
    path.write_text("open in Word")

    def refuse(_source: object, _target: object) -> None:
        raise OSError(trouble, os.strerror(trouble))

    monkeypatch.setattr(os, "replace", refuse)
    desk.window.draft_flow.shelf.export_to(path)
    desk.wait(lambda: said in desk.window.parts.message_bar.message)
    monkeypatch.undo()
    assert path.read_text() == "open in Word"
    assert [one.name for one in tmp_path.glob("*.docx*")] == ["Device.docx"]
    assert desk.window.parts.status_bar.work_label.text() == "Nothing was exported"


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Device: v1.2 / b", "Device v12 b"),
        ("???", "Draft"),
        ("con", "Draft con"),
        ("מכשיר", "מכשיר"),
        ("a" * 300, "a" * 80),
    ],
)
def test_a_title_makes_a_name_that_every_system_takes(title: str, stem: str) -> None:
    assert file_stem(title) == stem


def test_what_is_copied_has_the_footnotes_of_its_marks_for_word_processors(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    marks = find_marks(editor.document())
    editor.selectAll()
    editor.copy()
    copied = QApplication.clipboard().mimeData()
    assert copied.html().count('class="sdfootnoteanc"') == len(marks)
    assert bytes(copied.data(RTF_TYPE).data()).count(b"{\\footnote") == len(marks)
    assert "<h2>" in copied.html()
    assert "<table" in copied.html()
    # Words in front of the first mark carry none.
    editor.move_cursor(marks[0].start, anchor=marks[0].start - 5)
    editor.copy()
    copied = QApplication.clipboard().mimeData()
    assert "footnote" not in copied.html()
    assert b"{\\footnote" not in bytes(copied.data(RTF_TYPE).data())

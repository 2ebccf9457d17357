"""The prompt and its evidence fold to a line for the draft, and unfold when they are wanted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionToolButton
from pytestqt.qtbot import QtBot

from phasergun_desktop.ui.fold_line import FoldLine
from tests.ui.conftest import OpenDesk


def _share(desk: OpenDesk) -> float:
    desk.qtbot.wait(20)
    return float(desk.window.parts.draft_panel.editor.height() / desk.window.height())


def test_the_draft_has_most_of_the_height(desk: OpenDesk) -> None:
    panel, sheet = desk.window.parts.prompt_panel, desk.window.sheet
    assert panel.isVisible()
    assert desk.window.actions_table["show-plan"].isChecked()
    desk.generate()
    assert (desk.window.width(), desk.window.height()) == (1280, 720)
    assert panel.isHidden()
    assert not desk.window.actions_table["show-plan"].isChecked()
    assert _share(desk) >= 0.6
    assert panel.picker.currentText() in sheet.line.text()
    assert "passages" in sheet.line.text()


def test_it_unfolds_by_mouse_by_key_and_for_the_next_prompt(desk: OpenDesk) -> None:
    panel, sheet = desk.window.parts.prompt_panel, desk.window.sheet
    desk.generate()
    QTest.mouseClick(sheet.line, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert desk.window.actions_table["show-plan"].isChecked()
    desk.window.actions_table["show-plan"].trigger()
    assert panel.isHidden()
    desk.window.actions_table["go-plan"].trigger()
    assert panel.isVisible()
    desk.generate()
    assert panel.isHidden()
    desk.window.draft_flow.shelf.new_draft()
    assert panel.isVisible()


def test_the_line_says_when_the_prompt_is_not_what_its_file_has(desk: OpenDesk) -> None:
    panel, sheet = desk.window.parts.prompt_panel, desk.window.sheet
    desk.generate()
    assert "changed" not in sheet.line.text()
    sheet.unfold()
    panel.editor.setPlainText("State the charging time.")
    desk.generate()
    # Behind the name, which is seen where the line is too long.
    assert f"“{panel.picker.currentText()}”, changed · " in sheet.line.text()


def test_a_line_that_is_too_long_loses_its_end(qtbot: QtBot) -> None:
    line = FoldLine("Conversation")
    qtbot.addWidget(line)
    line.say("How hot may the surface become?")
    line.resize(200, 24)
    option = QStyleOptionToolButton()
    line.initStyleOption(option)
    assert option.text.startswith(" Conversation: How")
    assert option.text.endswith("…")
    line.resize(600, 24)
    line.initStyleOption(option)
    assert option.text == line.text()


def test_where_the_border_is_dragged_it_stays(desk: OpenDesk) -> None:
    splitter, sheet = desk.window.sheet.splitter, desk.window.sheet
    desk.generate()
    sheet.unfold()
    splitter.moveSplitter(250, 1)
    wanted = splitter.sizes()
    sheet.line.fold(True)
    sheet.unfold()
    assert splitter.sizes() == wanted


def test_the_list_of_sources_is_a_line_until_it_is_wanted(desk: OpenDesk) -> None:
    draft = desk.window.parts.draft_panel
    assert draft.footnotes_box.isHidden()
    desk.generate()
    assert draft.footnotes_box.list.isHidden()
    assert f": {draft.footnotes_box.list.count()}" in draft.footnotes_box.line.text()
    desk.window.actions_table["go-footnotes"].trigger()
    assert draft.footnotes_box.list.isVisible()
    assert draft.footnotes_box.list.height() > 40


def test_focus_leaves_nothing_but_the_draft(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.sheet.unfold()
    desk.window.actions_table["focus-mode"].trigger()
    assert desk.window.parts.prompt_panel.isHidden()
    assert desk.window.sheet.line.isHidden()
    desk.window.actions_table["focus-mode"].trigger()
    assert desk.window.sheet.line.isVisible()


def test_a_name_with_an_ampersand_is_shown_with_it(qtbot: QtBot) -> None:
    line = FoldLine("Prompt")
    qtbot.addWidget(line)
    line.say("“R&D plan”")
    # One alone would underline the letter behind it.
    assert line.text() == " Prompt: “R&&D plan”"
    assert line.accessibleName() == "Prompt: “R&D plan”"

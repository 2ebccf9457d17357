"""Names are offered while a prompt is typed; references are chips; a remedy is a click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from phasergun_desktop.references.completion import Completion
from phasergun_desktop.ui.generate.evidence_rows import Replacement
from phasergun_desktop.ui.generate.prompt_chips import Chip, MarkState, chip_rects
from phasergun_desktop.ui.generate.prompt_editor import PromptEditor
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_session import BROKEN_PROMPT
from tests.ui.conftest import OpenDesk

BROKEN_FILE = "Context/Prompt/broken.md"
ABSENT = "[Context|Initiation|Absent.docx]"
PRESENT = "[Context|Initiation|Device-Description.docx]"


@pytest.fixture
def editor(desk: OpenDesk) -> PromptEditor:
    """The field of a new prompt, with the keyboard in it."""
    editor = desk.window.parts.prompt_panel.editor
    desk.wait(lambda: bool(editor.names.scopes))
    desk.window.parts.prompt_panel.choose("")
    editor.setFocus()
    desk.wait(editor.hasFocus)
    return editor


def _keyboard(editor: PromptEditor) -> QWidget:
    """What gets the keys: the list while it is in view."""
    view = editor.popup.popup()
    return view if view is not None and view.isVisible() else editor


def _is_open(editor: PromptEditor) -> bool:
    return editor.popup.is_open


def _type(editor: PromptEditor, text: str) -> None:
    """Type as the keyboard does: the list in view gets the keys first."""
    for letter in text:
        QTest.keyClicks(_keyboard(editor), letter)


def _press(editor: PromptEditor, key: Qt.Key) -> None:
    QTest.keyClick(_keyboard(editor), key)


def _offered(editor: PromptEditor) -> list[str]:
    names = editor.popup.model()
    return [names.index(row, 0).data() for row in range(names.rowCount())]


def _broken(desk: OpenDesk) -> PromptEditor:
    panel = desk.window.parts.prompt_panel
    panel.choose(BROKEN_FILE)
    desk.wait(lambda: any(chip.mark.problems for chip in panel.editor.chips))
    return panel.editor


def _chip(editor: PromptEditor, words: str) -> Chip:
    return next(chip for chip in editor.chips if chip.words == words)


def _menu_at(editor: PromptEditor, where: QPoint) -> QMenu:
    reason = QContextMenuEvent.Reason.Mouse
    place = editor.viewport().mapToGlobal(where)
    QApplication.sendEvent(editor.viewport(), QContextMenuEvent(reason, where, place))
    menus = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu)]
    (menu,) = [one for one in menus if one.isVisible()]
    return menu


# Names that are offered ---------------------------------------------------------------------


def test_a_name_with_joined_accents_takes_nothing_before_it(editor: PromptEditor) -> None:
    editor.insertPlainText("Keep this [Cone\u0301\u0301")
    editor._take(Completion("Context", "", "[Context|", 7))
    assert editor.toPlainText() == "Keep this [Context|"


def test_a_reference_is_written_with_a_few_keys(desk: OpenDesk, editor: PromptEditor) -> None:
    editor.insertPlainText("Describe it 😀")
    _type(editor, " with [")
    assert _offered(editor) == ["Procedure", "Master Record", "Context", "Bootstrap", "Doc"]
    _type(editor, "CON")
    assert _offered(editor)[0] == "Context"
    _press(editor, Qt.Key.Key_Return)
    desk.wait(lambda: editor.popup.is_open)
    assert _offered(editor) == ["Initiation", "Initiation|…"]
    _press(editor, Qt.Key.Key_Down)
    _press(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText().endswith("[Context|Initiation|")
    desk.wait(lambda: _offered(editor) == ["Device-Description.docx"])
    _type(editor, "script")
    _press(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == f"Describe it 😀 with {PRESENT}"
    assert not _is_open(editor)
    # Return is a new line again.
    _press(editor, Qt.Key.Key_Return)
    assert editor.toPlainText().endswith("]\n")


def test_a_scope_is_taken_with_the_mouse(editor: PromptEditor) -> None:
    _type(editor, "Use @ini")
    assert _is_open(editor)
    assert _offered(editor) == ["@initiation"]
    view = editor.popup.popup()
    assert view is not None
    rect = view.visualRect(editor.popup.completionModel().index(0, 0))
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, rect.center()
    )
    assert editor.toPlainText() == "Use @initiation"
    assert not _is_open(editor)
    editor.undo()
    assert editor.toPlainText() == "Use @ini"


def test_esc_closes_the_list_until_something_else_is_begun(editor: PromptEditor) -> None:
    _type(editor, "Use @i")
    assert _is_open(editor)
    _press(editor, Qt.Key.Key_Escape)
    assert not _is_open(editor)
    _type(editor, "n")
    assert not _is_open(editor)
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert _is_open(editor)
    _press(editor, Qt.Key.Key_Escape)
    _type(editor, " and @")
    assert _is_open(editor)
    assert _offered(editor) == ["@sops", "@initiation"]
    _press(editor, Qt.Key.Key_Escape)


def test_a_bracket_that_is_closed_already_is_not_closed_twice(editor: PromptEditor) -> None:
    _type(editor, "[]")
    editor.moveCursor(editor.textCursor().MoveOperation.Left)
    _type(editor, "name")
    _press(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "[Master Record|Device Name]"
    _type(editor, "!")
    assert editor.toPlainText().endswith("]!")


def test_nothing_is_offered_in_a_field_that_is_filled_by_the_desk(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: bool(panel.editor.names.scopes))
    panel.editor.replace_text("Use @")
    assert not panel.editor.popup.is_open


# Chips --------------------------------------------------------------------------------------


def test_references_are_chips_that_move_with_their_words(desk: OpenDesk) -> None:
    editor = desk.window.parts.prompt_panel.editor
    desk.wait(lambda: bool(editor.chips))
    chip = _chip(editor, "[Master Record|Device Name]")
    assert chip.mark.state is MarkState.FOUND
    (before,) = chip_rects(editor, chip)
    QTest.keyClicks(editor, "Now ")
    (after,) = chip_rects(editor, chip)
    assert after.left() > before.left()
    cursor = editor.textCursor()
    cursor.setPosition(chip.span[1])
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "!")
    assert chip in editor.chips
    cursor.setPosition(chip.span[0] + 3)
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "x")
    assert chip not in editor.chips


def test_a_chip_says_what_it_stands_for(desk: OpenDesk) -> None:
    editor = desk.window.parts.prompt_panel.editor
    desk.wait(lambda: bool(editor.chips))
    (rect,) = chip_rects(editor, _chip(editor, "[Master Record|Device Name]"))
    where = rect.center()
    QApplication.sendEvent(
        editor.viewport(),
        QHelpEvent(QHelpEvent.Type.ToolTip, where, editor.viewport().mapToGlobal(where)),
    )
    desk.wait(lambda: "α-Sense" in QToolTip.text())
    assert "Context/Initiation/Device-Description.docx" in QToolTip.text()
    QToolTip.hideText()


def test_a_chip_opens_its_document(desk: OpenDesk) -> None:
    editor = desk.window.parts.prompt_panel.editor
    desk.wait(lambda: bool(editor.chips))
    (rect,) = chip_rects(editor, _chip(editor, "[Master Record|Device Name]"))
    menu = _menu_at(editor, rect.center())
    action = menu.actions()[0]
    assert action.text() == "Open Device-Description.docx"
    action.trigger()
    menu.close()
    target = desk.window.parts.source_panel
    desk.wait(lambda: target.target is not None and target.target.file == DEVICE)


def test_chips_differ_by_more_than_colour(desk: OpenDesk) -> None:
    editor = _broken(desk)
    chip = _chip(editor, ABSENT)
    assert chip.mark.state is MarkState.WRONG
    (selection,) = editor.extraSelections()
    look = selection.format
    assert look.underlineStyle() is look.UnderlineStyle.WaveUnderline
    assert "Absent.docx is not in Initiation." in chip.mark.tip()
    (rect,) = chip_rects(editor, chip)
    image = editor.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    inside, beside = (
        image.pixelColor(int(x * ratio), int((rect.top() + 2) * ratio))
        for x in (rect.left() + 3, rect.left() - 2)
    )
    assert inside != beside


# Remedies -----------------------------------------------------------------------------------


def test_a_remedy_is_a_click_on_the_board(desk: OpenDesk) -> None:
    editor = _broken(desk)
    panel = desk.window.parts.prompt_panel
    tree = panel.board.tree
    rows = [row for top in tree._rows for row in top.rows]
    (row,) = [one for one in rows if isinstance(one.leads_to, Replacement)]
    assert row.text == f"Use {PRESENT}"
    item = tree.item_of(row.key)
    assert item is not None
    planned = desk.session.planned
    tree.scrollToItem(item)
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        tree.visualItemRect(item).center(),
    )  # fmt: skip
    assert editor.toPlainText() == BROKEN_PROMPT.replace(ABSENT, PRESENT)
    desk.wait(lambda: desk.session.planned > planned and panel.plan is not None)
    assert panel.why_not() == ""
    editor.undo()
    assert editor.toPlainText() == BROKEN_PROMPT


def test_a_remedy_of_a_plan_that_is_old_does_nothing(desk: OpenDesk) -> None:
    editor = _broken(desk)
    panel = desk.window.parts.prompt_panel
    assert panel.plan is not None
    (problem,) = panel.plan.problems
    cursor = editor.textCursor()
    cursor.setPosition(_chip(editor, ABSENT).span[0] + 4)
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "x")
    text = editor.toPlainText()
    panel.board.replacement_wanted.emit(problem, PRESENT)
    assert editor.toPlainText() == text


def test_a_remedy_is_in_the_menu_and_under_a_key(desk: OpenDesk) -> None:
    editor = _broken(desk)
    editor.setFocus()
    desk.window.actions_table["fixes"].trigger()
    (menu,) = [one for one in editor.findChildren(QMenu) if one.isVisible()]
    assert [one.text() for one in menu.actions()] == [f"Use {PRESENT}"]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    (rect,) = chip_rects(editor, _chip(editor, ABSENT))
    menu = _menu_at(editor, rect.center())
    assert menu.actions()[0].text() == f"Use {PRESENT}"
    menu.actions()[0].trigger()
    menu.close()
    assert PRESENT in editor.toPlainText()
    # Nothing is wrong now.
    desk.wait(lambda: not any(chip.mark.problems for chip in editor.chips))
    desk.window.actions_table["fixes"].trigger()
    assert (
        desk.window.parts.status_bar.work_label.text() == "Nothing that exists is near to this name"
    )

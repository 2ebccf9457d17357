"""Category, kind, tags and confidentiality of the files are chosen or typed in a list."""

from __future__ import annotations

import threading

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMessageBox

from phasergun_desktop.projects.categories import CategoryEntry, parse_categories
from phasergun_desktop.ui.dialogs.categories_dialog import (
    CATEGORY,
    FILE,
    KIND,
    LABEL,
    TAGS,
    CategoriesDialog,
)
from tests.fakes.ui_documents import DEVICE
from tests.ui.conftest import OpenDesk

TEXT = """# Ours
documents:
  Context/Ongoing/gone.md: {kind: plan, owner: Anna}   # kept
  Context/Predicates/K233058.md:
    # why
    kind: plan
"""
SOP = "Procedures/SOPs/SOP-015-change-control.pdf"


def _open(desk: OpenDesk, file: str = "", text: str = TEXT) -> CategoriesDialog:
    desk.session.categories_text = text
    panel = desk.window.parts.project_panel
    desk.wait(lambda: panel.model.item_of_file(SOP) is not None)
    if file:
        panel.select_file(file)
    desk.window.actions_table["categories"].trigger()
    desk.wait(lambda: any(d.isVisible() for d in desk.window.findChildren(CategoriesDialog)))
    return next(d for d in desk.window.findChildren(CategoriesDialog) if d.isVisible())


def _row(dialog: CategoriesDialog, file: str) -> int:
    found = dialog.table.findItems(file, Qt.MatchFlag.MatchExactly)
    assert len(found) == 1, file
    return found[0].row()


def _text(dialog: CategoriesDialog, file: str, column: int) -> str:
    item = dialog.table.item(_row(dialog, file), column)
    assert item is not None
    return item.text()


def _set(dialog: CategoriesDialog, file: str, column: int, text: str) -> None:
    item = dialog.table.item(_row(dialog, file), column)
    assert item is not None
    item.setText(text)


def test_an_entry_is_chosen_and_typed_and_the_rest_of_the_file_stays(desk: OpenDesk) -> None:
    dialog = _open(desk, SOP)
    table = dialog.table
    assert not dialog.save_button.isEnabled()
    # The file that was selected in the tree is where the keyboard is.
    assert (table.currentRow(), table.currentColumn()) == (_row(dialog, SOP), CATEGORY)
    QTest.keyClick(table, Qt.Key.Key_F2)
    box = next(one for one in table.findChildren(QComboBox) if one.isVisible())
    assert "change_control" in [box.itemText(row) for row in range(box.count())]
    line = box.lineEdit()
    assert line is not None
    QTest.keyClicks(line, "Change Control")
    QTest.keyClick(line, Qt.Key.Key_Return)
    # (The list takes it in a moment later.)
    desk.wait(lambda: _text(dialog, SOP, CATEGORY) == "Change Control")
    table.setCurrentCell(_row(dialog, SOP), TAGS)
    QTest.keyClick(table, Qt.Key.Key_F2)
    typed = next(
        one
        for one in table.findChildren(QLineEdit)
        if one.isVisible() and not isinstance(one.parent(), QComboBox)
    )
    QTest.keyClicks(typed, "one, two")
    QTest.keyClick(typed, Qt.Key.Key_Return)
    desk.wait(lambda: _text(dialog, SOP, TAGS) == "one, two")
    _set(dialog, SOP, LABEL, "confidential")
    assert dialog.outcome.text() == "Comments and other keys of categories.yaml stay as they are."
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert desk.session.categories_text == TEXT
    syncs = desk.session.syncs
    with desk.qtbot.waitSignal(dialog.finished):
        QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    saved = desk.session.categories_text
    assert saved.startswith(TEXT)
    assert parse_categories(saved).entry(SOP) == CategoryEntry(
        "change_control", "", ("one", "two"), "confidential"
    )
    # The folder is read again.
    desk.wait(lambda: desk.session.syncs > syncs)


def test_what_would_be_lost_is_said_before_it_is_written(desk: OpenDesk) -> None:
    dialog = _open(desk)
    file = "Context/Predicates/K233058.md"
    _set(dialog, file, KIND, "report")
    assert dialog.outcome.text() == (
        f"This is lost when you save: The comments inside the entry of {file}."
    )
    _set(dialog, file, KIND, "plan")
    assert not dialog.save_button.isEnabled()
    dialog.reject()
    assert not dialog.isVisible()
    assert desk.session.categories_text == TEXT


def test_what_a_document_says_of_itself_is_shown_in_grey(desk: OpenDesk) -> None:
    dialog = _open(desk)
    item = dialog.table.item(_row(dialog, DEVICE), KIND)
    assert item is not None
    assert item.text() == ""
    index = dialog.table.model().index(item.row(), KIND)
    assert index.data(Qt.ItemDataRole.UserRole) == "report"
    assert dialog.changes() == {}
    gone = dialog.table.item(_row(dialog, "Context/Ongoing/gone.md"), FILE)
    assert gone is not None
    assert "Not in the folder any more" in gone.toolTip()


def test_the_files_are_filtered(desk: OpenDesk) -> None:
    dialog = _open(desk)
    QTest.keyClicks(dialog.filter, "SOP-015")
    rows = range(dialog.table.rowCount())
    shown = [row for row in rows if not dialog.table.isRowHidden(row)]
    assert shown == [_row(dialog, SOP)]


def test_mistakes_of_the_file_are_told_with_their_line(desk: OpenDesk) -> None:
    dialog = _open(desk, text="documents:\n  a.md: {categry: x}\n")
    assert "Line 2, column 10: “categry” is not known." in dialog.problems.text()
    _set(dialog, SOP, KIND, "procedure")
    assert dialog.save_button.isEnabled()
    dialog.done(0)
    broken = _open(desk, text="documents:\n  a.md: {category: x\n")
    assert "Line 3" in broken.problems.text()
    _set(broken, SOP, KIND, "procedure")
    assert not broken.save_button.isEnabled()
    assert "cannot be changed here" in broken.outcome.text()


def test_what_could_not_be_saved_stays_in_the_list(desk: OpenDesk) -> None:
    dialog = _open(desk)
    _set(dialog, SOP, KIND, "procedure")
    desk.session.categories_text = "other"
    dialog.save_button.click()
    desk.wait(lambda: "changed meanwhile" in dialog.outcome.text())
    assert dialog.isVisible()
    assert dialog.changes() == {SOP: CategoryEntry(kind="procedure")}
    # Closing asks.
    dialog.reject()
    assert dialog.isVisible()
    (question,) = dialog.findChildren(QMessageBox)
    question.button(QMessageBox.StandardButton.Discard).click()
    desk.wait(lambda: not dialog.isVisible())


def test_while_it_is_written_nothing_is_changed_and_nothing_is_left(desk: OpenDesk) -> None:
    dialog = _open(desk)
    _set(dialog, SOP, KIND, "procedure")
    gate = threading.Event()
    desk.window.runners.interactive.submit_call(lambda: gate.wait(10), must_run=True)
    dialog.save_button.click()
    assert not dialog.table.isEnabled()
    dialog.reject()
    assert dialog.isVisible()
    assert dialog.findChildren(QMessageBox) == []
    syncs = desk.session.syncs
    gate.set()
    # It is closed, and the folder is read again.
    desk.wait(lambda: not desk.window.findChildren(CategoriesDialog))
    desk.wait(lambda: desk.session.syncs > syncs)


def test_what_a_cell_cannot_show_is_no_change(desk: OpenDesk) -> None:
    entry = '{category: risk, tags: ["a, b"], confidentiality: "top  secret"}'
    dialog = _open(desk, text=f"documents:\n  {SOP}: {entry}\n")
    assert _text(dialog, SOP, TAGS) == "a, b"
    assert dialog.changes() == {}
    assert not dialog.save_button.isEnabled()


def test_labels_are_hidden_with_a_box(desk: OpenDesk) -> None:
    entry = f"  {SOP}: {{confidentiality: Top Secret}}\n"
    desk.session.reading.hidden = ("restricted",)
    dialog = _open(desk, text=f"documents:\n{entry}")
    assert list(dialog.hides) == ["public", "internal", "confidential", "restricted", "Top Secret"]
    assert dialog.hidden() == ("restricted",)
    assert not dialog.save_button.isEnabled()
    dialog.hides["Top Secret"].click()
    assert dialog.save_button.isEnabled()
    dialog.hides["restricted"].click()
    text, syncs = desk.session.categories_text, desk.session.syncs
    with desk.qtbot.waitSignal(dialog.finished):
        dialog.save_button.click()
    assert desk.session.reading.hidden == ("Top Secret",)
    assert desk.session.categories_text == text
    desk.wait(lambda: desk.session.syncs > syncs)
    again = _open(desk, text=text)
    assert again.hidden() == ("Top Secret",)
    again.reject()


def test_it_is_in_the_menu_of_a_file(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    names = [one.objectName() for one in panel.actions_for(None)]
    assert "categories" in names


def test_the_headers_are_whole_in_large_letters(desk: OpenDesk) -> None:
    usual = QApplication.font()
    large = QFont(usual)
    large.setPointSizeF(2 * usual.pointSizeF())
    QApplication.setFont(large)
    try:
        header = _open(desk).table.horizontalHeader()
        for column in (CATEGORY, KIND, TAGS, LABEL):
            assert header.sectionSize(column) >= header.sectionSizeHint(column)
    finally:
        QApplication.setFont(usual)

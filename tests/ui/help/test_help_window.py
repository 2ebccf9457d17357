"""Help in the real window: F1 opens the place where one is; pages, search, links and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.dialogs.about_dialog import AboutDialog
from phasergun_desktop.ui.dialogs.categories_dialog import KIND, CategoriesDialog
from phasergun_desktop.ui.dialogs.versions_dialog import VersionsDialog
from phasergun_desktop.ui.help.help_flow import ALSO
from phasergun_desktop.ui.help.help_places import DIALOGS, place_of
from phasergun_desktop.ui.help.manual_window import ManualWindow
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.window_actions import SEPARATOR, SPECS, plain
from tests.fakes.ui_documents import DEVICE
from tests.ui.conftest import OpenDesk

PLACES: list[tuple[Callable[[DeskParts], QWidget], tuple[str, str]]] = [
    (lambda parts: parts.project_panel.tree, ("projects", "")),
    (lambda parts: parts.prompt_panel.editor, ("prompts", "")),
    (lambda parts: parts.prompt_panel.template_picker, ("prompts", "templates")),
    (lambda parts: parts.prompt_panel.board.tree, ("evidence", "")),
    (lambda parts: parts.draft_panel.editor, ("draft", "")),
    (lambda parts: parts.search_panel.box, ("sources", "searching")),
    (lambda parts: parts.problems_panel.list, ("draft", "the-list-of-problems")),
    (lambda parts: parts.source_panel.views.text_view, ("sources", "")),
    (lambda parts: parts.ask_panel.transcript, ("asking", "")),
    (lambda parts: parts.ask_panel.composer.box, ("asking", "how-it-is-asked")),
    (lambda parts: parts.style_bar.styles, ("draft", "headings-lists-and-tables")),
]


def _press_f1(desk: OpenDesk) -> ManualWindow:
    desk.window.activateWindow()
    QTest.keyClick(desk.window, Qt.Key.Key_F1)
    window = desk.window.help_flow.window
    assert window is not None
    desk.wait(window.isVisible)
    return window


@pytest.mark.parametrize(("widget", "place"), PLACES, ids=[page + a for _w, (page, a) in PLACES])
def test_f1_opens_the_page_of_the_place(
    desk: OpenDesk, widget: Callable[[DeskParts], QWidget], place: tuple[str, str]
) -> None:
    with desk.qtbot.waitSignal(desk.window.parts.source_panel.shown):
        desk.window.source_flow.open_file(DEVICE)
    chosen = widget(desk.window.parts)
    for dock in desk.window.docks:
        if dock.isAncestorOf(chosen):
            dock.show()
            dock.raise_()
    desk.wait(chosen.isVisible)
    chosen.setFocus()
    desk.wait(chosen.hasFocus)
    assert _press_f1(desk).place == place


def test_f1_on_the_start_page_is_the_first_section(desk: OpenDesk) -> None:
    desk.window.keeper.forget(desk.session.project.root)
    desk.wait(desk.window.parts.start_page.isVisible)
    assert _press_f1(desk).place == ("first-section", "")


def test_f1_in_a_dialog_is_about_the_dialog(desk: OpenDesk) -> None:
    desk.window.actions_table["languages"].trigger()
    desk.wait(lambda: isinstance(QApplication.activeModalWidget(), QDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    dialog.activateWindow()
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    window = desk.window.help_flow.window
    assert window is not None
    assert window.place == ("projects", "scans")
    # It can be read while the dialog is open.
    assert QApplication.activeModalWidget() is dialog
    QTest.keyClicks(window.box, "scan")
    assert window.box.text() == "scan"
    dialog.reject()


def test_f1_in_a_dialog_beside_the_desk_or_on_another_one(desk: OpenDesk) -> None:
    desk.generate()
    flow = desk.window.help_flow

    def press_f1_in(kind: type[QDialog]) -> QDialog:
        desk.wait(lambda: any(one.isVisible() for one in desk.window.findChildren(kind)))
        dialog = next(one for one in desk.window.findChildren(kind) if one.isVisible())
        dialog.activateWindow()
        desk.wait(lambda: QApplication.activeWindow() is dialog)
        flow.close()
        QTest.keyClick(dialog, Qt.Key.Key_F1)
        assert flow.window is not None
        return dialog

    desk.window.actions_table["versions"].trigger()
    versions = press_f1_in(VersionsDialog)
    assert not versions.isModal()
    assert flow.window is not None
    assert flow.window.place == ("draft", "versions")
    versions.close()
    desk.window.actions_table["categories"].trigger()
    categories = press_f1_in(CategoriesDialog)
    assert isinstance(categories, CategoriesDialog)
    item = categories.table.item(0, KIND)
    assert item is not None
    item.setText("mine")
    categories.reject()
    question = press_f1_in(QMessageBox)
    assert question.parent() is categories
    assert flow.window.place == ("projects", "categories-and-confidentiality")
    question.reject()
    categories.done(0)


def test_bars_and_dialogs_have_their_places(desk: OpenDesk) -> None:
    parts = desk.window.parts
    assert place_of(parts.rewrite_bar.box) == ("draft", "rewriting-as-requested")
    assert place_of(parts.draft_tabs) == ("draft", "tabs")
    asked = {"CategoriesDialog", "SettingsDialog", "OpenProblemsDialog", "AboutDialog"}
    assert asked <= set(DIALOGS)
    assert ("Draft", "In the prompt: offer names", "Ctrl+Space") in ALSO


def test_the_window_goes_with_the_desk(desk: OpenDesk) -> None:
    desk.window.actions_table["contents"].trigger()
    assert desk.window.help_flow.window is not None
    desk.window.close()
    assert desk.window.help_flow.window is None


def test_keys_are_those_of_the_table(desk: OpenDesk) -> None:
    desk.window.actions_table["keys"].trigger()
    window = desk.window.help_flow.window
    assert window is not None
    text = window.view.toPlainText()
    for spec in SPECS:
        if spec.name != SEPARATOR:
            assert plain(spec.text) in text
            for keys in spec.keys:
                native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
                assert native in text, keys
    assert "Panel: Project" in text


def test_no_placeholder_is_left_and_keys_stand_in_the_text(desk: OpenDesk) -> None:
    flow = desk.window.help_flow
    flow.show_page("citing")
    window = flow.window
    assert window is not None
    for row in range(window.list.count()):
        window.list.setCurrentRow(row)
        window.list.itemClicked.emit(window.list.item(row))
        assert not re.search(r"\{\w+:", window.view.toPlainText())
    flow.show_page("citing")
    assert "Source › Cite for this sentence (Ctrl+Alt+F" in window.view.toPlainText()


def test_links_lead_on_and_back_leads_back(desk: OpenDesk) -> None:
    flow = desk.window.help_flow
    flow.show_page("draft")
    window = flow.window
    assert window is not None
    assert not window.back_button.isEnabled()
    window.view.anchorClicked.emit(QUrl("discrepancies.md#a-source-that-changed"))
    assert window.place == ("discrepancies", "a-source-that-changed")
    assert window.view.textCursor().block().text() == "A source that changed"
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.place == ("draft", "")
    assert window.list.currentItem().text() == "The draft and its marks"


def test_search_lists_places_and_marks_the_words(desk: OpenDesk) -> None:
    flow = desk.window.help_flow
    flow.show_page("index")
    window = flow.window
    assert window is not None
    QTest.keyClicks(window.box, "tesseract")
    assert window.found.text() == "1 place"
    QTest.keyClick(window.box, Qt.Key.Key_Return)
    assert window.place == ("projects", "scans")
    marked = [one.cursor.selectedText() for one in window.view.extraSelections()]
    assert [one.casefold() for one in marked] == ["tesseract"]
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.box.text() == ""
    assert window.list.count() > 10
    assert window.isVisible()
    window.search("quartz penguin")
    assert window.found.text() == "Nothing found"


def _has_width(window: ManualWindow, width: int) -> bool:
    return window.width() == width


def test_only_pictures_of_the_manual_are_loaded_and_they_fit(desk: OpenDesk) -> None:
    flow = desk.window.help_flow
    flow.show_page("first-section")
    window = flow.window
    assert window is not None
    kind = QTextDocument.ResourceType.ImageResource.value
    for width in (700, 1000):
        window.resize(width, 600)
        desk.wait(partial(_has_width, window, width))
        picture = window.view.loadResource(kind, "pictures/desk.png")
        room = window.view.viewport().width()
        assert picture.width() / picture.devicePixelRatio() <= room
    for other in ("../icons/back.svg", "https://example.com/a.png", "file:///etc/hosts"):
        assert window.view.loadResource(kind, other) is None


def test_the_manual_follows_light_and_dark(desk: OpenDesk) -> None:
    flow = desk.window.help_flow
    flow.show_page("draft")
    window = flow.window
    assert window is not None
    desk.window.actions_table["theme-dark"].trigger()
    desk.wait(lambda: colours_for(window.view.palette()).is_dark)
    desk.window.actions_table["theme-system"].trigger()
    desk.wait(lambda: not colours_for(window.view.palette()).is_dark)


def _about(desk: OpenDesk) -> AboutDialog:
    desk.window.actions_table["about"].trigger()
    desk.wait(lambda: bool(desk.window.findChildren(AboutDialog)))
    return desk.window.findChildren(AboutDialog)[0]


def test_about_says_version_licences_and_folders(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(desk.session.project.root))
    dialog = _about(desk)
    assert "PhaserGun Desktop" in dialog.text
    assert "PySide6_Essentials" in dialog.text
    assert "LGPL-3.0" in dialog.text
    assert "resources/icons/" in dialog.text
    assert str(desk.session.project.root / "cache") in dialog.text
    assert len(dialog.folder_buttons) == 4
    # Nothing has gone wrong.
    assert dialog.report_button.isHidden()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == dialog.text
    dialog.reject()


def test_about_keeps_the_report_of_the_last_error(desk: OpenDesk) -> None:
    secret = "the leakage current is 12 µA"
    desk.window.reporter.report(ValueError(secret))
    report = desk.window.reporter.dialog
    assert report is not None
    report.reject()
    dialog = _about(desk)
    assert not dialog.report_button.isHidden()
    dialog.report_button.click()
    copied = QGuiApplication.clipboard().text()
    assert "ValueError" in copied
    assert secret not in copied
    dialog.reject()

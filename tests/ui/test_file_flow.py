"""One file: its details, reading it again, its password, the languages of its pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QTextEdit,
)

from phasergun_desktop.documents.model import DocumentMetadata, Page
from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.ui.dialogs.languages_dialog import LanguagesDialog
from phasergun_desktop.ui.dialogs.password_dialog import PasswordDialog
from phasergun_desktop.ui.projects.file_facts import (
    DocumentDetails,
    facts_of,
    format_in_words,
    offers_of,
    recognised_pages,
)
from phasergun_desktop.ui.projects.file_flow import NOT_KEPT
from phasergun_desktop.ui.projects.language_words import language_name, language_names
from phasergun_desktop.ui.theme import dark_palette
from phasergun_desktop.ui.wording import index_summary
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_formats import SCAN, scan, slides
from tests.fakes.ui_session import FakeSession
from tests.ui.colour_contrast import contrast
from tests.ui.conftest import OpenDesk

Kind = TypeVar("Kind", bound=QDialog)
LOCKED = "Procedures/SOPs/SOP-015-change-control.pdf"


def _dialog(desk: OpenDesk, kind: type[Kind]) -> Kind:
    """Wait for a dialog of the window and return it."""

    def found() -> list[Kind]:
        return [one for one in desk.window.findChildren(kind) if one.isVisible()]

    desk.wait(lambda: bool(found()))
    return found()[0]


def _ready(desk: OpenDesk) -> None:
    current = desk.window.keeper.current
    desk.wait(lambda: desk.session.syncs >= 1 and current is not None and not current.is_running)
    model = desk.window.parts.project_panel.model
    desk.wait(lambda: model.item_of_file(LOCKED) is not None)


# Details ----------------------------------------------------------------------------------------


def test_facts_of_a_document_in_words() -> None:
    source = scan((0.92, 0.61))
    metadata = replace(
        source.record.metadata,
        author="Dr. Meyer",
        created="2024-03-01T10:20:00Z",
        modified="March 2024",
        pages=2,
        words=1234,
        language="de-CH",
        document_number="TR-0147",
        revision="B",
        journal="Diabetes Care",
        authors=("Meyer A", "Smith B"),
        doi="10.1000/182",
        k_number="K231192",
        read_with="tesseract 5.3",
    )
    record = FileRecord(SCAN, Layer.ONGOING, FileState.INDEXED, size=90_000, chunks=3)
    details = DocumentDetails(replace(source.record, metadata=metadata), ("A remark.",))
    facts = facts_of(record, replace(details, record=replace(details.record, title="Drop test")))
    assert facts.title == "Drop test"
    assert facts.state == "Indexed"
    assert facts.remarks == ("A remark.",)
    assert dict(facts.rows) == {
        "File": SCAN,
        "Belongs to": "Ongoing",
        "Format": "Picture (PNG)",
        "Length": "2 pages, 1,234 words, 3 sections",
        "Number": "TR-0147",
        "Revision": "B",
        "510(k)": "K231192",
        "Author": "Dr. Meyer",
        "Created": "2024-03-01",
        "Changed": "March 2024",
        "Language": "German",
        "Authors": "Meyer A, Smith B",
        "Journal": "Diabetes Care",
        "DOI": "10.1000/182",
        "Read with": "tesseract 5.3",
        "Recognised": "page 1 (92 % sure), page 2 (61 % sure, check it)",
        "Size": "88 kB",
    }


def test_nothing_is_said_that_is_not_known() -> None:
    source = slides(3)
    record = FileRecord(source.record.file, Layer.ONGOING, FileState.INDEXED)
    plain = replace(source.record, metadata=DocumentMetadata(pages=3))
    facts = facts_of(record, DocumentDetails(plain))
    assert facts.rows == (
        ("File", source.record.file),
        ("Belongs to", "Ongoing"),
        ("Format", "Slides (PPTX)"),
        ("Length", "3 slides"),
    )


def test_the_format_is_that_of_the_content() -> None:
    assert format_in_words("image", "a/scan.jpg", "image/png") == "Picture (PNG)"
    assert format_in_words("docx", "a/named.pdf") == "Word document (DOCX)"
    assert format_in_words("transcript", "a/talk.srt", "text/plain") == "Transcript (SRT)"
    assert format_in_words("pdf", "a/b.txt") == "PDF"


def test_many_recognised_pages_are_summed_up() -> None:
    pages = [Page(1, 1)] + [Page(1, 1, 0.8 + 0.01 * one) for one in range(8)]
    assert recognised_pages(tuple(pages)) == "8 of 9 pages, 80 % to 87 % sure"
    pages[3] = Page(1, 1, 0.5)
    assert recognised_pages(tuple(pages)) == "8 of 9 pages, 50 % to 87 % sure; check page 4"
    assert recognised_pages((Page(1, 1),)) == ""


@pytest.mark.parametrize(
    ("state", "problem", "layer", "offers"),
    [
        (FileState.INDEXED, DocumentProblem.OTHER, Layer.SOPS, ()),
        (FileState.FAILED, DocumentProblem.DAMAGED, Layer.SOPS, ("retry-this",)),
        (FileState.FAILED, DocumentProblem.PROGRAM_MISSING, Layer.SOPS, ("retry-this",)),
        (
            FileState.FAILED,
            DocumentProblem.PASSWORD,
            Layer.SOPS,
            ("enter-password", "retry-this"),
        ),
        (FileState.FAILED, DocumentProblem.ILLEGIBLE, Layer.SOPS, ("languages", "retry-this")),
        (FileState.SKIPPED, DocumentProblem.OTHER, None, ()),
        (FileState.SKIPPED, DocumentProblem.HIDDEN, Layer.SOPS, ("categories",)),
        (FileState.PENDING, DocumentProblem.OTHER, Layer.SOPS, ()),
    ],
)
def test_what_is_offered_for_a_file(
    state: FileState, problem: DocumentProblem, layer: Layer | None, offers: tuple[str, ...]
) -> None:
    assert offers_of(FileRecord("a", layer, state, problem=problem)) == offers
    assert offers_of(None) == ()


def test_an_empty_folder_needs_no_folders_in_it_to_be_filled() -> None:
    assert index_summary(()) == "No documents yet: put files into the folder, and they are read"


def test_selecting_a_file_fills_its_card(open_desk: Callable[..., OpenDesk]) -> None:
    def prepare(session: FakeSession) -> None:
        source = scan((0.61,))
        hostile = replace(source.document, warnings=("<img src='x'> & a remark.",))
        session.sources[SCAN] = SourceDocument(source.record, hostile)

    desk = open_desk(prepare=prepare)
    _ready(desk)
    panel = desk.window.parts.project_panel
    panel.select_file(SCAN)
    desk.wait(lambda: "Picture (PNG)" in panel.details.text())
    # Text of a document is shown as it stands and never as markup.
    assert "<img src='x'> & a remark." in panel.details.text()
    assert "page 1 (61 % sure, check it)" in panel.details.text()
    assert panel.details.buttons() == []
    # No page of it was asked for: it is not opened by being selected.
    assert desk.session.page_requests == []


def test_the_card_leaves_two_thirds_to_the_tree(open_desk: Callable[..., OpenDesk]) -> None:
    def prepare(session: FakeSession) -> None:
        source = scan((0.61,))
        doubted = replace(source.document, warnings=("A remark of the reader. " * 40,))
        session.sources[SCAN] = SourceDocument(source.record, doubted)

    desk = open_desk(prepare=prepare)
    _ready(desk)
    panel = desk.window.parts.project_panel
    panel.details.line.fold(False)
    panel.select_file(SCAN)
    desk.wait(lambda: "A remark" in panel.details.text())
    desk.wait(lambda: panel.details.height() > 100)
    assert panel.tree.height() * 3 >= panel.height() * 2 - 3
    (text,) = panel.details.findChildren(QTextEdit)
    assert text.verticalScrollBar().maximum() > 0
    panel.select_file(LOCKED)
    desk.wait(lambda: len(panel.details.buttons()) == 2)
    assert all(one.isVisible() for one in panel.details.buttons())
    assert panel.tree.height() * 3 >= panel.height() * 2 - 3


def test_selecting_files_leaves_the_tree_its_room(desk: OpenDesk) -> None:
    _ready(desk)
    panel = desk.window.parts.project_panel
    (text,) = panel.details.findChildren(QTextEdit)
    desk.wait(lambda: panel.tree.height() > 200)
    before = panel.tree.height()
    panel.select_file(DEVICE)
    desk.wait(lambda: "Word document (DOCX)" in panel.details.text())
    desk.qtbot.wait(50)
    assert (panel.tree.height(), text.isVisible()) == (before, False)
    assert "Device" in panel.details.line.text()
    # What can be done about a file is seen with it; the line folds the card away again.
    panel.select_file(LOCKED)
    desk.wait(text.isVisible)
    assert all(one.isVisible() for one in panel.details.buttons())
    panel.select_file(DEVICE)
    desk.wait(lambda: panel.tree.height() == before)
    panel.select_file(LOCKED)
    desk.wait(text.isVisible)
    QTest.mouseClick(panel.details.line, Qt.MouseButton.LeftButton)
    desk.wait(lambda: panel.tree.height() == before)
    panel.show_details()
    assert not text.isVisible()


def test_opening_a_file_loads_it_once(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    _ready(desk)
    asked: list[str] = []
    original = FakeSession.source

    def counting(self: FakeSession, file: str) -> SourceDocument:
        asked.append(file)
        return original(self, file)

    monkeypatch.setattr(FakeSession, "source", counting)
    panel = desk.window.parts.project_panel
    panel.select_file(DEVICE)
    panel.file_activated.emit(DEVICE)
    desk.wait(lambda: "Word document (DOCX)" in panel.details.text())
    desk.wait(lambda: not desk.window.file_flow.is_settling)
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    assert asked == [DEVICE]


# Reading again ----------------------------------------------------------------------------------


def test_one_file_is_tried_again(desk: OpenDesk) -> None:
    _ready(desk)
    desk.window.parts.project_panel.select_file(LOCKED)
    desk.window.actions_table["retry-this"].trigger()
    desk.wait(lambda: frozenset({LOCKED}) in desk.session.retried_files)
    assert desk.session.retries == 0


def test_without_a_file_it_is_said(desk: OpenDesk) -> None:
    _ready(desk)
    before = desk.session.syncs
    desk.window.actions_table["retry-this"].trigger()
    assert "Select a file" in desk.window.parts.status_bar.work_label.text()
    assert desk.session.syncs == before


def test_the_menu_of_a_file_offers_what_helps_it(desk: OpenDesk) -> None:
    _ready(desk)
    panel = desk.window.parts.project_panel

    def names(file: str) -> list[str]:
        panel.select_file(file)
        return [one.objectName() for one in panel.actions_for(panel.current_record())]

    others = ["retry-file", "categories", "show-in-folder", "open-external"]
    assert names(LOCKED) == ["enter-password", "retry-this", *others]
    assert names(DEVICE) == others


# Passwords --------------------------------------------------------------------------------------


def test_a_password_from_the_card_opens_the_file(desk: OpenDesk) -> None:
    _ready(desk)
    panel = desk.window.parts.project_panel
    panel.select_file(LOCKED)
    button, again = panel.details.buttons()
    assert (button.text(), again.text()) == ("Enter &password…", "Try &this file again")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = _dialog(desk, PasswordDialog)
    assert "SOP-015-change-control.pdf is password protected." in _labels(dialog)
    assert any("kept in this computer's keyring" in one for one in _labels(dialog))
    QTest.keyClicks(dialog.field, "open sesame")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    desk.wait(lambda: desk.session.reading.passwords == ["open sesame"])
    desk.wait(lambda: frozenset({LOCKED}) in desk.session.retried_files)
    bar = desk.window.parts.status_bar
    desk.wait(lambda: bar.work_label.text() == "The password opens 1 document")
    assert desk.window.parts.message_bar.message == ""


def test_a_wrong_password_is_told(desk: OpenDesk) -> None:
    _ready(desk)
    desk.window.actions_table["enter-password"].trigger()
    dialog = _dialog(desk, PasswordDialog)
    QTest.keyClicks(dialog.field, "guess")
    QTest.mouseClick(dialog.try_button, Qt.MouseButton.LeftButton)
    bar = desk.window.parts.message_bar
    desk.wait(lambda: "does not open SOP-015-change-control.pdf" in bar.message)
    assert "guess" not in bar.message
    desk.window.actions_table["enter-password"].trigger()
    again = _dialog(desk, PasswordDialog)
    QTest.keyClicks(again.field, "open sesame")
    QTest.keyClick(again.field, Qt.Key.Key_Return)
    desk.wait(lambda: bar.message == "")


def test_without_a_keyring_it_is_told(desk: OpenDesk) -> None:
    _ready(desk)
    desk.session.reading.keeps_passwords = False
    desk.window.actions_table["enter-password"].trigger()
    dialog = _dialog(desk, PasswordDialog)
    QTest.keyClicks(dialog.field, "open sesame")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    desk.wait(lambda: desk.window.parts.message_bar.message == NOT_KEPT)


def test_return_does_nothing_without_a_password(desk: OpenDesk) -> None:
    _ready(desk)
    desk.window.actions_table["enter-password"].trigger()
    dialog = _dialog(desk, PasswordDialog)
    assert not dialog.try_button.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    desk.wait(lambda: not dialog.isVisible())
    assert desk.session.reading.passwords == []


def test_the_password_can_be_looked_at_and_forgotten(desk: OpenDesk) -> None:
    _ready(desk)
    desk.session.reading.passwords.append("old")
    desk.window.actions_table["enter-password"].trigger()
    dialog = _dialog(desk, PasswordDialog)
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClick(dialog.reveal, Qt.Key.Key_Space)
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Normal
    QTest.mouseClick(dialog.forget_button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: desk.session.reading.passwords == [])


def test_nothing_to_forget_is_not_offered(desk: OpenDesk) -> None:
    _ready(desk)
    desk.window.actions_table["enter-password"].trigger()
    dialog = _dialog(desk, PasswordDialog)
    assert not dialog.forget_button.isVisible()
    dialog.reject()


# Languages --------------------------------------------------------------------------------------


def test_choosing_languages_reads_again(desk: OpenDesk) -> None:
    _ready(desk)
    syncs = desk.session.syncs
    desk.window.actions_table["languages"].trigger()
    dialog = _dialog(desk, LanguagesDialog)
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert names == ["English", "French", "German"]
    assert any("read again" in one for one in _labels(dialog))
    dialog.list.setCurrentRow(2)
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.chosen == "eng+deu"
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    desk.wait(lambda: desk.session.reading.chosen == "eng+deu")
    desk.wait(lambda: desk.session.syncs > syncs)


def test_the_same_languages_change_nothing(desk: OpenDesk) -> None:
    _ready(desk)
    syncs = desk.session.syncs
    desk.window.actions_table["languages"].trigger()
    dialog = _dialog(desk, LanguagesDialog)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    dialog.list.setCurrentRow(0)
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.chosen == ""
    assert not ok.isEnabled()
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert ok.isEnabled()
    ok.click()
    assert desk.session.syncs == syncs


def test_a_language_that_is_gone_is_said(qapp: QApplication) -> None:
    dialog = LanguagesDialog(("eng",), "eng+deu")
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert names == ["English", "German (not installed)"]
    assert dialog.chosen == "eng+deu"
    dialog.deleteLater()


def test_without_tesseract_it_says_how_to_install_it(desk: OpenDesk) -> None:
    _ready(desk)
    desk.session.reading.installed = ()
    desk.window.actions_table["languages"].trigger()
    dialog = _dialog(desk, LanguagesDialog)
    assert any("tesseract-ocr" in one and "Windows" in one for one in _labels(dialog))
    assert not dialog.list.isVisible()
    dialog.reject()


def test_boxes_can_be_seen_in_dark(qapp: QApplication) -> None:
    dialog = LanguagesDialog(("deu", "eng"), "eng")
    dialog.setPalette(dark_palette())
    dialog.show()
    box = dialog.list.visualItemRect(dialog.list.item(1))
    image = dialog.list.viewport().grab(box).toImage()
    ground = dark_palette().color(QPalette.ColorRole.Base)
    left_of_text = {image.pixelColor(x, image.height() // 2).name() for x in range(18)}
    assert max(contrast(QColor(one), ground) for one in left_of_text) > 3
    dialog.close()
    dialog.deleteLater()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("deu", "German"),
        ("en-US", "English"),
        ("chi_sim", "Chinese (simplified)"),
        ("frk", "German (Fraktur)"),
        ("script/Latin", "Latin script"),
        ("xyz9", "xyz9"),
    ],
)
def test_names_of_languages(code: str, name: str) -> None:
    assert language_name(code) == name
    assert language_names(f"eng+{code}") == f"English, {name}"


def _labels(dialog: QDialog) -> list[str]:
    return [one.text() for one in dialog.findChildren(QLabel)]

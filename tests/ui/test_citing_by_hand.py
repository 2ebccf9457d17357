"""What is selected in a source, found or ticked becomes a footnote of the draft."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from phasergun_desktop.ui.editor.draft_clipboard import MIME_TYPE
from phasergun_desktop.ui.editor.marks import find_marks
from phasergun_desktop.ui.sources.page_view import PageView
from phasergun_desktop.ui.sources.text_view import SourceTextView
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.ui_documents import DEVICE, PREDICATE, SOP, device_description
from tests.fakes.ui_formats import scan, slides, table, transcript
from tests.ui.conftest import OpenDesk

TYPED = "The meter is quick."


def _open(desk: OpenDesk, file: str) -> None:
    panel = desk.window.parts.source_panel
    desk.window.source_flow.open_file(file)
    desk.wait(lambda: panel.target is not None and panel.views.shown_view is not None)
    desk.wait(panel.bar.isVisible)


def _select(desk: OpenDesk, words: str) -> None:
    panel = desk.window.parts.source_panel
    bar = panel.bar
    bar.open_find()
    bar.find_box.setText(words)
    assert bar.find_text(1)
    start, end = panel.views.selected_span()
    assert panel.target is not None
    document = desk.session.source(panel.target.file).document
    assert words.lower() in document.text[start:end].lower()


def _type_own_sentence(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, TYPED)


def _words_of(desk: OpenDesk, file: str) -> str:
    """Some words in the middle of a paragraph of a source."""
    document = desk.session.source(file).document
    block = max(document.blocks, key=lambda one: one.end - one.start)
    return " ".join(document.block_text(block).split()[1:4])


@pytest.mark.parametrize("file", [DEVICE, PREDICATE, SOP])
def test_a_selection_is_cited_for_the_sentence_at_the_cursor(desk: OpenDesk, file: str) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    before = panel.editor.numbers()
    _open(desk, file)
    words = _words_of(desk, file)
    _select(desk, words)
    desk.window.actions_table["cite"].trigger()
    (key,) = panel.editor.numbers().keys() - before.keys()
    note = panel.book.footnotes[key]
    document = desk.session.source(file).document
    assert (note.file, note.quote) == (file, document.text[note.start : note.end])
    assert words in note.quote
    unit = panel.text.statements()[-1].unit
    assert (unit.text, unit.citations) == (TYPED, (panel.editor.numbers()[key],))
    # The same passage again is no second footnote.
    desk.window.actions_table["cite"].trigger()
    assert "already" in desk.window.parts.status_bar.work_label.text()
    # One undo step takes the footnote away, and nothing of the sentence.
    panel.editor.undo()
    assert panel.editor.numbers() == before
    assert panel.text.statements()[-1].unit.text == TYPED


def test_a_quotation_goes_in_with_its_footnote(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    _open(desk, PREDICATE)
    words = _words_of(desk, PREDICATE)
    _select(desk, words)
    desk.window.actions_table["quote"].trigger()
    assert f"{TYPED} “{words}”" in desk.text().replace("\u202f", " ")
    assert panel.text.statements()[-1].unit.citations


def test_what_is_copied_from_a_source_is_pasted_with_its_footnote(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel, source = desk.window.parts.draft_panel, desk.window.parts.source_panel
    for file in (PREDICATE, DEVICE):
        _open(desk, file)
        words = _words_of(desk, file)
        _select(desk, words)
        view = source.views.shown_view
        assert isinstance(view, QWidget)
        view.setFocus()
        desk.window.actions_table["copy"].trigger()
        assert QApplication.clipboard().text() == words
        before = panel.editor.numbers()
        panel.editor.setFocus()
        panel.editor.paste()
        (key,) = panel.editor.numbers().keys() - before.keys()
        assert panel.book.footnotes[key].file == file


def test_a_search_result_is_attached_to_the_sentence(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel, search = desk.window.parts.draft_panel, desk.window.parts.search_panel
    before = panel.editor.numbers()
    search.search_for(_words_of(desk, SOP))
    desk.window.show_dock("search")
    desk.wait(lambda: search.hits.count() > 0)
    search.hits.setCurrentRow(-1)
    assert search.attach.isHidden()
    search.hits.setCurrentRow(0)
    assert not search.attach.isHidden()
    search.hits.setFocus()
    desk.window.actions_table["cite"].trigger()
    desk.wait(lambda: panel.editor.numbers() != before)
    assert panel.text.statements()[-1].unit.citations
    assert panel.text.statements()[-1].unit.text == TYPED


def test_words_of_a_page_are_selected_with_the_mouse(desk: OpenDesk) -> None:
    _open(desk, PREDICATE)
    view = desk.window.parts.source_panel.views.shown_view
    assert isinstance(view, PageView)
    document = desk.session.source(PREDICATE).document
    line = next(one for block in document.blocks for one in block.segments)
    desk.qtbot.wait(60)

    def at(x: float) -> QPoint:
        page = view._pages[line.page - 1]
        scene = page.mapToScene(QPointF(x, (line.rect.y0 + line.rect.y1) / 2))
        return view.mapFromScene(scene)

    left, right = line.rect.x0 + 1, line.rect.x1 - 1
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at(left))
    QTest.mouseMove(view.viewport(), at((left + right) / 2))
    QTest.mouseMove(view.viewport(), at(right))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at(right))
    start, end = view.selected_span()
    assert document.text[start:end] == document.text[line.start : line.end].strip()
    note = desk.window.parts.source_panel.citation()
    assert note is not None
    assert note.quote == document.text[start:end]


def test_without_a_choice_or_a_sentence_the_status_bar_says_what_to_do(desk: OpenDesk) -> None:
    desk.window.actions_table["cite"].trigger()
    assert "Select words" in desk.window.parts.status_bar.work_label.text()
    _open(desk, PREDICATE)
    _select(desk, _words_of(desk, PREDICATE))
    desk.window.actions_table["cite"].trigger()
    assert "cursor" in desk.window.parts.status_bar.work_label.text()


# Every kind of source ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "words", "place"),
    [
        (slides(), "120 lay users took part", "slide 1"),
        (table(), "212 mg/dL", "row 14"),
        (transcript(), "another one", "t=0:07"),
        (scan(), "dropped from one metre", "page 1"),
        (device_description(), "Part number: GS-TS-50", "table 1, row 3"),
    ],
    ids=["slides", "cells", "cue", "scan", "word-table"],
)
def test_any_source_is_cited_and_quoted_with_its_place(
    desk: OpenDesk, source: SourceDocument, words: str, place: str
) -> None:
    desk.session.sources[source.record.file] = source
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    before = panel.editor.numbers()
    _open(desk, source.record.file)
    _select(desk, words.rsplit(": ", maxsplit=1)[-1])
    desk.window.actions_table["cite"].trigger()
    (key,) = panel.editor.numbers().keys() - before.keys()
    note = panel.book.footnotes[key]
    assert words.rsplit(": ", maxsplit=1)[-1] in note.quote
    assert note.quote == source.document.text[note.start : note.end]
    assert place in note.rendered
    assert panel.text.statements()[-1].unit.citations == (panel.editor.numbers()[key],)
    desk.window.actions_table["quote"].trigger()
    assert f"“{note.quote}”" in desk.text()
    # The same passage has one number, wherever it stands.
    assert panel.editor.numbers().keys() - before.keys() == {key}
    assert sum(one.footnote == key for one in find_marks(panel.editor.document())) == 2


def test_words_of_a_text_are_selected_with_the_mouse(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    before = panel.editor.numbers()
    _open(desk, DEVICE)
    view = desk.window.parts.source_panel.views.shown_view
    assert isinstance(view, SourceTextView)
    cursor = view.document().find("amperometrically")
    cursor.setPosition(cursor.selectionStart() + 4)
    view.setTextCursor(cursor)
    QTest.mouseDClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.cursorRect(cursor).center()
    )
    assert view.textCursor().selectedText() == "amperometrically"
    desk.window.parts.source_panel.bar.cite_button.click()
    (key,) = panel.editor.numbers().keys() - before.keys()
    assert panel.book.footnotes[key].quote == "amperometrically"


def test_a_row_of_the_evidence_is_cited(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    board = desk.window.parts.prompt_panel.board
    desk.window.sheet.unfold()
    needs = board.tree.need_items()
    items = [one for need in needs for at in range(need.childCount()) if (one := need.child(at))]
    row = next(row for item in items if (row := board.tree.row_of(item)).unit is not None)
    assert row.unit is not None
    board.tree.choose(row)
    board.tree.setFocus()
    desk.wait(board.tree.hasFocus)
    before = [one.footnote for one in find_marks(panel.editor.document())]
    desk.window.actions_table["cite"].trigger()
    desk.wait(lambda: len(find_marks(panel.editor.document())) > len(before))
    note = panel.book.footnotes[find_marks(panel.editor.document())[-1].footnote]
    assert note.file == row.unit.passage.file
    assert panel.text.statements()[-1].unit.citations


# Another source for a sentence ----------------------------------------------------------------


def test_another_source_is_found_and_attached_with_the_keyboard(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel, search = desk.window.parts.draft_panel, desk.window.parts.search_panel
    editor = panel.editor
    before = editor.numbers()
    # The words are looked for as they are selected.
    words = _words_of(desk, SOP)
    QTest.keyClicks(editor, f" {words}")
    end = editor.textCursor().position()
    editor.move_cursor(end, anchor=end - len(words))
    desk.window.actions_table["another-source"].trigger()
    desk.wait(search.hits.hasFocus)
    assert search.hits.currentRow() == 0
    assert not search.attach.isHidden()
    desk.window.actions_table["cite"].trigger()
    desk.wait(lambda: editor.numbers() != before)
    assert panel.text.statements()[-1].unit.citations
    assert editor.hasFocus()
    # The writer goes on behind the words: what is typed does not replace them.
    assert not editor.textCursor().hasSelection()
    QTest.keyClicks(editor, " More.")
    assert desk.text().endswith(f"{words}\u202f{editor.numbers().popitem()[1]} More.")


def test_attach_is_about_the_passage_found_wherever_the_keyboard_is(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel, search = desk.window.parts.draft_panel, desk.window.parts.search_panel
    before = panel.editor.numbers()
    # Something else is selected in the source in view.
    _open(desk, PREDICATE)
    _select(desk, _words_of(desk, PREDICATE))
    search.search_for(_words_of(desk, SOP))
    desk.window.show_dock("search")
    desk.wait(lambda: search.hits.currentRow() == 0)
    panel.editor.setFocus()
    search.attach.findChildren(QPushButton)[0].click()
    desk.wait(lambda: panel.editor.numbers() != before)
    (key,) = panel.editor.numbers().keys() - before.keys()
    assert panel.book.footnotes[key].file == SOP
    search.attach.findChildren(QPushButton)[1].click()
    desk.wait(lambda: "“" in desk.text())


def test_words_typed_into_the_box_keep_the_keyboard(desk: OpenDesk) -> None:
    desk.window.show_dock("search")
    search = desk.window.parts.search_panel
    search.focus_box()
    QTest.keyClicks(search.box, "meter")
    desk.wait(lambda: search.hits.count() > 0)
    assert search.box.hasFocus()


# Moved and copied -------------------------------------------------------------------------------


def test_a_cited_sentence_keeps_its_footnote_in_another_draft(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    editor = panel.editor
    mark = find_marks(editor.document())[0]
    note = panel.book.footnotes[mark.footnote]
    start = editor.document().findBlock(mark.start).position()
    editor.move_cursor(mark.end, anchor=start)
    words = editor.textCursor().selectedText()[: mark.start - start]
    editor.copy()
    desk.window.actions_table["new-draft"].trigger()
    assert desk.text() == ""
    editor.setFocus()
    editor.paste()
    editor.paste()
    marks = find_marks(editor.document())
    assert len(marks) == 2
    (key,) = {one.footnote for one in marks}
    assert panel.book.footnotes[key] == note
    assert editor.numbers() == {key: 1}
    panel.refresh()
    assert desk.text().startswith(words)
    # Nobody has answered for the words in this draft.
    assert all(not one.unit.accepted for one in panel.text.statements())


def test_what_another_process_or_program_says_is_a_draft_is_read_with_care(
    desk: OpenDesk,
) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    editor = panel.editor
    editor.selectAll()
    editor.copy()
    copied = QApplication.clipboard().mimeData()
    own = json.loads(bytes(copied.data(MIME_TYPE).data()))
    count = len(find_marks(editor.document()))
    numbers = len(editor.numbers())
    for process, kept in ((own["process"] + 1, True), (own["process"], True), ("x", True)):
        data = QMimeData()
        data.setText("plain")
        data.setData(MIME_TYPE, QByteArray(json.dumps({**own, "process": process}).encode()))
        editor.selectAll()
        editor.insertFromMimeData(data)
        assert (len(find_marks(editor.document())) == count) is kept
        assert len(editor.numbers()) == numbers
    for broken in (b"", b"[]", b'{"process":1,"html":3,"footnotes":{"1":{}}}', b"\xff"):
        data = QMimeData()
        data.setText("plain")
        data.setData(MIME_TYPE, QByteArray(broken))
        editor.selectAll()
        editor.insertFromMimeData(data)
        assert desk.text() == "plain"


def test_a_mark_alone_is_moved_to_another_sentence_and_removed_by_its_key(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    editor = panel.editor
    count = len(panel.text.statements())
    mark = find_marks(editor.document())[0]
    note = panel.book.footnotes[mark.footnote]
    editor.move_cursor(mark.end, anchor=mark.start)
    editor.cut()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.paste()
    panel.refresh()
    moved = panel.text.statements()[-1]
    assert (moved.unit.text, len(panel.text.statements())) == (TYPED, count)
    assert [panel.book.footnotes[key] for key in moved.notes] == [note]
    assert panel.text.statements()[1].notes.isdisjoint(moved.notes)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    panel.refresh()
    assert not panel.text.statements()[-1].notes
    assert panel.text.statements()[-1].unit.text == TYPED
    editor.undo()
    panel.refresh()
    assert panel.text.statements()[-1].notes == moved.notes

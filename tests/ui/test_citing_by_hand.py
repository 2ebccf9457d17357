"""What is selected in a source, found or ticked becomes a footnote of the draft."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from phasergun_desktop.ui.sources.page_view import PageView
from tests.fakes.ui_documents import DEVICE, PREDICATE, SOP
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
    unit = panel.statements()[-1].unit
    assert (unit.text, unit.citations) == (TYPED, (panel.editor.numbers()[key],))
    # The same passage again is no second footnote.
    desk.window.actions_table["cite"].trigger()
    assert "already" in desk.window.parts.status_bar.work_label.text()
    # One undo step takes the footnote away, and nothing of the sentence.
    panel.editor.undo()
    assert panel.editor.numbers() == before
    assert panel.statements()[-1].unit.text == TYPED


def test_a_quotation_goes_in_with_its_footnote(desk: OpenDesk) -> None:
    desk.generate()
    _type_own_sentence(desk)
    panel = desk.window.parts.draft_panel
    _open(desk, PREDICATE)
    words = _words_of(desk, PREDICATE)
    _select(desk, words)
    desk.window.actions_table["quote"].trigger()
    assert f"{TYPED} “{words}”" in desk.text().replace("\u202f", " ")
    assert panel.statements()[-1].unit.citations


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
    assert search.attach.isHidden()
    search.hits.setCurrentRow(0)
    assert not search.attach.isHidden()
    search.hits.setFocus()
    desk.window.actions_table["cite"].trigger()
    desk.wait(lambda: panel.editor.numbers() != before)
    assert panel.statements()[-1].unit.citations
    assert panel.statements()[-1].unit.text == TYPED


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

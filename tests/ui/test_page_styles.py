"""Styles, tables, replacing and the count of words on the page; footnotes outlive all of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from phasergun_desktop.drafts.draft_shape import DraftShape, Paragraph, ParagraphKind, Table
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.page_styles import style_at
from phasergun_desktop.ui.qt_absent import table_of
from tests.ui.conftest import OpenDesk


def _shape(desk: OpenDesk) -> DraftShape:
    return read_shape(desk.window.parts.draft_panel.editor.document())


def _do(desk: OpenDesk, name: str) -> None:
    desk.window.actions_table[name].trigger()


def _first_cited(desk: OpenDesk) -> Paragraph:
    return next(
        piece
        for piece in _shape(desk)
        if isinstance(piece, Paragraph)
        and piece.kind is ParagraphKind.TEXT
        and any(run.footnote for run in piece.runs)
    )


def test_a_paragraph_changes_its_style_and_keeps_its_footnotes(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    before, numbers = _shape(desk), editor.numbers()
    paragraph = _first_cited(desk)
    editor.move_cursor(paragraph.start)
    for name, kind, level in (
        ("list", ParagraphKind.LIST_ITEM, 0),
        ("heading-2", ParagraphKind.HEADING, 2),
        ("text", ParagraphKind.TEXT, 0),
    ):
        _do(desk, name)
        desk.qtbot.wait(20)
        assert style_at(editor.textCursor()) == (kind, level)
        assert editor.numbers() == numbers
        chosen = ("Text", "Heading 1", "Heading 2", "Heading 3", "List")
        at = desk.window.parts.style_bar.styles.currentIndex()
        assert chosen[at] == name.replace("-", " ").capitalize()
    assert _shape(desk) == before
    _do(desk, "undo")
    assert style_at(editor.textCursor())[0] is ParagraphKind.HEADING


def test_the_bar_changes_all_selected_paragraphs(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    QTest.keyClicks(editor, "One.")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "Two.")
    editor.selectAll()
    styles = desk.window.parts.style_bar.styles
    styles.setCurrentIndex(4)
    styles.activated.emit(4)
    kinds = [piece.kind for piece in _shape(desk) if isinstance(piece, Paragraph)]
    assert kinds == [ParagraphKind.LIST_ITEM] * 2
    editor.selectAll()
    _do(desk, "list")
    kinds = [piece.kind for piece in _shape(desk) if isinstance(piece, Paragraph)]
    assert kinds == [ParagraphKind.TEXT] * 2


def test_a_table_is_put_in_grows_shrinks_and_is_kept(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    QTest.keyClicks(editor, "Before it.")
    _do(desk, "table")
    assert table_of(editor.textCursor()) is not None
    editor.insertPlainText("Name")
    _do(desk, "add-row")
    _do(desk, "add-column")
    (table,) = (piece for piece in _shape(desk) if isinstance(piece, Table))
    assert (len(table.rows), len(table.rows[0].cells)) == (4, 4)
    assert table.rows[0].cells[0][0].text == "Name"
    _do(desk, "save")
    desk.wait(lambda: desk.session.drafts.latest() is not None)
    kept = desk.session.drafts.latest()
    assert kept is not None
    desk.window.draft_flow.shelf.new_draft()
    desk.window.draft_flow.shelf.show_draft(kept)
    (opened,) = (piece for piece in _shape(desk) if isinstance(piece, Table))
    assert [[c and c[0].text for c in row.cells] for row in opened.rows] == [
        [c and c[0].text for c in row.cells] for row in table.rows
    ]
    inside = QTextCursor(editor.document())
    inside.setPosition(editor.document().find("Name").position())
    editor.setTextCursor(inside)
    for _ in range(3):
        _do(desk, "remove-column")
    (small,) = (piece for piece in _shape(desk) if isinstance(piece, Table))
    assert len(small.rows[0].cells) == 1


def test_words_are_replaced_and_footnote_numbers_are_not(desk: OpenDesk) -> None:
    desk.generate()
    editor, bar = desk.window.parts.draft_panel.editor, desk.window.parts.find_bar
    numbers, before = editor.numbers(), desk.text()
    _do(desk, "replace")
    assert bar.by_box.isVisible()
    bar.box.setText("1")
    bar.by_box.setText("ONE")
    times = bar.replace_all()
    desk.qtbot.wait(20)
    assert editor.numbers() == numbers
    assert desk.text().count("ONE") == times
    marks = sum(text.count("1") for text in (str(n) for n in numbers.values()))
    assert before.count("1") >= times + min(marks, 1)
    editor.setFocus()
    _do(desk, "undo")
    assert desk.text() == before
    word = next(w for w in before.split() if w.isalpha() and len(w) > 4)
    bar.box.setText(word)
    bar.by_box.setText("replaced")
    editor.move_cursor(0)
    bar.replace_here()
    bar.replace_here()
    assert desk.text().count("replaced") == before.count("replaced") + 1


def test_the_status_bar_counts_the_words(desk: OpenDesk) -> None:
    label = desk.window.parts.status_bar.words_label
    assert label.isHidden()
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    QTest.keyClicks(editor, "Three short words.")
    desk.wait(lambda: label.text() == "3 words")

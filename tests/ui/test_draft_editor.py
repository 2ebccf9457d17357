"""The editor by itself: marks are whole, numbered by position, and move with their text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from phasergun_desktop.drafts.draft_shape import (
    Paragraph,
    Table,
    numbered_footnotes,
    statements_of,
)
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.paths import resources_path
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.draft_writer import StreamWriter
from phasergun_desktop.ui.editor.footnote_list import FootnoteList
from phasergun_desktop.ui.editor.marks import NARROW_SPACE, find_marks
from phasergun_desktop.ui.editor.support_highlighter import SupportHighlighter
from phasergun_desktop.ui.icons import IconSet
from tests.ui.conftest import OpenDesk


def _note(number: int) -> Footnote:
    return Footnote(number, "context", f"[{number}] Context: f{number}.md", "t", f"f{number}.md")


@pytest.fixture
def editor(qtbot: QtBot) -> DraftEditor:
    """Three sentences citing 1, 2 and 3, the last one 1 as well."""
    book = DraftBook()
    editor = DraftEditor(book)
    qtbot.addWidget(editor)
    editor.resize(700, 500)
    writer = StreamWriter(editor.document(), book)
    writer.begin()
    for number, text in enumerate(("Alpha 😀.", "Beta.", "Gamma."), start=1):
        cited = (number, 1) if number == 3 else (number,)
        unit = DraftSentence(text, citations=cited, starts_paragraph=number == 1)
        writer.add_unit(unit, (_note(number),))
    return editor


def _numbers(editor: DraftEditor) -> list[str]:
    return [mark.text.strip(f",{NARROW_SPACE}") for mark in find_marks(editor.document())]


def _settle(qtbot: QtBot, editor: DraftEditor) -> None:
    with qtbot.waitSignal(editor.marks_changed):
        pass


def test_what_is_opened_is_marked_once(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    draw = SupportHighlighter.highlightBlock

    def counted(self: SupportHighlighter, text: str) -> None:
        drawn.append(self.currentBlock().blockNumber())
        draw(self, text)

    monkeypatch.setattr(SupportHighlighter, "highlightBlock", counted)
    numbers = range(1, 21)
    units = [
        DraftSentence(f"It has {n} keys.", citations=(n,), starts_paragraph=True) for n in numbers
    ]
    notes = tuple(_note(number) for number in numbers)
    draft = Draft("20", "Keys", "", "", "complete", tuple(units), notes, "2026", "2026")
    panel = desk.window.parts.draft_panel
    panel.open_draft(draft)
    assert panel.editor.document().blockCount() == 20
    assert _numbers(panel.editor) == [str(number) for number in numbers]
    # (The empty page had a paragraph of its own.)
    assert len(drawn) <= 21


def test_marks_beside_each_other_are_parted_by_a_comma(editor: DraftEditor) -> None:
    assert editor.toPlainText() == (
        f"Alpha 😀.{NARROW_SPACE}1 Beta.{NARROW_SPACE}2 Gamma.{NARROW_SPACE}3,{NARROW_SPACE}1"
    )


def test_backspace_takes_a_mark_whole_and_renumbers_in_one_step(
    qtbot: QtBot, editor: DraftEditor
) -> None:
    before = editor.toPlainText()
    mark = find_marks(editor.document())[0]
    editor.move_cursor(mark.end)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    _settle(qtbot, editor)
    assert _numbers(editor) == ["1", "2", "3"]
    assert [one.footnote for one in find_marks(editor.document())] == [2, 3, 1]
    editor.undo()
    _settle(qtbot, editor)
    assert editor.toPlainText() == before
    editor.redo()
    _settle(qtbot, editor)
    assert _numbers(editor) == ["1", "2", "3"]


def test_delete_takes_the_mark_behind_the_cursor_whole(qtbot: QtBot, editor: DraftEditor) -> None:
    mark = find_marks(editor.document())[1]
    editor.move_cursor(mark.start)
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    _settle(qtbot, editor)
    assert _numbers(editor) == ["1", "2", "1"]


def test_a_sentence_that_is_moved_keeps_its_footnote(qtbot: QtBot, editor: DraftEditor) -> None:
    marks = find_marks(editor.document())
    text = editor.toPlainText()
    start = len(text[: text.index("Beta.")].encode("utf-16-le")) // 2
    cursor = editor.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(marks[1].end, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    editor.cut()
    editor.move_cursor(0)
    editor.paste()
    _settle(qtbot, editor)
    assert editor.toPlainText().startswith(f"Beta.{NARROW_SPACE}1Alpha")
    assert [one.footnote for one in find_marks(editor.document())] == [2, 1, 3, 1]
    assert _numbers(editor) == ["1", "2", "3", "2"]


def test_typing_behind_a_mark_is_text_and_not_part_of_it(editor: DraftEditor) -> None:
    mark = find_marks(editor.document())[0]
    editor.move_cursor(mark.end)
    QTest.keyClicks(editor, " more")
    assert find_marks(editor.document())[0].text == f"{NARROW_SPACE}1"
    cursor = QTextCursor(editor.document())
    cursor.setPosition(mark.end + 3)
    assert not cursor.charFormat().isAnchor()


def test_the_cursor_steps_over_a_mark(editor: DraftEditor) -> None:
    mark = find_marks(editor.document())[0]
    editor.move_cursor(mark.end)
    QTest.keyClick(editor, Qt.Key.Key_Left)
    assert editor.textCursor().position() == mark.start
    QTest.keyClick(editor, Qt.Key.Key_Right)
    assert editor.textCursor().position() == mark.end


def test_keys_open_the_footnote_at_the_cursor(qtbot: QtBot, editor: DraftEditor) -> None:
    editor.move_cursor(0)
    assert editor.step_to_mark(1)
    assert editor.step_to_mark(1)
    with qtbot.waitSignal(editor.footnote_activated) as caught:
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert caught.args == [2]


def test_units_follow_the_writers_edits(qtbot: QtBot, editor: DraftEditor) -> None:
    cursor = QTextCursor(editor.document())
    cursor.insertText("My own start. ")
    mark = find_marks(editor.document())[0]
    editor.move_cursor(mark.end)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    _settle(qtbot, editor)
    shape = read_shape(editor.document())
    units = [one.unit for one in statements_of(shape, editor.book.units, {})]
    notes = numbered_footnotes(shape, editor.book.footnotes)
    assert [note.rendered for note in notes] == [
        "[1] Context: f2.md",
        "[2] Context: f3.md",
        "[3] Context: f1.md",
    ]
    assert units[-1].text == "Gamma."
    assert units[-1].citations == (2, 3)
    assert units[0].text.startswith("My own start.")


def test_a_table_keeps_its_cells_and_their_footnotes(qtbot: QtBot) -> None:
    book = DraftBook()
    editor = DraftEditor(book)
    qtbot.addWidget(editor)
    writer = StreamWriter(editor.document(), book)
    writer.begin()
    rows = (
        DraftSentence("", UnitKind.TABLE_ROW, cells=("Attribute", "A", "B"), is_header=True),
        DraftSentence(
            "Range | 20 | 30",
            UnitKind.TABLE_ROW,
            citations=(1, 2),
            cells=("Range", "20", "30"),
            citations_per_cell=((), (1,), (2,)),
        ),
    )
    writer.add_unit(rows[0], ())
    writer.stream("Range 20")
    writer.add_unit(rows[1], (_note(1), _note(2)))
    writer.add_unit(DraftSentence("After."), ())
    shape = read_shape(editor.document())
    kinds = [type(piece) for piece in shape]
    assert kinds.count(Table) == 1
    assert isinstance(shape[-1], Paragraph)
    units = [one.unit for one in statements_of(shape, book.units, {})]
    row = next(one for one in units if one.cells[:1] == ("Range",))
    assert row.citations_per_cell == ((), (1,), (2,))
    assert row.text == "Range | 20 | 30"
    editor.undo()
    assert editor.toPlainText() == ""


def test_pasted_rich_text_is_taken_as_text(qtbot: QtBot, editor: DraftEditor) -> None:
    from PySide6.QtCore import QMimeData

    data = QMimeData()
    data.setHtml("<h1 style='color:red'>Loud</h1>")
    data.setText("Loud")
    editor.move_cursor(0)
    editor.insertFromMimeData(data)
    _settle(qtbot, editor)
    assert editor.toPlainText().startswith("LoudAlpha")
    assert editor.document().begin().blockFormat().headingLevel() == 0


def test_an_item_of_an_item_stays_one(qtbot: QtBot) -> None:
    book = DraftBook()
    editor = DraftEditor(book)
    qtbot.addWidget(editor)
    writer = StreamWriter(editor.document(), book)
    writer.begin()
    for text, level in (("Create documents:", 1), ("Software", 2), ("Link them", 1)):
        unit = DraftSentence(text, UnitKind.LIST_ITEM, starts_paragraph=True, level=level)
        writer.add_unit(unit, ())
    shape = read_shape(editor.document())
    units = [one.unit for one in statements_of(shape, book.units, {})]
    assert [(unit.text, max(unit.level, 1)) for unit in units] == [
        ("Create documents:", 1),
        ("Software", 2),
        ("Link them", 1),
    ]


def test_an_item_of_two_sentences_is_one_paragraph(qtbot: QtBot) -> None:
    book = DraftBook()
    editor = DraftEditor(book)
    qtbot.addWidget(editor)
    writer = StreamWriter(editor.document(), book)
    writer.begin()
    said = (("Age:", True), ("Two years.", False), ("Mass: 2 kg.", True))
    for text, opens in said:
        writer.add_unit(DraftSentence(text, UnitKind.LIST_ITEM, starts_paragraph=opens), ())
    assert editor.toPlainText().split("\n") == ["Age: Two years.", "Mass: 2 kg."]
    units = [one.unit for one in statements_of(read_shape(editor.document()), book.units, {})]
    assert [(unit.text, unit.starts_paragraph) for unit in units] == list(said)


def test_a_mark_of_another_draft_brings_its_own_footnote(qtbot: QtBot, editor: DraftEditor) -> None:
    mark = find_marks(editor.document())[1]
    cursor = editor.textCursor()
    cursor.setPosition(mark.start - len("Beta."))
    cursor.setPosition(mark.end, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    copied = editor.createMimeDataFromSelection()
    document, book = editor.new_document(), DraftBook(editor.book.keys)
    editor.show_page(document, book, SupportHighlighter(document, book, editor.colours))
    writer = StreamWriter(document, book)
    writer.begin()
    for number in (1, 2, 3):
        writer.add_unit(DraftSentence(f"Other {number}."), (_note(number),))
    editor.move_cursor(0)
    editor.insertFromMimeData(copied)
    _settle(qtbot, editor)
    assert editor.toPlainText().startswith(f"Beta.{NARROW_SPACE}1Other 1.")
    (pasted,) = find_marks(editor.document())
    assert editor.book.footnotes[pasted.footnote] == _note(2)


def test_the_list_shows_the_sources_of_the_draft_in_view(qtbot: QtBot) -> None:
    shown = FootnoteList(IconSet(resources_path() / "icons", QPalette()))
    qtbot.addWidget(shown)
    shown.show_footnotes([(1, 1, _note(1))], frozenset())
    shown.show_footnotes([(1, 1, _note(2))], frozenset())
    assert "f2.md" in shown.item(0).text()


def test_the_mark_under_a_line_at_the_edge_is_in_view(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    cursor = editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("\nA line." * 60)
    editor.move_cursor(0)
    height = editor.viewport().height()
    for block in range(20, 50):
        editor.move_cursor(editor.document().findBlockByNumber(block).position())
        assert editor.cursorRect().bottom() + 6 <= height, block

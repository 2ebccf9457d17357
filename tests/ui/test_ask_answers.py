"""What is done with an answer: asked again, inserted, copied, cited, kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextTable
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.ui.ask.transcript import turn_menu
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.ui.ask.turn_writer import TurnWriter, Unfolded
from phasergun_desktop.ui.editor.draft_book import DraftBook
from tests.fakes.ui_asking import answered_turn
from tests.fakes.ui_documents import DEVICE, PREDICATE, SOP
from tests.fakes.ui_units import draft_units
from tests.ui.asking_hands import QUESTION, ask, go_to, panel_of, text_of
from tests.ui.conftest import OpenDesk

# With an answer -----------------------------------------------------------------------------------


def test_asking_again_replaces_the_last_answer_alone(desk: OpenDesk) -> None:
    first, last = ask(desk, QUESTION), ask(desk, "And its range?")
    for turn in (last, first):
        with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
            desk.window.ask_flow.act(Act.AGAIN, turn)
    assert [(asked[0].text, asked[2]) for asked in desk.session.asked[2:]] == [
        ("And its range?", 2),
        (QUESTION, 0),
    ]
    assert [turn.number for turn in panel_of(desk).transcript.turns] == [1, 2, 3]
    shown = text_of(desk).splitlines()
    assert (shown.count(QUESTION), shown.count("And its range?")) == (2, 1)


def test_an_answer_goes_into_the_draft_with_its_footnotes_in_one_step(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    QTest.keyClicks(editor, "Mine.")
    before = editor.toPlainText()
    turn = ask(desk, QUESTION)
    desk.window.ask_flow.act(Act.INSERT, turn)
    desk.window.parts.draft_panel.refresh()
    notes = desk.window.parts.draft_panel.text.footnotes()
    assert [(number, note.quote) for number, _key, note in notes] == [
        (one.number, one.quote) for one in turn.footnotes
    ]
    assert "Mine." in editor.toPlainText()
    assert "amperometrically." in editor.toPlainText()
    # What was found about the sentences came along.
    assert len(desk.window.parts.draft_panel.sentences) == 3
    assert QApplication.focusWidget() is editor
    editor.undo()
    assert editor.toPlainText() == before


def test_one_sentence_goes_into_the_paragraph_at_the_cursor(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    QTest.keyClicks(editor, "Before. Behind.")
    editor.move_cursor(len("Before."))
    unit, notes = next(one for one in draft_units(desk.session.sources) if one[0].citations == (1,))
    turn = replace(
        answered_turn(1, QUESTION, desk.session.sources), sentences=(unit,), footnotes=notes
    )
    desk.window.ask_flow.insert(turn)
    assert editor.toPlainText() == f"Before. {unit.text}\u202f1 Behind."


def test_an_answer_of_several_pieces_splits_no_paragraph(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    QTest.keyClicks(editor, "It measures glucose amperometrically.\rLast.")
    turn = ask(desk, QUESTION)
    for place in (0, len("It measures")):
        editor.move_cursor(place)
        desk.window.ask_flow.insert(turn)
        first, second, *_, last = editor.toPlainText().splitlines()
        assert (first, last) == ("It measures glucose amperometrically.", "Last.")
        assert second
        editor.undo()


def test_an_answer_is_copied_with_its_sources(desk: OpenDesk) -> None:
    turn = ask(desk, QUESTION)
    desk.window.ask_flow.act(Act.COPY, turn)
    data = QGuiApplication.clipboard().mimeData()
    assert "amperometrically.[1]" in data.text()
    assert "## Sources" in data.text()
    assert "mso-element:footnote" in data.html()
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    editor.paste()
    assert len(desk.window.parts.draft_panel.text.footnotes()) == 4


def test_a_source_of_an_answer_is_cited_for_a_sentence_by_key(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    QTest.keyClicks(editor, "The meter measures glucose.")
    turn = ask(desk, QUESTION)
    transcript = panel_of(desk).transcript
    transcript.go_to_turn(1)
    transcript.setFocus()
    transcript.step_link(1)
    desk.window.actions_table["cite"].trigger()
    found = [note for _number, _key, note in desk.window.parts.draft_panel.text.footnotes()]
    assert found == [turn.footnotes[0]]


def test_the_menu_of_a_turn_has_what_its_links_do(desk: OpenDesk) -> None:
    turn = ask(desk, QUESTION)
    menu = turn_menu(panel_of(desk).transcript, turn)
    names = [action.text().replace("&", "") for action in menu.actions() if action.text()]
    assert names == [
        "Ask again", "Edit the question", "Copy with sources", "Insert into the draft",
        "Save as an evaluation question", "This passage is the right one", "Copy the selection",
    ]  # fmt: skip
    assert not menu.actions()[5].isEnabled()
    menu.actions()[1].trigger()
    assert panel_of(desk).composer.box.question == QUESTION
    menu.deleteLater()


def test_questions_are_kept_to_measure_the_project_on(desk: OpenDesk) -> None:
    turn, nothing = ask(desk, QUESTION), ask(desk, "What is the price?")
    flow, transcript = desk.window.ask_flow, panel_of(desk).transcript
    flow.act(Act.KEEP, turn)
    flow.act(Act.KEEP, nothing)
    go_to(transcript, "Device-Description.docx, Device Description › Principle of operation")
    menu = turn_menu(transcript, nothing)
    menu.actions()[5].trigger()
    menu.deleteLater()
    desk.wait(lambda: len(desk.session.kept_questions) == 3)
    whole, unanswered, right = desk.session.kept_questions
    assert whole.files == (DEVICE, PREDICATE, SOP)
    assert whole.passage == turn.footnotes[0].quote
    assert (unanswered.is_answerable, unanswered.files) == (False, ())
    # A question of a conversation is kept with the one before it.
    assert whole.text == QUESTION
    asked = f"What is the price (after “{QUESTION}”)?"
    assert (right.text, right.files) == (asked, (DEVICE,))
    assert right.passage == nothing.unused[0].text


def test_passages_that_were_not_used_unfold(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    transcript = panel_of(desk).transcript
    assert "A measurement takes 5 s" not in text_of(desk)
    go_to(transcript, "2 passages found but not used")
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert "A measurement takes 5 s" in text_of(desk)


@pytest.mark.parametrize(
    ("columns", "rows", "shown"),
    [(8, 1, [(8, 2)]), (3, 1, [(2, 3)]), (8, 3, [(8, 4)]), (8, 9, [(8, 2)] * 9)],
)
def test_a_wide_row_stands_with_a_line_for_each_column(
    desk: OpenDesk, columns: int, rows: int, shown: list[tuple[int, int]]
) -> None:
    cells = tuple(f"value {at}" for at in range(columns))
    header = DraftSentence("", UnitKind.TABLE_ROW, cells=cells, is_header=True)
    row = DraftSentence("", UnitKind.TABLE_ROW, citations=(1,), cells=cells)
    turn = replace(
        answered_turn(1, QUESTION, desk.session.sources), sentences=(header, *[row] * rows)
    )
    document = QTextDocument()
    writer = TurnWriter(document, DraftBook())
    writer.write(writer.add_frame(0), turn, Unfolded())
    frames = document.rootFrame().childFrames()[0].childFrames()
    tables = [each for each in frames if isinstance(each, QTextTable)]
    assert [(each.rows(), each.columns()) for each in tables] == shown

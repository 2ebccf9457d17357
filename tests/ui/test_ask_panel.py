"""Asking in the window: an answer as it comes, its marks, what is done with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.errors import PromptError
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.ui.ask.ask_panel import AskPanel
from phasergun_desktop.ui.ask.question_box import MOST_TYPED, TOO_LONG
from phasergun_desktop.ui.ask.transcript import Transcript
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.ui.ask.turn_menu import turn_menu
from tests.fakes.ui_asking import NOTHING, abstained_turn, answered_turn
from tests.fakes.ui_documents import DEVICE, PREDICATE, SOP
from tests.fakes.ui_session import FakeSession
from tests.fakes.ui_units import draft_units
from tests.ui.conftest import OpenDesk

QUESTION = "What does the meter measure?"
LONG = 500


def _panel(desk: OpenDesk) -> AskPanel:
    return desk.window.parts.ask_panel


def _ask(desk: OpenDesk, text: str) -> Turn:
    panel = _panel(desk)
    desk.window.actions_table["go-ask"].trigger()
    panel.composer.box.put(text)
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        QTest.keyClick(panel.composer.box, Qt.Key.Key_Return)
    return panel.transcript.turns[-1]


def _text(desk: OpenDesk) -> str:
    return str(_panel(desk).transcript.toPlainText())


def _go_to(transcript: Transcript, words: str) -> None:
    """Put the cursor behind ``words``, searched from the end."""
    at = transcript.document().toPlainText().rindex(words)
    cursor = transcript.textCursor()
    cursor.setPosition(at)
    cursor.setPosition(at + len(words), QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.setFocus()


# Asking ---------------------------------------------------------------------------------------


def test_an_answer_has_its_marks_sources_and_confidence(desk: OpenDesk) -> None:
    turn = _ask(desk, QUESTION)
    shown = _text(desk)
    for words in (
        QUESTION,
        "amperometrically.",
        "Confidence: high",
        "2 passages found but not used",
    ):
        assert words in shown
    assert [note.number for note in turn.footnotes] == [1, 2, 3, 4]
    assert _panel(desk).composer.box.question == ""
    assert desk.session.asked == [(Question(QUESTION), "", 0)]


def test_a_mark_opens_its_passage_and_back_leads_to_the_answer(desk: OpenDesk) -> None:
    turn = _ask(desk, QUESTION)
    transcript, source = _panel(desk).transcript, desk.window.parts.source_panel
    transcript.go_to_turn(1)
    transcript.setFocus()
    with desk.qtbot.waitSignal(source.shown, timeout=10_000):
        QTest.keyClick(transcript, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert transcript.chosen_footnote() == turn.footnotes[0]
        assert "Footnote 1: Device-Description.docx" in transcript.accessibleDescription()
        QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert source.target is not None
    assert (source.target.file, source.target.quote) == (DEVICE, turn.footnotes[0].quote)
    desk.window.actions_table["back"].trigger()
    assert transcript.isVisible()
    assert QApplication.focusWidget() is transcript


def test_the_mouse_opens_marks_and_sees_their_quotes(desk: OpenDesk) -> None:
    _ask(desk, QUESTION)
    transcript = _panel(desk).transcript
    transcript.go_to_turn(1)
    transcript.step_link(1)
    cursor = transcript.textCursor()
    point = transcript.cursorRect(cursor).center()
    point.setX(point.x() - 2)
    assert "amperometrically" in transcript.hover_at(point)
    with desk.qtbot.waitSignal(transcript.footnote_activated, timeout=10_000):
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_text_comes_as_it_is_written_and_stop_keeps_what_is_there(desk: OpenDesk) -> None:
    desk.session.ask_gate = threading.Event()
    panel = _panel(desk)
    desk.window.actions_table["go-ask"].trigger()
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: "still still" in _text(desk))
    assert panel.composer.button.text() == "Stop"
    assert desk.window.actions_table["stop"].isEnabled()
    clock = QElapsedTimer()
    clock.start()
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        desk.window.actions_table["stop"].trigger()
    assert clock.elapsed() < 1000
    assert panel.transcript.turns[-1].status is TurnStatus.CANCELLED
    shown = _text(desk)
    assert "Device Description" in shown
    assert "still" not in shown
    assert "Stopped. What was written so far is above." in shown
    assert panel.composer.button.text() == "Ask"
    assert not desk.window.actions_table["stop"].isEnabled()


def test_nothing_of_a_document_or_a_question_is_markup(desk: OpenDesk) -> None:
    evil = '<img src="http://example.com/a.png"><b>bold</b> & <script>x</script>'
    _ask(desk, f"broken {evil}")
    unit = replace(draft_units(desk.session.sources)[1][0], text=evil)
    turn = replace(
        answered_turn(1, evil, desk.session.sources), sentences=(unit,), warnings=(evil,)
    )
    desk.session.keep_conversation("evil", [turn])
    desk.window.ask_flow.open_conversation("evil")
    desk.wait(lambda: _panel(desk).transcript.turns == (turn,))
    assert _text(desk).count(evil) == 3


def test_not_in_these_documents_shows_what_is_nearest(desk: OpenDesk) -> None:
    turn = _ask(desk, "What is the price?")
    shown = _text(desk)
    assert NOTHING in shown
    assert "Nearest passages" in shown
    assert "Confidence" not in shown
    assert "No document matches the filters." in shown
    transcript, source = _panel(desk).transcript, desk.window.parts.source_panel
    _go_to(transcript, "Device-Description.docx, Device Description › Principle of operation")
    with desk.qtbot.waitSignal(source.shown, timeout=10_000):
        assert transcript.open_here()
    assert source.target is not None
    assert source.target.quote == turn.unused[0].text


def test_a_question_waits_while_a_draft_is_written_and_says_so(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    desk.session.gate = threading.Event()
    panel.generate_button.click()
    desk.wait(lambda: "still" in desk.text())
    desk.window.actions_table["go-ask"].trigger()
    composer = _panel(desk).composer
    composer.box.put(QUESTION)
    composer.ask_wanted.emit()
    assert composer.notice.text().startswith("A draft is being written; your question comes next.")
    assert composer.notice.isVisible()
    # The keyboard is in the panel: the question is taken back, the draft goes on.
    desk.window.actions_table["stop"].trigger()
    assert not desk.window.ask_flow.asking.is_running
    assert desk.window.draft_flow.generation.is_running
    assert composer.box.question == QUESTION
    assert not composer.notice.isVisible()
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=10_000):
        desk.session.gate.set()
    assert desk.session.asked == []


def test_a_failure_gives_the_question_back(desk: OpenDesk) -> None:
    desk.session.ask_failure = PromptError("Nothing is asked", "It has no words.", "Type some.")
    panel = _panel(desk)
    panel.composer.box.put("???")
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        panel.composer.button.click()
    assert "It has no words." in desk.window.parts.message_bar.message
    assert panel.composer.box.question == "???"
    assert panel.transcript.turns == ()


def test_a_turn_that_failed_says_why(desk: OpenDesk) -> None:
    assert _ask(desk, "a broken one").status is TurnStatus.ERROR
    assert "The model ended. Ask the question again." in _text(desk)


# How it is asked --------------------------------------------------------------------------------


def test_filters_are_chips_that_can_be_taken_away(desk: OpenDesk) -> None:
    composer = _panel(desk).composer
    sops, kind = Filter(FilterKey.LAYER, "sops"), Filter(FilterKey.KIND, "standard")
    composer.chips.add(sops)
    composer.chips.add(kind)
    composer.chips.add(sops)
    composer.fast_box.setChecked(True)
    assert composer.question().filters == (sops, kind)
    composer.chips.setCurrentRow(0)
    QTest.keyClick(composer.chips, Qt.Key.Key_Delete)
    _ask(desk, QUESTION)
    assert desk.session.asked[0][0] == Question(QUESTION, filters=(kind,), is_fast=True)
    assert "Kind: standard · fast" in _text(desk)


def test_the_models_words_need_a_model(open_desk: Callable[..., OpenDesk]) -> None:
    def without(session: FakeSession) -> None:
        session.model_problem = "No language model is there yet."

    composer = _panel(open_desk(prepare=without)).composer
    composer.model_box.setChecked(True)
    desk_says = composer.model_box.toolTip
    assert not composer.model_box.isEnabled()
    assert desk_says() == "No language model is there yet."
    assert not composer.question().uses_model


def test_shift_return_breaks_the_line_and_the_box_grows_to_five(desk: OpenDesk) -> None:
    desk.window.actions_table["go-ask"].trigger()
    box = _panel(desk).composer.box
    heights = []
    for _ in range(8):
        QTest.keyClicks(box, "word")
        QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        heights.append(box.height())
    assert heights[0] < heights[1] < heights[3] == heights[-1]
    assert box.toPlainText().count("\n") == 8
    assert desk.session.asked == []


def test_a_long_question_is_asked_and_one_beyond_reason_refused(desk: OpenDesk) -> None:
    long = "How long is it? " * 1300
    turn = _ask(desk, long)
    assert turn.question.text == long.strip()
    transcript = _panel(desk).transcript
    assert len(_text(desk)) < 4000
    _go_to(transcript, "Show all of it")
    assert transcript.open_here()
    assert long.strip() in _text(desk)
    box = _panel(desk).composer.box
    QGuiApplication.clipboard().setText("x" * (MOST_TYPED + 1))
    box.paste()
    assert box.question == ""
    assert _panel(desk).composer.notice.text() == TOO_LONG


def test_follow_ups_show_how_they_were_looked_up(desk: OpenDesk) -> None:
    _ask(desk, QUESTION)
    turn = _ask(desk, "And its range?")
    assert "Looked up as: What is the range of the meter?" in _text(desk)
    desk.window.ask_flow.act(Act.REWRITTEN, turn)
    assert _panel(desk).composer.box.question == "What is the range of the meter?"
    assert [asked[1] for asked in desk.session.asked] == ["", "conversation-1"]


# With an answer -----------------------------------------------------------------------------------


def test_asking_again_replaces_the_last_answer_alone(desk: OpenDesk) -> None:
    first, last = _ask(desk, QUESTION), _ask(desk, "And its range?")
    for turn in (last, first):
        with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
            desk.window.ask_flow.act(Act.AGAIN, turn)
    assert [(asked[0].text, asked[2]) for asked in desk.session.asked[2:]] == [
        ("And its range?", 2),
        (QUESTION, 0),
    ]
    assert [turn.number for turn in _panel(desk).transcript.turns] == [1, 2, 3]
    assert _text(desk).count(QUESTION) == 2
    assert _text(desk).count("And its range?") == 1


def test_an_answer_goes_into_the_draft_with_its_footnotes_in_one_step(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    QTest.keyClicks(editor, "Mine.")
    before = editor.toPlainText()
    turn = _ask(desk, QUESTION)
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


def test_an_answer_is_copied_with_its_sources(desk: OpenDesk) -> None:
    turn = _ask(desk, QUESTION)
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
    turn = _ask(desk, QUESTION)
    transcript = _panel(desk).transcript
    transcript.go_to_turn(1)
    transcript.setFocus()
    transcript.step_link(1)
    desk.window.actions_table["cite"].trigger()
    found = [note for _number, _key, note in desk.window.parts.draft_panel.text.footnotes()]
    assert found == [turn.footnotes[0]]


def test_the_menu_of_a_turn_has_what_its_links_do(desk: OpenDesk) -> None:
    turn = _ask(desk, QUESTION)
    menu = turn_menu(_panel(desk).transcript, turn)
    names = [action.text().replace("&", "") for action in menu.actions() if action.text()]
    assert names == [
        "Ask again", "Edit the question", "Copy with sources", "Insert into the draft",
        "Save as an evaluation question", "This passage is the right one", "Copy the selection",
    ]  # fmt: skip
    assert not menu.actions()[5].isEnabled()
    menu.actions()[1].trigger()
    assert _panel(desk).composer.box.question == QUESTION
    menu.deleteLater()


def test_questions_are_kept_to_measure_the_project_on(desk: OpenDesk) -> None:
    turn, nothing = _ask(desk, QUESTION), _ask(desk, "What is the price?")
    flow, transcript = desk.window.ask_flow, _panel(desk).transcript
    flow.act(Act.KEEP, turn)
    flow.act(Act.KEEP, nothing)
    _go_to(transcript, "Device-Description.docx, Device Description › Principle of operation")
    menu = turn_menu(transcript, nothing)
    menu.actions()[5].trigger()
    menu.deleteLater()
    desk.wait(lambda: len(desk.session.kept_questions) == 3)
    whole, unanswered, right = desk.session.kept_questions
    assert whole.files == (DEVICE, PREDICATE, SOP)
    assert whole.passage == turn.footnotes[0].quote
    assert (unanswered.is_answerable, unanswered.files) == (False, ())
    assert (right.text, right.files) == ("What is the price?", (DEVICE,))
    assert right.passage == nothing.unused[0].text


def test_passages_that_were_not_used_unfold(desk: OpenDesk) -> None:
    _ask(desk, QUESTION)
    transcript = _panel(desk).transcript
    assert "A measurement takes 5 s" not in _text(desk)
    _go_to(transcript, "2 passages found but not used")
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert "A measurement takes 5 s" in _text(desk)


# Conversations ------------------------------------------------------------------------------------


def test_the_conversation_in_view_is_there_after_a_restart(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    _ask(desk, QUESTION)
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: len(_panel(again).transcript.turns) == 1)
    assert QUESTION in _panel(again).title_line.text()


def test_another_project_has_none_of_it(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.session.ask_gate = threading.Event()
    panel = _panel(desk)
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: "still" in _text(desk))
    panel.composer.chips.add(Filter(FilterKey.KIND, "standard"))
    other = desk.session.project.root.parent / "other"
    other.mkdir()
    desk.window.keeper.show(other)
    desk.wait(lambda: desk.window.windowTitle().startswith("other"))
    assert _text(desk) == ""
    assert panel.transcript.turns == ()
    assert not desk.window.ask_flow.asking.is_running
    assert panel.composer.chips.filters == ()
    assert panel.composer.box.question == ""


def test_conversations_are_listed_searched_and_opened(desk: OpenDesk) -> None:
    sources = desk.session.sources
    desk.session.keep_conversation("alarms", [answered_turn(1, "Which alarms?", sources)])
    desk.session.keep_conversation("price", [abstained_turn(1, "Which price?", sources)])
    desk.window.actions_table["go-ask"].trigger()
    panel = _panel(desk)
    panel.title_line.click()
    desk.wait(lambda: panel.list.list.count() == 2)
    assert QApplication.focusWidget() is panel.list.box
    QTest.keyClicks(panel.list.box, "alarm")
    desk.wait(lambda: panel.list.list.count() == 1)
    QTest.keyClick(panel.list.box, Qt.Key.Key_Return)
    panel.list.list.setCurrentRow(0)
    QTest.keyClick(panel.list.list, Qt.Key.Key_Return)
    desk.wait(lambda: "Which alarms?" in _text(desk))
    assert panel.transcript.isVisible()
    assert "About alarms" in panel.title_line.text()


def test_a_conversation_is_renamed_and_deleted_after_a_question(desk: OpenDesk) -> None:
    _ask(desk, QUESTION)
    panel = _panel(desk)
    panel.rename.trigger()
    dialog = desk.window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("  The   meter ")
    dialog.accept()
    desk.wait(lambda: "The meter" in panel.title_line.text())
    panel.delete.trigger()
    question = desk.window.findChild(QMessageBox)
    assert question is not None
    assert "The meter" in question.informativeText()
    delete = next(one for one in question.buttons() if one.text() == "Delete")
    delete.click()
    desk.wait(lambda: panel.transcript.turns == ())
    assert desk.session.kept_conversations == {}
    assert not panel.more_button.isEnabled()


def test_a_new_conversation_begins_empty(desk: OpenDesk) -> None:
    _ask(desk, QUESTION)
    _panel(desk).new_button.click()
    assert _panel(desk).transcript.turns == ()
    _ask(desk, "And another?")
    assert [asked[1] for asked in desk.session.asked] == ["", ""]
    assert len(desk.session.kept_conversations) == 2


# A long conversation ------------------------------------------------------------------------------


@pytest.fixture
def long_desk(desk: OpenDesk) -> OpenDesk:
    """A window with a conversation of many turns in view."""
    turns = [answered_turn(n, f"Question {n}?", desk.session.sources) for n in range(1, LONG + 1)]
    desk.session.keep_conversation("long", turns, left_out=7)
    desk.window.actions_table["go-ask"].trigger()
    desk.window.ask_flow.open_conversation("long")
    desk.wait(lambda: len(_panel(desk).transcript.turns) == LONG)
    return desk


def test_a_long_conversation_opens_at_its_end_and_goes_back_by_keyboard(
    long_desk: OpenDesk,
) -> None:
    transcript = _panel(long_desk).transcript
    shown = len(transcript.page.shown)
    assert shown < 20
    assert f"Show earlier questions ({LONG - shown} before)" in _text(long_desk)
    transcript.setFocus()
    control = Qt.KeyboardModifier.ControlModifier
    for _ in range(shown + 1):
        QTest.keyClick(transcript, Qt.Key.Key_Up, control)
    here = transcript.current_turn()
    assert here is not None
    assert here.number == LONG - shown
    assert len(transcript.page.shown) == 2 * shown
    QTest.keyClick(transcript, Qt.Key.Key_Down, control)
    here = transcript.current_turn()
    assert here is not None
    assert here.number == LONG - shown + 1


def test_no_step_of_a_long_conversation_blocks(long_desk: OpenDesk) -> None:
    transcript, sources = _panel(long_desk).transcript, long_desk.session.sources

    def fastest(work: Callable[[], object], times: int = 5) -> int:
        # Others share the machine: the best of some says what the work itself takes.
        taken = []
        for _ in range(times):
            clock = QElapsedTimer()
            clock.start()
            work()
            taken.append(clock.elapsed())
        return min(taken)

    assert fastest(transcript.show_earlier) < 100
    transcript.begin_turn(Turn(LONG + 1, Question("x " * 10_000), ""))
    assert fastest(lambda: transcript.stream("some more words ")) < 40
    unit: DraftSentence = draft_units(sources)[1][0]
    assert fastest(lambda: transcript.add_unit(unit, ())) < 100
    whole = answered_turn(LONG + 1, "x " * 10_000, sources)
    assert fastest(lambda: transcript.end_turn(whole), 1) < 100


def test_what_is_not_read_back_is_said(long_desk: OpenDesk) -> None:
    turns = _panel(long_desk).transcript.turns[:3]
    long_desk.session.keep_conversation("long", turns, left_out=7)
    long_desk.window.ask_flow.open_conversation("long")
    long_desk.wait(lambda: len(_panel(long_desk).transcript.turns) == 3)
    assert "The first 7 questions are kept, and not shown" in _text(long_desk)

"""Asking in the window: an answer as it comes, its marks, and how it is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from phasergun_desktop.conversations.model import Question, TurnStatus
from phasergun_desktop.errors import PromptError
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.ui.ask.ask_flow import LOADS
from phasergun_desktop.ui.ask.composer import ALONE
from phasergun_desktop.ui.ask.question_box import MOST_TYPED, TOO_LONG
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.workspace.model_in_use import RemoteNotice
from phasergun_desktop.writing.model import NEAREST
from tests.fakes.ui_asking import NOTHING, abstained_turn, answered_turn
from tests.fakes.ui_documents import DEVICE, PREDICATE
from tests.fakes.ui_session import FakeSession
from tests.fakes.ui_units import draft_units, passage
from tests.ui.asking_hands import QUESTION, ask, go_to, panel_of, text_of
from tests.ui.conftest import OpenDesk

# Asking ---------------------------------------------------------------------------------------


def test_an_answer_has_its_marks_sources_and_confidence(desk: OpenDesk) -> None:
    turn = ask(desk, QUESTION)
    shown = text_of(desk)
    for words in (
        QUESTION,
        "amperometrically.",
        "Confidence: high",
        "2 passages found but not used",
    ):
        assert words in shown
    assert [note.number for note in turn.footnotes] == [1, 2, 3, 4]
    assert panel_of(desk).composer.box.question == ""
    assert desk.session.asked == [(Question(QUESTION), "", 0)]


def test_a_mark_opens_its_passage_and_back_leads_to_the_answer(desk: OpenDesk) -> None:
    turn = ask(desk, QUESTION)
    transcript, source = panel_of(desk).transcript, desk.window.parts.source_panel
    transcript.go_to_turn(1)
    transcript.setFocus()
    with desk.qtbot.waitSignal(source.shown, timeout=10_000):
        QTest.keyClick(transcript, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert transcript.chosen_footnote() == turn.footnotes[0]
        assert "Footnote 1: Device-Description.docx" in transcript.accessibleDescription()
        QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert source.target is not None
    assert (source.target.file, source.target.quote) == (DEVICE, turn.footnotes[0].quote)
    # Both are in view: who reads an answer looks into its source.
    for each in (transcript.viewport(), source):
        assert not each.visibleRegion().isEmpty()
    desk.window.actions_table["back"].trigger()
    assert transcript.isVisible()
    assert QApplication.focusWidget() is transcript


def test_the_mouse_opens_marks_and_sees_their_quotes(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    transcript = panel_of(desk).transcript
    transcript.go_to_turn(1)
    transcript.step_link(1)
    cursor = transcript.textCursor()
    point = transcript.cursorRect(cursor).center()
    point.setX(point.x() - 2)
    assert "amperometrically" in transcript.hover_at(point)
    with desk.qtbot.waitSignal(transcript.footnote_activated, timeout=10_000):
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=point)


@pytest.mark.parametrize(
    "stop",
    [
        lambda desk: desk.window.actions_table["stop"].trigger(),
        lambda desk: desk.window.parts.status_bar.stop_button.click(),
        lambda desk: desk.window.parts.ask_panel.composer.button.click(),
    ],
    ids=["key", "status bar", "panel"],
)
def test_text_comes_as_it_is_written_and_stop_keeps_what_is_there(
    desk: OpenDesk, stop: Callable[[OpenDesk], None]
) -> None:
    desk.session.ask_gate = threading.Event()
    panel = panel_of(desk)
    desk.window.actions_table["go-ask"].trigger()
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: "still still" in text_of(desk))
    assert panel.composer.button.text() == "Stop"
    assert desk.window.actions_table["stop"].isEnabled()
    clock = QElapsedTimer()
    clock.start()
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        stop(desk)
    assert clock.elapsed() < 1000
    assert panel.transcript.turns[-1].status is TurnStatus.CANCELLED
    shown = text_of(desk)
    assert "Device Description" in shown
    assert "still" not in shown
    assert "Stopped. What was written so far is above." in shown
    assert panel.composer.button.text() == "Ask"
    assert not desk.window.actions_table["stop"].isEnabled()


def test_an_engine_that_hears_no_stop_gives_the_panel_back_within_a_second(
    desk: OpenDesk,
) -> None:
    desk.session.ask_deaf = threading.Event()
    panel = panel_of(desk)
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: len(panel.transcript.turns) == 1)
    clock = QElapsedTimer()
    clock.start()
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        panel.composer.button.click()
    assert clock.elapsed() < 1000
    assert "Stopped before anything was written." in text_of(desk)
    assert panel.composer.button.text() == "Ask"
    desk.session.ask_deaf.set()
    desk.wait(lambda: not desk.window.runners.answering.is_busy)
    desk.session.ask_deaf = None
    assert ask(desk, "And now?").number == 2


def test_nothing_is_sent_before_the_writer_agrees(desk: OpenDesk) -> None:
    panel, again = panel_of(desk), list[Callable[[], None]]()

    def ask_first(then: Callable[[], None]) -> bool:
        again.append(then)
        return False

    desk.window.ask_flow.may_send = ask_first
    panel.composer.model_box.setChecked(True)
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    assert not desk.window.ask_flow.asking.is_running
    assert panel.composer.box.question == QUESTION
    desk.window.ask_flow.may_send = lambda _then: True
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        again[0]()
    assert desk.session.asked[0][0] == Question(QUESTION, uses_model=True)


def test_nothing_of_a_document_or_a_question_is_markup(desk: OpenDesk) -> None:
    evil = '<img src="http://example.com/a.png"><b>bold</b> & <script>x</script>'
    ask(desk, f"broken {evil}")
    unit = replace(draft_units(desk.session.sources)[1][0], text=evil)
    turn = replace(
        answered_turn(1, evil, desk.session.sources), sentences=(unit,), warnings=(evil,)
    )
    desk.session.keep_conversation("evil", [turn])
    desk.window.conversation_flow.open("evil")
    desk.wait(lambda: panel_of(desk).transcript.turns == (turn,))
    assert text_of(desk).count(evil) == 3


def test_not_in_these_documents_shows_what_is_nearest(desk: OpenDesk) -> None:
    turn = ask(desk, "What is the price?")
    shown = text_of(desk)
    assert NOTHING in shown
    assert "Nearest passages" in shown
    assert "Confidence" not in shown
    assert "No document matches the filters." in shown
    transcript, source = panel_of(desk).transcript, desk.window.parts.source_panel
    go_to(transcript, "Device-Description.docx, Device Description › Principle of operation")
    with desk.qtbot.waitSignal(source.shown, timeout=10_000):
        assert transcript.open_here()
    assert source.target is not None
    assert source.target.quote == turn.unused[0].text


def test_an_answer_that_is_higher_than_the_view_begins_with_its_question(desk: OpenDesk) -> None:
    transcript = panel_of(desk).transcript
    transcript.setFixedHeight(10 * transcript.fontMetrics().lineSpacing())
    for question in (QUESTION, "What is the price?"):
        turn = ask(desk, question)
        bar = transcript.verticalScrollBar()
        assert bar.value() == transcript.top_of(turn.number) < bar.maximum()


def test_of_many_near_passages_three_are_shown_and_none_twice(desk: OpenDesk) -> None:
    sources = desk.session.sources
    quotes = ("Page 1, paragraph 2", "Page 1, paragraph 3", "Page 2, paragraph 3")
    near = tuple(passage(sources[PREDICATE], quote) for quote in quotes)
    turn = abstained_turn(1, "What is the price?", sources)
    turn = replace(
        turn,
        text=f"{NOTHING}\n\n{NEAREST}\n\n- “Page 1” (K231192.pdf)",
        unused=(*near, *turn.unused),
    )
    desk.session.keep_conversation("near", [turn])
    desk.window.conversation_flow.open("near")
    desk.wait(lambda: panel_of(desk).transcript.turns == (turn,))
    shown = text_of(desk)
    assert NEAREST not in shown
    assert [shown.count(quote) for quote in quotes] == [1, 1, 1]
    assert "dehydrogenase" not in shown
    go_to(panel_of(desk).transcript, "1 more passage found but not used")
    assert panel_of(desk).transcript.open_here()
    assert "dehydrogenase" in text_of(desk)


def test_a_question_waits_while_a_draft_is_written_and_says_so(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    desk.session.gate = threading.Event()
    panel.generate_button.click()
    desk.wait(lambda: "still" in desk.text())
    desk.window.actions_table["go-ask"].trigger()
    composer = panel_of(desk).composer
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


def test_a_question_waits_for_what_is_loaded_and_says_so(desk: OpenDesk) -> None:
    loaded = threading.Event()
    desk.window.runners.answering.submit_call(loaded.wait)
    composer = panel_of(desk).composer
    composer.box.put(QUESTION)
    composer.button.click()
    assert composer.notice.text() == LOADS
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        loaded.set()
    assert composer.notice.text() == ""
    assert len(desk.session.asked) == 1


def test_a_failure_gives_the_question_back(desk: OpenDesk) -> None:
    desk.session.ask_failure = PromptError("Nothing is asked", "It has no words.", "Type some.")
    panel = panel_of(desk)
    panel.composer.box.put("???")
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        panel.composer.button.click()
    assert "It has no words." in desk.window.parts.message_bar.message
    assert panel.composer.box.question == "???"
    assert panel.transcript.turns == ()


def test_a_turn_that_failed_says_why(desk: OpenDesk) -> None:
    assert ask(desk, "a broken one").status is TurnStatus.ERROR
    assert "The model ended. Ask the question again." in text_of(desk)


# How it is asked --------------------------------------------------------------------------------


def test_filters_are_chips_that_can_be_taken_away(desk: OpenDesk) -> None:
    composer = panel_of(desk).composer
    sops, kind = Filter(FilterKey.LAYER, "sops"), Filter(FilterKey.KIND, "standard")
    composer.chips.add(sops)
    composer.chips.add(kind)
    composer.chips.add(sops)
    composer.fast_box.setChecked(True)
    assert composer.question().filters == (sops, kind)
    composer.chips.setCurrentRow(0)
    QTest.keyClick(composer.chips, Qt.Key.Key_Delete)
    ask(desk, QUESTION)
    assert desk.session.asked[0][0] == Question(QUESTION, filters=(kind,), is_fast=True)
    assert "Kind: standard · fast" in text_of(desk)


def test_the_models_words_need_a_model(open_desk: Callable[..., OpenDesk]) -> None:
    def without(session: FakeSession) -> None:
        session.model_problem = "No language model is there yet."

    desk = open_desk(prepare=without)
    composer = panel_of(desk).composer
    composer.model_box.setChecked(True)
    desk.wait(lambda: not composer.model_box.isEnabled())
    assert composer.model_box.toolTip() == "No language model is there yet."
    assert not composer.question().uses_model


def test_the_models_words_are_wished_for_from_a_server_alone(desk: OpenDesk) -> None:
    composer, status = panel_of(desk).composer, desk.window.parts.status_bar
    assert not composer.model_box.isChecked()
    address = ("https://server.invalid/v1", "server.invalid:443")
    notice = RemoteNotice(
        ModelProfile.BALANCED,
        "large",
        *address,
        is_this_machine=False,
        has_consent=True,
        sends_confidential=False,
    )
    status.show_remote(notice)
    assert composer.model_box.isChecked()
    composer.model_box.setChecked(False)
    status.show_remote(notice)
    assert not composer.model_box.isChecked()
    composer.model_box.setChecked(True)
    status.show_remote(None)
    assert not composer.model_box.isChecked()
    # What is said of the model later is heard too.
    desk.window.parts.prompt_panel.set_model_problem("The model is gone.")
    assert not composer.model_box.isEnabled()


def test_shift_return_breaks_the_line_and_the_box_grows_to_five(desk: OpenDesk) -> None:
    desk.window.actions_table["go-ask"].trigger()
    box = panel_of(desk).composer.box
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
    turn = ask(desk, long)
    assert turn.question.text == long.strip()
    transcript = panel_of(desk).transcript
    assert len(text_of(desk)) < 4000
    go_to(transcript, "Show all of it")
    assert transcript.open_here()
    assert long.strip() in text_of(desk)
    box = panel_of(desk).composer.box
    QGuiApplication.clipboard().setText("x" * (MOST_TYPED + 1))
    box.paste()
    assert box.question == ""
    assert panel_of(desk).composer.notice.text() == TOO_LONG


def test_questions_show_what_they_were_looked_up_with(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    assert "Looked up" not in text_of(desk)
    ask(desk, "And its range?")
    assert f"And its range?\nLooked up with: “{QUESTION}”\n" in text_of(desk)
    ask(desk, "since when?")
    assert f"Looked up with: “{QUESTION}”, “And its range?”\n" in text_of(desk)
    assert [asked[1] for asked in desk.session.asked] == ["", *["conversation-1"] * 2]


def test_a_question_is_completed_and_looked_up_alone(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    turn = ask(desk, "And its range?")
    composer = panel_of(desk).composer
    go_to(panel_of(desk).transcript, f"“{QUESTION}”")
    QTest.keyClick(panel_of(desk).transcript, Qt.Key.Key_Return)
    assert composer.box.question == turn.question.text
    assert composer.notice.text() == ALONE
    whole = "What is the range of the meter?"
    alone = ask(desk, whole)
    assert desk.session.asked[-1][0] == Question(whole, rewritten=whole)
    assert (alone.before, alone.rewritten) == ((), whole)
    assert f"{whole}\nLooked up" not in text_of(desk)
    assert not composer.notice.isVisible()
    # Edited, it stays so; the next question goes on again.
    desk.window.ask_flow.act(Act.EDIT, alone)
    assert composer.question() == Question(whole, rewritten=whole)
    desk.window.ask_flow.act(Act.EDIT, turn)
    assert (composer.question(), composer.notice.text()) == (turn.question, "")
    desk.window.ask_flow.act(Act.REWRITTEN, turn)
    composer.box.clear()
    assert composer.notice.text() == ""
    assert ask(desk, "since when?").before == (turn.question.text, whole)


def test_a_whole_question_that_failed_is_still_looked_up_alone(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    turn = ask(desk, "And its range?")
    desk.window.ask_flow.act(Act.REWRITTEN, turn)
    composer = panel_of(desk).composer
    desk.session.ask_failure = PromptError("Nothing is asked", "No words.", "Ask again.")
    composer.button.click()
    desk.wait(lambda: not desk.window.ask_flow.asking.is_running)
    asked = turn.question.text
    assert composer.question() == Question(asked, rewritten=asked)
    assert composer.notice.text() == ALONE


def test_a_turn_of_an_earlier_version_shows_its_whole_question(desk: OpenDesk) -> None:
    whole = "What is the range of the meter?"
    turn = answered_turn(1, "And its range?", desk.session.sources)
    desk.session.keep_conversation("old", [replace(turn, rewritten=whole)])
    desk.window.conversation_flow.open("old")
    desk.wait(lambda: f"Looked up as: {whole}" in text_of(desk))
    desk.window.ask_flow.act(Act.REWRITTEN, panel_of(desk).transcript.turns[0])
    assert panel_of(desk).composer.question() == Question(whole, rewritten=whole)

"""Conversations: kept, listed, named, deleted, and as long as they get."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox

from phasergun_desktop.conversations.model import Question, Turn
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.ui.ask.conversation_page import EMPTY
from tests.fakes.ui_asking import abstained_turn, answered_turn
from tests.fakes.ui_units import draft_units
from tests.ui.asking_hands import QUESTION, ask, panel_of, text_of
from tests.ui.conftest import OpenDesk

LONG = 500


# Conversations ------------------------------------------------------------------------------------


def test_the_conversation_in_view_is_there_after_a_restart(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    ask(desk, QUESTION)
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: len(panel_of(again).transcript.turns) == 1)
    assert QUESTION in panel_of(again).title_line.text()


def test_an_answer_goes_when_its_document_is_hidden(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    ((name, kept),) = desk.session.kept_conversations.items()
    (turn,) = kept.turns
    without = replace(turn, text="", sentences=(), footnotes=(), error="Its document is hidden.")
    desk.session.kept_conversations[name] = replace(kept, turns=(without,))
    desk.window.keeper.synced.emit(SyncReport(1, 0, 0, 0, False, 0.1))
    desk.wait(lambda: "Its document is hidden." in text_of(desk))
    assert turn.sentences[0].text not in text_of(desk)


def test_another_project_has_none_of_it(desk: OpenDesk) -> None:
    desk.session.ask_gate = threading.Event()
    panel = panel_of(desk)
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: "still" in text_of(desk))
    panel.composer.chips.add(Filter(FilterKey.KIND, "standard"))
    other = desk.session.project.root.parent / "other"
    other.mkdir()
    desk.window.keeper.show(other)
    desk.wait(lambda: desk.window.windowTitle().startswith("other"))
    assert text_of(desk).strip() == EMPTY
    assert panel.transcript.turns == ()
    assert not desk.window.ask_flow.asking.is_running
    assert panel.composer.chips.filters == ()
    assert panel.composer.box.question == ""


def test_the_one_in_view_goes_on_when_it_is_chosen_in_the_list(desk: OpenDesk) -> None:
    desk.session.ask_gate = threading.Event()
    panel = panel_of(desk)
    panel.composer.box.put(QUESTION)
    panel.composer.button.click()
    desk.wait(lambda: "still" in text_of(desk))
    panel.title_line.fold(False)
    desk.wait(lambda: panel.list.list.count() == 1)
    panel.list.chosen.emit(panel.list.list.item(0).data(Qt.ItemDataRole.UserRole))
    assert panel.title_line.is_folded
    assert desk.window.ask_flow.asking.is_running
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        desk.session.ask_gate.set()
    assert "amperometrically." in text_of(desk)


def test_conversations_are_listed_searched_and_opened(desk: OpenDesk) -> None:
    sources = desk.session.sources
    desk.session.keep_conversation("alarms", [answered_turn(1, "Which alarms?", sources)])
    desk.session.keep_conversation("price", [abstained_turn(1, "Which price?", sources)])
    desk.window.actions_table["go-ask"].trigger()
    panel = panel_of(desk)
    panel.title_line.click()
    desk.wait(lambda: panel.list.list.count() == 2)
    assert QApplication.focusWidget() is panel.list.box
    QTest.keyClicks(panel.list.box, "alarm")
    desk.wait(lambda: panel.list.list.count() == 1)
    QTest.keyClick(panel.list.box, Qt.Key.Key_Return)
    panel.list.list.setCurrentRow(0)
    QTest.keyClick(panel.list.list, Qt.Key.Key_Return)
    desk.wait(lambda: "Which alarms?" in text_of(desk))
    assert panel.transcript.isVisible()
    assert "About alarms" in panel.title_line.text()


def test_a_conversation_is_renamed_and_deleted_after_a_question(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    panel = panel_of(desk)
    panel.rename.trigger()
    dialog = desk.window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("  The   meter & strip ")
    dialog.accept()
    # (An ampersand alone would be a mnemonic.)
    desk.wait(lambda: panel.title_line.text() == " Conversation: The meter && strip")
    assert panel.title_line.accessibleName() == "Conversation: The meter & strip"
    panel.delete.trigger()
    question = desk.window.findChild(QMessageBox)
    assert question is not None
    assert "The meter & strip" in question.informativeText()
    delete = next(one for one in question.buttons() if one.text() == "Delete")
    delete.click()
    desk.wait(lambda: panel.transcript.turns == ())
    assert desk.session.kept_conversations == {}
    assert not panel.more_button.isEnabled()


def test_a_new_conversation_begins_empty(desk: OpenDesk) -> None:
    ask(desk, QUESTION)
    panel_of(desk).new_button.click()
    assert panel_of(desk).transcript.turns == ()
    ask(desk, "And another?")
    assert [asked[1] for asked in desk.session.asked] == ["", ""]
    assert len(desk.session.kept_conversations) == 2


# A long conversation ------------------------------------------------------------------------------


@pytest.fixture
def long_desk(desk: OpenDesk) -> OpenDesk:
    """A window with a conversation of many turns in view."""
    turns = [answered_turn(n, f"Question {n}?", desk.session.sources) for n in range(1, LONG + 1)]
    desk.session.keep_conversation("long", turns, left_out=7)
    desk.window.actions_table["go-ask"].trigger()
    desk.window.conversation_flow.open("long")
    desk.wait(lambda: len(panel_of(desk).transcript.turns) == LONG)
    return desk


def test_a_long_conversation_opens_at_its_end_and_goes_back_by_keyboard(
    long_desk: OpenDesk,
) -> None:
    transcript = panel_of(long_desk).transcript
    shown = len(transcript.page.shown)
    assert shown < 20
    assert f"Show earlier questions ({LONG - shown} before)" in text_of(long_desk)
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
    transcript, sources = panel_of(long_desk).transcript, long_desk.session.sources

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
    turns = panel_of(long_desk).transcript.turns[:3]
    long_desk.session.keep_conversation("cut", turns, left_out=7)
    long_desk.window.conversation_flow.open("cut")
    long_desk.wait(lambda: len(panel_of(long_desk).transcript.turns) == 3)
    assert "The first 7 questions are kept, and not shown" in text_of(long_desk)

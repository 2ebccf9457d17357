"""Marks of answers as each profile words them: on the screen, as they come, and copied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.grounding.citation_style import CitationStyle
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.ui.ask.transcript import Transcript
from phasergun_desktop.ui.ask.turn_formats import Act
from tests.fakes.marked_passage import marked_in
from tests.fakes.ui_asking import ASKED
from tests.fakes.ui_formats import TRANSCRIPT, transcript
from tests.fakes.ui_units import footnote
from tests.ui.asking_hands import QUESTION, ask, panel_of, text_of
from tests.ui.conftest import OpenDesk

STORE = ProfileStore(resources_path(), resources_path() / "no own profiles")
CHUNK = "0123abcd0123abcd9999"
SPACE = "\u202f"
SAID = "The session ended."


def _use(desk: OpenDesk, profile: str) -> None:
    desk.session.citations = CitationStyle(STORE.load(profile).citation)


def _show(desk: OpenDesk, profile: str, *notes: Footnote) -> Turn:
    """Show a kept answer of one sentence that cites ``notes``."""
    styled = tuple(map(CitationStyle(STORE.load(profile).citation).styled, notes))
    numbers = tuple(note.number for note in notes)
    said = (DraftSentence(SAID, citations=numbers, starts_paragraph=True),)
    turn = Turn(1, Question("What?"), ASKED, TurnStatus.COMPLETE, sentences=said, footnotes=styled)
    desk.session.keep_conversation("kept", [turn])
    desk.window.conversation_flow.open("kept")
    desk.wait(lambda: SAID in text_of(desk))
    return turn


def _spoken(desk: OpenDesk) -> tuple[Footnote, Footnote]:
    """Return footnotes on two cues of a transcript of the project."""
    source = transcript()
    desk.session.sources[TRANSCRIPT] = source
    blocks = [source.document.block_text(source.document.blocks[at]) for at in (1, 2)]
    first, second = (footnote(n, source, text) for n, text in enumerate(blocks, start=1))
    return replace(first, chunk_id=ChunkId(CHUNK)), replace(second, chunk_id=ChunkId("9" * 20))


def _to_first_mark(shown: Transcript) -> None:
    shown.go_to_turn(1)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)


@pytest.mark.parametrize(
    ("profile", "mark", "line"),
    [
        ("regulatory", "1", "1  Context: Context/Initiation/Device-Description.docx, "),
        ("literature", "1", '1  "Device Description", '),
        ("disclosure", "[Citation 1]", "[Citation 1]  Device Description, Principle of "),
        ("evidence", "[cite:c1…]", "1  Context/Initiation/Device-Description.docx, "),
        (
            "knowledge-base",
            "[source: Device Description, Principle of operation]",
            "1  Device Description: Context/Initiation/",
        ),
    ],
)
def test_marks_and_list_are_those_of_the_profile_also_while_they_come(
    desk: OpenDesk, profile: str, mark: str, line: str
) -> None:
    _use(desk, profile)
    bound = f"amperometrically.{SPACE}{mark} "
    seen: list[bool] = []
    desk.window.ask_flow.asking.unit_bound.connect(lambda *_: seen.append(bound in text_of(desk)))
    turn = ask(desk, QUESTION)
    assert any(seen)
    shown = text_of(desk)
    assert bound in shown
    assert f"\n{line}" in shown
    transcript = panel_of(desk).transcript
    _to_first_mark(transcript)
    assert transcript.textCursor().selectedText() == f"{SPACE}{mark}"
    assert transcript.chosen_footnote() == turn.footnotes[0]


def test_a_click_on_a_spoken_source_shows_its_cue(desk: OpenDesk) -> None:
    first, second = _spoken(desk)
    _show(desk, "knowledge-base", first, second)
    assert f"{SAID}{SPACE}[source: Session 4, t=0:03]{SPACE}[source: Session 4, t=0:07]" in (
        text_of(desk)
    )
    shown, source = panel_of(desk).transcript, desk.window.parts.source_panel
    _to_first_mark(shown)
    with desk.qtbot.waitSignal(source.shown, timeout=10_000):
        QTest.keyClick(shown, Qt.Key.Key_Return)
    assert marked_in(source) == first.quote


def test_two_passages_of_one_place_have_one_mark_and_two_lines(desk: OpenDesk) -> None:
    first, _ = _spoken(desk)
    _show(desk, "knowledge-base", first, replace(first, number=2, start=first.start + 1))
    assert text_of(desk).count("[source: Session 4, t=0:03]") == 1
    assert text_of(desk).count("Session 4: ") == 2


def test_an_id_is_short_on_the_screen_and_whole_everywhere_else(desk: OpenDesk) -> None:
    turn = _show(desk, "evidence", *_spoken(desk))
    shown, whole = panel_of(desk).transcript, f"[cite:{CHUNK}]"
    assert f"{SAID}{SPACE}[cite:0123abcd…]{SPACE}[cite:99999999…]" in text_of(desk)
    _to_first_mark(shown)
    cursor = shown.textCursor()
    point = shown.cursorRect(cursor).center()
    point.setX(point.x() - 2)
    assert whole in shown.hover_at(point)
    shown.selectAll()
    shown.copy()
    copied = QGuiApplication.clipboard().text()
    assert f"{SAID}{SPACE}{whole}{SPACE}[cite:{'9' * 20}]" in copied
    assert copied.replace(CHUNK, "0123abcd…").replace("9" * 20, "99999999…") == (
        text_of(desk).replace(CHUNK, "0123abcd…").replace("9" * 20, "99999999…")
    )
    desk.window.ask_flow.act(Act.COPY, turn)
    assert f"{SAID}{whole}" in QGuiApplication.clipboard().text()


def test_numbers_are_copied_as_they_stand(desk: OpenDesk) -> None:
    _show(desk, "regulatory", *_spoken(desk))
    shown = panel_of(desk).transcript
    shown.selectAll()
    shown.copy()
    assert f"{SAID}{SPACE}1,{SPACE}2\n" in QGuiApplication.clipboard().text()


def test_in_a_draft_the_marks_are_numbers(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: not editor.isReadOnly())
    editor.setPlainText("")
    desk.window.ask_flow.insert(_show(desk, "evidence", *_spoken(desk)))
    assert editor.toPlainText() == f"{SAID}{SPACE}1,{SPACE}2"

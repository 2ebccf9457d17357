"""Conversations of many turns: numbers never change, and follow-ups find what full questions do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.conversations.conversation_store import MOST_TURNS, time_now
from phasergun_desktop.conversations.model import Question, Turn, TurnStarted, TurnStatus
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.workspace.conftest import places_in

# A follow-up stands beside its full question, which finds the same.
TURNS = (
    ("How long must CAPA records be kept?", ""),
    ("and for training records?", "How long must training records be kept?"),
    ("Who approves them?", "Who approves training records?"),
    ("Which enzyme is on the GlucoTrace G2 test strip?", ""),
    ("Is action A-17 still open?", ""),
    ("Who approves a major change?", ""),
    ("and a minor change?", "Who approves a minor change?"),
    ("How is risk calculated in the risk management procedure?", ""),
    ("how often?", "How often is risk calculated in the risk management procedure?"),
    ("What minimum sample volume does K231192 state?", ""),
    ("and K233058?", "What minimum sample volume does K233058 state?"),
    ("How long must CAPA records be kept?", ""),
)


def _ask(session: ProjectSession, text: str, name: str) -> tuple[Turn, str]:
    events: list[Event] = []
    job = session.ask(Question(text), name, should_stop=lambda: False)
    turn = run_to_end(job, events.append)
    return turn, next(e.conversation_id for e in events if isinstance(e, TurnStarted))


def _places(turn: Turn) -> set[tuple[str, int, int]]:
    return {(note.file, note.start, note.end) for note in turn.footnotes}


@pytest.fixture(scope="module")
def glucose(
    test_data: Path, tmp_path_factory: pytest.TempPathFactory, models_path: Path
) -> Iterator[ProjectSession]:
    """The project of a glucose meter."""
    made = build_application(places_in(tmp_path_factory.mktemp("home"), models_path))
    session = made.workspace.open(test_data / "project-glucose")
    run_to_end(session.sync())
    yield session
    session.close()
    made.close()


@pytest.mark.slow
def test_twelve_turns_on_real_documents(glucose: ProjectSession) -> None:
    name = ""
    numbered: dict[int, Footnote] = {}
    asked: list[str] = []
    for text, full in TURNS:
        turn, name = _ask(glucose, text, name)
        # What names all that it asks for is looked up alone.
        assert turn.before[-1:] == (tuple(asked[-1:]) if full else ())
        asked.append(text)
        for note in turn.footnotes:
            assert numbered.setdefault(note.number, note) == note
            assert note.rendered in turn.text
        if full:
            alone, _ = _ask(glucose, full, "")
            assert _places(alone) == _places(turn)
            assert alone.status is turn.status
    kept = glucose.conversation(name)
    assert [turn.number for turn in kept.turns] == list(range(1, 13))
    assert sorted(numbered) == list(range(1, len(numbered) + 1))
    assert kept.turns[0].footnotes == kept.turns[-1].footnotes
    # One number for each passage.
    passages = [(n.file, n.start, n.end, n.title) for n in numbered.values()]
    assert len(set(passages)) == len(passages)


def test_a_very_long_conversation_is_trimmed_and_its_numbers_stay(
    shared_session: ProjectSession,
) -> None:
    question = "At which temperature does the alarm sound?"
    first, name = _ask(shared_session, question, "")
    with shared_session._work.transaction():
        store = shared_session._work.conversations
        for _ in range(MOST_TURNS - 1):
            store.start(name, Turn(0, Question("Why?"), time_now(), TurnStatus.ABSTAINED))
    turn, _ = _ask(shared_session, question, name)
    assert turn.number == MOST_TURNS + 1
    assert any("first ones are kept" in each for each in turn.warnings)
    assert turn.footnotes == first.footnotes
    read = shared_session.conversation(name)
    assert (len(read.turns), read.left_out) == (MOST_TURNS, 1)

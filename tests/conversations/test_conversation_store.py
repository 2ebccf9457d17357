"""Conversations come back as they were, after a kill and after damage too."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.conversations.conversation_store import (
    MOST_TURNS,
    ConversationStore,
    title_of,
)
from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.conversations.turn_codec import turn_from_json, turn_to_json
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.storage.safety_copies import SafetyCopies
from phasergun_desktop.workspace.work_storage import (
    WORK_FILE,
    WORK_MIGRATIONS,
    WorkStorage,
    open_work,
)
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel, Criterion

NOTE = Footnote(1, "context", "[1] Context: a.md", "A", "a.md", "s" * 64, quote="Word.", end=5)
PASSAGE = Passage(
    1, "a.md", "s" * 64, "A", Layer.GENERAL, ChunkId("c"), 0, 5, "Word.", ("Heading",), 0.5
)


def _asked(text: str) -> Turn:
    return Turn(0, Question(text), "2026-01-02T03:04:05.000+00:00")


def _answered(turn: Turn, text: str, *numbers: int) -> Turn:
    notes = tuple(
        replace(NOTE, number=n, rendered=f"[{n}] Context: a.md", start=n) for n in numbers
    )
    return replace(
        turn,
        status=TurnStatus.COMPLETE,
        text=text,
        sentences=(DraftSentence(text, citations=numbers),),
        footnotes=notes,
        confidence=Confidence(ConfidenceLevel.HIGH, 0.9, (Criterion("margin", 0.9, "far"),), "so"),
        band="high",
        unused=(PASSAGE,),
        warnings=("One.",),
        model="extractive",
        total_ms=12.5,
    )


@pytest.fixture
def work(tmp_path: Path) -> Iterator[WorkStorage]:
    """A work database."""
    made = open_work(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def store(work: WorkStorage) -> ConversationStore:
    """Its conversations."""
    return work.conversations


def _fill(store: ConversationStore, name: str = "c", turns: int = 3) -> list[Turn]:
    store.create(name, "How loud is the alarm?")
    kept = []
    for at in range(1, turns + 1):
        turn = _answered(store.start(name, _asked(f"Question {at}?")), f"Answer {at}.", at)
        store.finish(name, turn)
        kept.append(turn)
    return kept


def test_turns_come_back_as_they_were(store: ConversationStore) -> None:
    turns = _fill(store)
    found = store.load("c")
    assert found.turns == tuple(turns)
    assert [turn.number for turn in found.turns] == [1, 2, 3]
    assert found.title == "How loud is the alarm?"
    assert store.cited("c").highest == 3
    assert store.cited("c").notes == tuple(turn.footnotes[0] for turn in turns)


def test_a_question_is_kept_before_its_answer(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    work.conversations.create("c", "Why?")
    work.conversations.start("c", _asked("Why?"))
    # As after a kill: nothing is closed.
    with closing(sqlite3.connect(tmp_path / WORK_FILE)) as other:
        assert other.execute("SELECT count(*) FROM turns").fetchone() == (1,)
    again = open_work(tmp_path)
    (turn,) = again.conversations.load("c").turns
    assert (turn.status, turn.question.text) == (TurnStatus.STARTED, "Why?")
    again.database.close()
    work.database.close()


def test_a_turn_asked_again_takes_its_place_and_numbers_stay(store: ConversationStore) -> None:
    _fill(store)
    turn = store.start("c", _asked("Other?"), again=2)
    assert turn.number == 2
    assert [each.number for each in store.load("c").turns] == [1, 2]
    # The sources of what was removed keep their numbers.
    assert store.cited("c").highest == 3


def test_the_answer_of_a_turn_that_was_replaced_is_not_kept(store: ConversationStore) -> None:
    store.create("c", "A?")
    late = store.start("c", _asked("A?"))
    store.start("c", replace(_asked("B?"), asked="2026-01-02T03:04:06.000+00:00"), again=1)
    store.finish("c", _answered(late, "Late.", 1))
    assert store.load("c").turns[0].status is TurnStatus.STARTED


def test_conversations_are_listed_renamed_searched_and_deleted(store: ConversationStore) -> None:
    _fill(store, "a")
    store.create("b", "Who wrote the Überprüfung?")
    turn = store.start("b", _asked("Who wrote it?"))
    store.finish("b", _answered(turn, "The ALARM group, in 50 % of cases.", 1))
    assert [each.conversation_id for each in store.list()] == ["b", "a"]
    assert [each.turns for each in store.list()] == [1, 3]
    assert {each.conversation_id for each in store.search("alarm")} == {"a", "b"}
    assert [each.conversation_id for each in store.search("alarm 50 %")] == ["b"]
    assert [each.conversation_id for each in store.search("ÜBERPRÜFUNG")] == ["b"]
    assert store.search("nowhere") == ()
    store.rename("a", "  Loudness \n of it ")
    assert [each.title for each in store.list()][1] == "Loudness of it"
    store.rename("a", " ")
    assert store.load("a").title == "Loudness of it"
    store.delete("b")
    assert [each.conversation_id for each in store.list()] == ["a"]
    assert store.cited("b").notes == ()
    with pytest.raises(StorageError, match="no longer"):
        store.load("b")
    with pytest.raises(StorageError):
        store.start("b", _asked("Still there?"))
    with pytest.raises(StorageError):
        store.rename("b", "Name")


def test_five_hundred_turns_are_read_fast_and_more_are_cut(work: WorkStorage) -> None:
    store = work.conversations
    with work.transaction():
        _fill(store, turns=MOST_TURNS + 7)
    started = time.perf_counter()
    found = store.load("c")
    assert time.perf_counter() - started < 1.0
    assert (len(found.turns), found.left_out) == (MOST_TURNS, 7)
    assert found.turns[-1].number == MOST_TURNS + 7
    assert store.cited("c").highest == MOST_TURNS + 7


@pytest.mark.parametrize("damage", [b"\xff\xfe", b"Xnswer"])
def test_a_damaged_turn_costs_itself_alone(work: WorkStorage, damage: bytes) -> None:
    turns = _fill(work.conversations)
    with work.transaction() as connection:
        connection.execute(
            "UPDATE turns SET body = CAST(replace(CAST(body AS BLOB), ?, ?) AS TEXT)"
            " WHERE number = 2",
            (b"Answer", damage),
        )
        connection.execute("UPDATE cited SET body = '{' WHERE number = 3")
    first, bad, last = work.conversations.load("c").turns
    assert (first, last) == (turns[0], turns[2])
    assert (bad.number, bad.status) == (2, TurnStatus.ERROR)
    assert "damaged" in bad.error
    assert bad.question.text == "question 2?"
    cited = work.conversations.cited("c")
    assert ([note.number for note in cited.notes], cited.highest) == ([1, 2], 3)
    assert work.conversations.is_damaged()


def _damaged(folder: Path, what: bytes) -> None:
    content = bytearray((folder / WORK_FILE).read_bytes())
    content[content.index(what)] ^= 1
    (folder / WORK_FILE).write_bytes(content)


def test_what_a_damaged_database_still_has_is_brought_back(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    turns = _fill(work.conversations)
    work.database.close()
    _damaged(tmp_path, b'"Answer 2."')
    again = open_work(tmp_path)
    assert again.salvage is not None
    assert again.salvage.lost_turns == 1
    assert "Answers lost of its conversations: 1." in again.warnings[-1]
    assert again.conversations.load("c").turns == (turns[0], turns[2])
    assert again.conversations.cited("c").highest == 3
    again.database.close()


def test_a_safety_copy_has_the_turn_that_was_damaged(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    turns = _fill(work.conversations)
    work.database.close()
    copies = SafetyCopies(tmp_path / WORK_FILE, len(WORK_MIGRATIONS))
    assert copies.make_if_due(datetime.now(UTC))
    work = open_work(tmp_path)
    work.conversations.create("later", "Later?")
    work.database.close()
    _damaged(tmp_path, b'"Answer 2."')
    again = open_work(tmp_path)
    assert again.conversations.load("c").turns == tuple(turns)
    assert again.salvage is not None
    assert again.salvage.lost_turns == 0
    assert {each.conversation_id for each in again.conversations.list()} == {"c", "later"}
    again.database.close()


TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)


@settings(deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(TurnStatus), st.booleans())
def test_any_turn_survives_its_codec(
    text: str, value: str, status: TurnStatus, is_fast: bool
) -> None:
    question = Question(
        text, "evidence", "general", (Filter(FilterKey.TAG, value),), is_fast, True, value
    )
    turn = replace(
        _answered(Turn(7, question, "2026", before=(text, value)), text, 1, 2),
        rewritten=value,
        status=status,
        error=text,
    )
    assert turn_from_json(turn_to_json(turn)) == turn


@pytest.mark.parametrize("nonsense", ["", "[]", "{}", '{"confidence":null}', "null", "[" * 9999])
def test_nonsense_is_no_turn(nonsense: str) -> None:
    with pytest.raises(ValueError, match=r"not a turn|Expecting value"):
        turn_from_json(nonsense)


def test_a_title_is_cut_at_a_word() -> None:
    assert title_of(" What  is\nit? ") == "What is it?"
    assert title_of("word " * 40) == "word " * 14 + "word…"
    assert len(title_of("x" * 500)) == 80
    assert title_of("\ud800?") == "??"

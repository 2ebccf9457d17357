"""How a turn was looked up, as people read it."""

from __future__ import annotations

import pytest

from phasergun_desktop.conversations.model import Question, Turn
from phasergun_desktop.conversations.turn_codec import turn_from_json
from phasergun_desktop.conversations.turns import (
    as_alone,
    how_looked_up,
    looked_up_as,
    questions_before,
)
from phasergun_desktop.planning.joined_questions import each_by_itself
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.references.resolver import PromptResolver
from tests.planning.implant_project import IMPLANT


def _turn(text: str, *before: str, rewritten: str = "") -> Turn:
    question = Question(text, rewritten=rewritten)
    return Turn(1, question, "2026", rewritten=looked_up_as(question, before), before=before)


@pytest.mark.parametrize(
    ("turn", "how", "alone"),
    [
        (_turn("How wide is it?"), ("", ""), "How wide is it?"),
        (
            _turn("and long?", "How wide?", "How\n high is it?"),
            ("Looked up with", "“How wide?”, “How high is it?”"),
            "and long (after “How wide?”, “How high is it?”)?",
        ),
        (
            _turn("and long?", rewritten="How long is it?"),
            ("Looked up as", "How long is it?"),
            "How long is it?",
        ),
        (_turn("How long?", rewritten="How long?"), ("", ""), "How long?"),
    ],
)
def test_a_turn_says_how_it_was_looked_up(turn: Turn, how: tuple[str, str], alone: str) -> None:
    assert how_looked_up(turn) == how
    assert as_alone(turn) == alone
    asked = PromptResolver(IMPLANT).resolve(alone)
    request = each_by_itself(read_request(asked), asked.references)
    assert len(request.needs) == 1


def test_a_turn_that_an_earlier_version_kept_says_as_what_it_was_looked_up() -> None:
    kept = (
        '{"number": 2, "question": {"text": "and long?"}, "asked": "2026",'
        ' "rewritten": "How long is it?"}'
    )
    turn = turn_from_json(kept)
    assert how_looked_up(turn) == ("Looked up as", "How long is it?")
    assert as_alone(turn) == "How long is it?"
    assert questions_before([turn], Question("why?"), 2) == ("and long?",)


def test_the_question_before_the_last_counts_where_that_has_few_words_of_its_own() -> None:
    whole = "How long does the pump run on a new battery?"
    short = "and the predicate?"
    assert questions_before([_turn("Who made it?"), _turn(whole)], Question("why?"), 2) == (whole,)
    turns = [_turn("Who made it?"), _turn(whole), _turn(short), _turn("hello")]
    assert questions_before(turns, Question("why?"), 2) == (whole, short)
    assert questions_before([*turns, _turn("and ours?")], Question("why?"), 2) == (
        short,
        "and ours?",
    )
    assert questions_before(turns, Question(short), 2) == (whole,)
    # One that names what it asks for goes on from none, unless a word of it stands for another.
    assert questions_before(turns, Question("How loud is the alarm of the pump?"), 2) == ()
    on_it = Question("How long does it run on its battery?")
    turns = [_turn("Who made it?"), _turn(on_it.text), _turn(whole)]
    assert questions_before(turns, on_it, 2) == (whole,)
    # In other letters it is the same question; a page of text is none.
    assert questions_before([_turn(whole)], Question(f" {whole.upper()[:-1]} "), 2) == ()
    page = _turn("The pump. " * 200)
    assert questions_before([_turn(whole), page], Question("why?"), 2) == (whole,)

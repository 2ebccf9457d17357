"""Questions that one sentence joins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.planning.joined_questions import each_by_itself
from phasergun_desktop.planning.needs import MOST_NEEDS, Need, Request, read_request
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import SearchScope
from tests.planning.implant_project import IMPLANT


def _request(*texts: str) -> Request:
    said, needs = "Please ", list[Need]()
    for at, text in enumerate(texts, 1):
        start = len(said)
        said += text
        needs.append(Need(f"n{at}", text, start, len(said), text, SearchScope()))
    return Request(tuple(needs), " ".join(texts), 700, said=said)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the limit, and who set it?", ["What is the limit", "who set it?"]),
        (
            "How low is the bias and at which level & is it known why?",
            ["How low is the bias", "at which level", "is it known why?"],
        ),
        ("Why was it raised, and to what?", ["Why was it raised", "to what?"]),
        ("Is the pump tested for shock and vibration?", None),
        ("How loud are alarm and reminder in the room and in which order?", ["", ""]),
        ("Does it stop and alarm the user?", None),
        ("Is it clean and can be used?", None),
        ("", None),
    ],
)
def test_a_question_that_begins_behind_an_and_is_one_of_its_own(
    question: str, parts: list[str] | None
) -> None:
    made = each_by_itself(_request(question), ())
    quotes = [need.quote for need in made.needs]
    assert len(quotes) == len(parts or [question])
    if parts and parts[0]:
        assert quotes == parts
    for need in made.needs:
        assert question[need.start - 7 : need.end - 7] == need.quote


def test_what_follows_goes_on_from_the_first() -> None:
    made = each_by_itself(_request("What is the limit, and who set it?", "How heavy is it?"), ())
    first, second, other = made.needs
    assert [need.need_id for need in made.needs] == ["n1", "n2", "n3"]
    assert first.name == first.whole_query == "What is the limit"
    assert first.is_question
    assert (second.query, second.name) == ("who set it?", "who set it?")
    assert second.whole_query == "who set it? << What is the limit"
    told = each_by_itself(_request("What is the limit and who sewed the leather saddle?"), ())
    assert told.needs[1].whole_query == "who sewed the leather saddle?"
    asked = "What is the limit, and who set it?"
    assert other == replace(_request(asked, "How heavy is it?").needs[1], need_id="n3")


def test_parts_are_looked_for_with_values_and_without_documents() -> None:
    asked = "How heavy is it by pump_requirements.md, and who set that in Market.md?"
    resolution = PromptResolver(IMPLANT).resolve(asked)
    made = each_by_itself(read_request(resolution), resolution.references)
    assert [need.query for need in made.needs] == ["How heavy is it", "who set that?"]


def test_parts_beyond_the_most_are_left_out() -> None:
    joined = "What is the limit" + " and who set it" * MOST_NEEDS
    made = each_by_itself(_request(joined), ())
    assert len(made.needs) == MOST_NEEDS
    assert [need.quote for need in made.left_out] == ["who set it"]

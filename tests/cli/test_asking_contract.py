"""``phasergun ask``: one question in a conversation, as the contract words it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fakes.command import Run

ALARM = "At which temperature does the alarm sound?"


def test_a_conversation_goes_on(run: Run, warmer: Path) -> None:
    first = run("ask", warmer, ALARM, "--json").json
    assert first["turn"] == 1
    assert first["rewritten_query"] is None
    assert first["confidence"]["band"] in ("high", "medium", "low", "very_low")
    assert first["unused"]
    again = run("ask", warmer, ALARM, "--json", "--conversation", first["conversation_id"]).json
    assert again["conversation_id"] == first["conversation_id"]
    assert again["turn"] == 2
    assert again["footnotes"] == first["footnotes"]
    other = run("ask", warmer, ALARM, "--json").json
    assert other["conversation_id"] != first["conversation_id"]


def test_an_unknown_conversation_is_one_sentence(run: Run, warmer: Path) -> None:
    said = run("ask", warmer, ALARM, "--json", "--conversation", "nowhere")
    assert said.code == 1
    assert said.json["error"]["title"] == "Conversation not found"
    assert said.json["error"]["remedy"]


def test_a_question_without_words_is_one_sentence(run: Run, warmer: Path) -> None:
    said = run("ask", warmer, "?!", "--json")
    assert said.code == 1
    assert said.json["error"]["title"] == "Nothing is asked"
    assert run("ask", warmer, " ").code == 2


def test_an_answer_streams_as_lines(run: Run, warmer: Path) -> None:
    said = run("ask", warmer, ALARM, "--stream")
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [each["event"] for each in events][:2] == ["start", "evidence"]
    assert events[-1]["event"] == "complete"
    assert events[-1]["conversation_id"] == events[0]["conversation_id"]
    assert "42.5" in events[-1]["text"]


def test_a_greeting_has_the_fields_of_an_answer(run: Run, warmer: Path) -> None:
    said = run("ask", warmer, "hello", "--json")
    answer = run("ask", warmer, ALARM, "--json").json
    assert said.code == 0
    assert said.json["confidence"]["score"] == 0
    assert said.json.keys() == answer.keys()
    assert "Conversation" in run("ask", warmer, "hello").err

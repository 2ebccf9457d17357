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


def test_profile_agent_and_filter_hold_for_the_question(run: Run, warmer: Path) -> None:
    said = run("ask", warmer, ALARM, "--json", "--profile", "evidence", "--fast")
    assert said.json["profile"] == "evidence"
    said = run("ask", warmer, ALARM, "--json", "--agent", "general", "--filter", "layer=sops")
    assert said.json["agent"] == "general"
    assert all(note["layer"] == "sops" for note in said.json["footnotes"])
    for option, title in (("--profile", "Profile not known"), ("--agent", "Agent not known")):
        said = run("ask", warmer, ALARM, "--json", option, "nothing")
        assert said.code == 1
        assert said.json["error"]["title"] == title


def test_each_part_of_a_question_is_answered_or_refused_in_its_place(
    run: Run, warmer: Path
) -> None:
    both = f"{ALARM} Who sewed the leather saddle of the racing horse? How loud is the alarm?"
    text = run("ask", warmer, both, "--json").json["text"]
    assert text.index("42.5 °C") < text.index("saddle")
    assert "TODO" in text


def test_a_follow_up_shows_how_it_was_looked_up(run: Run, warmer: Path) -> None:
    name = run("ask", warmer, ALARM, "--json").json["conversation_id"]
    said = run("ask", warmer, "How loud is it?", "--json", "--conversation", name)
    assert said.json["rewritten_query"] == f"How loud is it? – after “{ALARM}”"
    assert "78 dB" in said.json["text"]
    plain = run("ask", warmer, "and how often?", "--conversation", name)
    assert f"Looked up with: “{ALARM}”, “How loud is it?”\n" in plain.err
    first = run("ask", warmer, ALARM)
    assert "Looked up" not in first.err


def test_an_agent_drafts_by_name(run: Run, warmer: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.md"
    prompt.write_text("What do the procedures say of risk?", "utf-8")
    plan = run("plan", warmer, prompt, "--json", "--agent", "procedure-guide").json
    assert plan["agent"] == "procedure-guide"
    assert len(plan["filters"]) == 3
    draft = run("draft", warmer, prompt, "--json", "--agent", "procedure-guide").json
    assert draft["plan"]["agent"] == "procedure-guide"
    assert draft["footnotes"]
    assert {note["layer"] for note in draft["footnotes"] if note["file"]} <= {
        "sops", "quality_policies", "project_quality_plans",
    }  # fmt: skip
    whole = run("draft", warmer, "--json", "--agent", "blueprint")
    assert "## Overview" in whole.json["text"]
    assert run("log", warmer, "-n", "1", "--json").json["entries"][0]["agent"] == "blueprint"
    # Without an outline of its own there is nothing to draft.
    assert run("draft", warmer, "--json", "--agent", "general").json["status"] == "blocked"
    for command in ("plan", "draft"):
        said = run(command, warmer, prompt, "--json", "--agent", "nobody")
        assert said.code == 1
        assert said.json["error"]["title"] == "Agent not known"
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan), "utf-8")
    assert run("draft", warmer, "--json", "--plan", file).json["plan"]["agent"] == "procedure-guide"
    assert run("draft", warmer, "--plan", file, "--agent", "general").code == 2

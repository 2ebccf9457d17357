"""What is ticked in a printed plan is drafted, word for word, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.command import Run

REPORT = "Context/Ongoing/TR-100-Warming-Test.md"


@pytest.fixture
def plan(run: Run, fresh: Path) -> dict[str, Any]:
    """The plan of a prompt with two needs."""
    (fresh / "Context/Prompt/two.md").write_text(
        "State the warming accuracy of the Calmera T1; the sound level of its alarm.\n", "utf-8"
    )
    printed: dict[str, Any] = run("plan", fresh, "two.md", "--json").json
    return printed


def drafted(run: Run, root: Path, plan: object, *, code: int = 0) -> Any:
    file = root.parent / "plan.json"
    file.write_text(json.dumps(plan), "utf-8")
    done = run("draft", root, "--plan", file, "--json")
    assert done.code == code, done.err
    return done.json


def ticked(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [unit for need in plan["needs"] for unit in need["evidence"] if unit["selected"]]


def test_the_needs_quote_the_prompt_and_their_evidence_the_sources(
    plan: dict[str, Any], fresh: Path
) -> None:
    assert len(plan["needs"]) == 2
    for need in plan["needs"]:
        assert plan["prompt"][need["start"] : need["end"]] == need["quote"]
        assert need["gap"] is not any(unit["selected"] for unit in need["evidence"])
    text = (fresh / REPORT).read_text("utf-8")
    units = [u for u in ticked(plan) if u["file"] == REPORT]
    assert units
    assert all(unit["text"] in text for unit in units)
    assert all(len(unit["text"]) == unit["end"] - unit["start"] for unit in units)


def test_a_plan_as_printed_is_drafted_word_for_word(
    run: Run, plan: dict[str, Any], fresh: Path
) -> None:
    made = drafted(run, fresh, plan)
    assert made["status"] == "complete"
    notes = {(note["file"], note["quote"]) for note in made["footnotes"] if note["file"]}
    assert notes == {(unit["file"], unit["text"]) for unit in ticked(plan)}
    said = [each["text"] for each in made["sentences"] if each["kind"] == "sentence"]
    assert any(each.startswith("The over-temperature alarm sounds at 42.5 °C") for each in said)
    assert made["metrics"]["completion_tokens"] == 0


def test_parts_with_a_label_are_called_as_before_they_were_printed(run: Run, fresh: Path) -> None:
    prompt = "Alarm behaviour of the warmer: temperature of the alarm, warming accuracy.\n"
    (fresh / "Context/Prompt/parts.md").write_text(prompt, "utf-8")
    printed = run("plan", fresh, "parts.md", "--json").json
    assert [each["part"] for each in printed["needs"]] == [
        "temperature of the alarm",
        "warming accuracy",
    ]
    names = [each["text"] for each in printed["outline"]]
    assert names[0] == "Alarm behaviour of the warmer: temperature of the alarm"
    again = drafted(run, fresh, printed)["plan"]
    assert [each["text"] for each in again["outline"]] == names


def test_what_is_unticked_is_left_out_and_what_is_added_stands(
    run: Run, plan: dict[str, Any], fresh: Path
) -> None:
    for unit in ticked(plan):
        unit["selected"] = False
    pool = [unit for need in plan["needs"] for unit in need["evidence"]]
    wanted = next(unit for unit in pool if "leakage current" in unit["text"])
    # A passage of one's own has a place and nothing else.
    added = {name: wanted[name] for name in ("file", "start", "end")}
    plan["needs"][0]["evidence"] = [{**added, "selected": True}]
    made = drafted(run, fresh, plan)
    said = [each["text"] for each in made["sentences"] if each["kind"] == "sentence"]
    assert said == [wanted["text"]]


def test_a_source_that_changed_is_told(run: Run, plan: dict[str, Any], fresh: Path) -> None:
    path = fresh / ticked(plan)[0]["file"]
    path.write_text("# New\n\nAnother text.\n", "utf-8")
    made = drafted(run, fresh, plan, code=1)
    assert made["error"]["title"] == "A source has changed"
    path.unlink()
    assert drafted(run, fresh, plan, code=1)["error"]["title"] == "A source is gone"


def _nothing_ticked(plan: dict[str, Any]) -> object:
    return {**plan, "needs": [{**need, "evidence": []} for need in plan["needs"]]}


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (_nothing_ticked, "Nothing is ticked"),
        (lambda plan: {**plan, "needs": "all"}, "The plan cannot be read"),
        (lambda plan: [plan], "The plan cannot be read"),
        (lambda plan: {"prompt": plan["prompt"]}, "The plan cannot be read"),
    ],
)
def test_what_is_no_plan_is_told_in_a_sentence(
    run: Run,
    plan: dict[str, Any],
    fresh: Path,
    change: Callable[[dict[str, Any]], object],
    title: str,
) -> None:
    assert drafted(run, fresh, change(plan), code=1)["error"]["title"] == title


def test_a_plan_and_a_prompt_together_are_wrong_usage(run: Run, fresh: Path) -> None:
    assert run("draft", fresh, "accuracy.md", "--plan", fresh / "plan.json").code == 2


def test_what_is_put_in_order_is_drafted_in_that_order(
    run: Run, plan: dict[str, Any], fresh: Path
) -> None:
    pool = [unit for need in plan["needs"] for unit in need["evidence"]]
    named = ["leakage current", "over-temperature alarm", "stays within"]
    wanted = [next(u for u in pool if name in u["text"]) for name in named]
    plan["needs"][1]["evidence"] = []
    evidence = [{**unit, "selected": True} for unit in wanted]
    plan["needs"][0] |= {"evidence": evidence, "ordered": True}
    said = [e["text"] for e in drafted(run, fresh, plan)["sentences"] if e["kind"] == "sentence"]
    assert said == [unit["text"] for unit in wanted]
    plan["needs"][0]["ordered"] = False
    again = [e["text"] for e in drafted(run, fresh, plan)["sentences"] if e["kind"] == "sentence"]
    assert again == [unit["text"] for unit in (wanted[2], wanted[1], wanted[0])]


def test_the_template_of_a_printed_plan_is_kept(run: Run, fresh: Path) -> None:
    printed = run("plan", fresh, "--template", "labelling", "--json").json
    assert printed["template"] == "labelling"
    if not ticked(printed):
        printed["needs"][0]["evidence"][0]["selected"] = True
    made = drafted(run, fresh, printed)["plan"]
    assert made["template"] == "labelling"
    assert [each["text"] for each in made["outline"]] == [
        each["text"] for each in printed["outline"]
    ]

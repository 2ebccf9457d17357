"""Where two sources disagree, a person at a terminal is told as much as a program is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.command import Run

QUESTION = "What is the shelf life of the Calmera T1 cassette?"
SIDES = ("Shelf-A.md", "Shelf-B.md")


@pytest.fixture
def disagreeing(fresh: Path) -> Path:
    """A project whose two reports state two shelf lives."""
    for file, months in zip(SIDES, (24, 99), strict=True):
        (fresh / "Context/Ongoing" / file).write_text(
            f"# Report {file}\n\n## Shelf life\n\n"
            f"The shelf life of the Calmera T1 cassette is {months} months.\n"
        )
    (fresh / "Context/Prompt/shelf.md").write_text(
        "State the shelf life of the Calmera T1 cassette.\n"
    )
    return fresh


@pytest.mark.parametrize(
    "command", [("ask", QUESTION, "--no-llm"), ("draft", "shelf.md", "--no-llm")]
)
def test_the_text_tells_what_the_json_tells(
    run: Run, disagreeing: Path, command: tuple[str, ...]
) -> None:
    name, *rest = command
    told = run(name, disagreeing, *rest, "--json").json
    assert told["confidence"]["level"] == "medium"
    [one] = [each for each in told["discrepancies"] if each["kind"] == "values"]
    said = run(name, disagreeing, *rest)
    assert said.code == 0
    assert f"DISAGREEMENT: {one['message']}" in said.err
    for words in (*SIDES, "24 months", "99 months"):
        assert words in said.err
    assert "Confidence medium" in said.err
    assert "Sources disagree on what is given" in said.err
    for criterion in told["confidence"]["criteria"]:
        assert criterion["explanation"] in said.err


def test_a_plan_tells_it_before_a_word_is_written(run: Run, disagreeing: Path) -> None:
    said = run("plan", disagreeing, "shelf.md")
    assert "DISAGREEMENT" in said.err
    assert "99 months" in said.err

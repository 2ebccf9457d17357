"""``--template`` with a prompt file and without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.paths import user_places
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run

OWN = """\
name: warming
title: Warming Report
family: artifact
description: What was measured.
maximum_words: 200
items:
  - name: Accuracy
    ask: warming accuracy, outlet temperature
    required: true
    helps: a test report in Context/Ongoing
  - name: Sterility
    ask: sterilization method
    subject: predicate
    required: true
    helps: a sterilization report in Context/Ongoing
"""


@pytest.fixture
def own_template() -> Iterator[Path]:
    """A template of the user's own, in the folder of their settings."""
    folder = user_places().config / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "warming.yaml"
    path.write_text(OWN, encoding="utf-8")
    yield path
    path.unlink()


def test_a_template_is_planned_from_the_whole_project(run: Run, warmer: Path) -> None:
    said = run("plan", warmer, "--template", "device-description", "--json")
    found = said.json
    assert said.code == 0
    assert found["status"] == "complete"
    assert (found["template"], found["title"]) == ("device-description", "Device Description")
    assert found["maximum_words"] == 1500
    headings = [each["heading"] for each in found["outline"] if each["heading"]]
    assert headings[0] == "Device Identification"
    assert [each["heading"] for each in found["needs"] if each["heading"]] == headings
    assert all(each["id"].startswith("t") for each in found["needs"])
    assert any(unit["selected"] for each in found["needs"] for unit in each["evidence"])
    named = next(each for each in found["outline"] if each["text"] == "Device Name:")
    assert "Calmera T1" in named["value"]
    read = {passage["file"] for passage in found["passages"]}
    assert not any(file.startswith(("Procedures/", "Context/Predicates/")) for file in read)


def test_a_draft_of_a_template_has_its_title_and_gaps(
    run: Run, warmer: Path, own_template: Path
) -> None:
    said = run("draft", warmer, "--template", "warming", "--no-llm", "--json")
    found = said.json
    assert said.code == 0
    assert found["text"].startswith("## Warming Report")
    assert "stays within 1.5 °C of the set point" in found["text"]
    assert "TODO" in found["text"]
    assert found["plan"]["template"] == "warming"
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(warmer)) as session,
    ):
        kept = session.drafts.latest()
    assert kept is not None
    assert (kept.title, kept.template, kept.prompt) == ("Warming Report", "warming", "")


def test_a_prompt_beside_a_template_adds_to_it(
    run: Run, warmer: Path, tmp_path: Path, own_template: Path
) -> None:
    prompt = tmp_path / "more.md"
    prompt.write_text("Cover the leakage current.", encoding="utf-8")
    found = run("plan", warmer, prompt, "--template", "warming", "--json").json
    assert [each["text"] for each in found["outline"]][-1] == "Cover the leakage current"
    assert [each["quote"] for each in found["needs"]][-1] == "Cover the leakage current"


def test_an_unknown_template_is_answered_with_the_list(run: Run, warmer: Path) -> None:
    for command in ("plan", "draft"):
        said = run(command, warmer, "--template", "blueprnt", "--json")
        assert said.code == 1
        assert said.json["status"] == "error"
        remedy = said.json["error"]["remedy"]
        assert "Did you mean “blueprint”?" in remedy
        assert "substantial-equivalence" in remedy


def test_a_broken_template_is_said_with_its_place(
    run: Run, warmer: Path, own_template: Path
) -> None:
    text = OWN.replace("maximum_words: 200", "maximum_words: none")
    own_template.write_text(text, encoding="utf-8")
    said = run("plan", warmer, "--template", "warming", "--json")
    assert said.code == 1
    assert "line 5, column 16" in said.json["error"]["message"]


@pytest.mark.parametrize("command", ["plan", "draft"])
def test_neither_prompt_nor_template_is_wrong_usage(run: Run, warmer: Path, command: str) -> None:
    said = run(command, warmer, "--json")
    assert said.code == 2
    assert "--template" in said.json["error"]["message"]


def test_a_file_without_text_is_no_prompt(run: Run, warmer: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("\n", encoding="utf-8")
    said = run("plan", warmer, empty, "--template", "blueprint", "--json")
    assert said.code == 1
    assert "empty" in said.json["error"]["title"]

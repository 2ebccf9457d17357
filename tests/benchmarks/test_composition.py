"""The comparison of ways of composing: its prompts, its measures, its ways."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from phasergun_desktop.answering.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage, SearchScope
from tests.benchmarks.composition.readability import copied_words, flesch, words_per_sentence
from tests.benchmarks.composition.ways import WAYS

_HERE = Path(__file__).parent / "composition"
_RECIPE = json.loads((_HERE / "recipe.json").read_text("utf-8"))["projects"]
_PROMPTS = json.loads((_HERE / "prompts.json").read_text("utf-8"))
_FREE = ("US government work", "Apache-2.0", "MIT", "CC BY 4.0")


def test_there_are_ten_prompts_of_different_kinds_with_facts() -> None:
    assert len(_PROMPTS) == len({prompt["name"] for prompt in _PROMPTS}) == 10
    assert len({prompt["kind"] for prompt in _PROMPTS}) >= 7
    for prompt in _PROMPTS:
        is_unanswered = prompt["kind"] == "no answer"
        assert 1 <= len(prompt["wanted"]) <= 8
        assert is_unanswered or len(prompt["wanted"]) >= 4
        for wanted in prompt["wanted"]:
            re.compile(wanted["pattern"])
            assert bool(wanted["pattern"]) is not is_unanswered


def test_the_documents_are_free_to_use(test_data: Path) -> None:
    with (test_data / "regulatory" / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        licences = {
            row["file"].removeprefix("open/"): row["licence"] for row in csv.DictReader(file)
        }
    for project in _RECIPE.values():
        for source in project["files"].values():
            assert licences[source.removeprefix("regulatory/")].startswith(_FREE), source


def test_every_wanted_fact_stands_in_its_file(test_data: Path) -> None:
    for prompt in _PROMPTS:
        project = _RECIPE[prompt["project"]]
        for wanted in prompt["wanted"]:
            if not wanted["pattern"]:
                continue
            source = project["files"].get(wanted["file"])
            text = (
                (test_data / source).read_text("utf-8")
                if source
                else "\n".join(project["master_record"].values())
            )
            assert re.search(wanted["pattern"], " ".join(text.split()), re.IGNORECASE), wanted


def test_copied_words_are_those_in_runs_of_five() -> None:
    quote = "The pump stops when the door is open."
    assert copied_words("The pump stops when the lid is open.", [quote]) == (5, 8)
    assert copied_words(quote, [quote]) == (8, 8)
    assert copied_words("Pump stops.", [quote]) == (2, 2)
    assert copied_words("Valve stops.", [quote]) == (0, 2)
    assert copied_words("", [quote]) == (0, 0)


def test_reading_ease_falls_with_long_words_and_sentences() -> None:
    easy = flesch(["The cat sat.", "The dog ran."])
    hard = flesch(["Interoperability documentation necessitates comprehensive verification."])
    assert easy is not None
    assert hard is not None
    assert easy > 90
    assert hard < 0
    assert flesch([]) is None
    assert words_per_sentence(["One two three.", "Four."]) == pytest.approx(2.0)
    assert words_per_sentence([]) is None


def _passage(name: str, text: str) -> Passage:
    return Passage(1, name, "", name, Layer.ONGOING, ChunkId(name), 0, len(text), text, (), 1.0)


def _plan() -> Plan:
    first = _passage("a.md", "The pump stops. The valve opens. It weighs 2 kg. Its case is blue.")
    second = _passage("b.md", "The door closes.")
    scope = SearchScope(layers=frozenset())
    points = (
        PlannedPoint(PointKind.DESCRIBE, "", "pump weight", "weight", scope, (first, second)),
        PlannedPoint(PointKind.DESCRIBE, "", "door", "door", scope, (second,)),
    )
    return Plan("p", "Weight. Door.", "", "regulatory", (), (), points, 0)


def test_each_way_reads_only_passages_of_the_plan() -> None:
    plan = _plan()
    ways = {way.name: way for way in WAYS}
    assert len(ways) >= 3
    for way in WAYS:
        made = way.plan(plan)
        for passage in made.passages:
            source = next(p for p in plan.passages if p.file == passage.file)
            assert source.text[passage.start : passage.end] == passage.text
    assert len(ways["one_prompt"].plan(plan).points) == 1
    assert [p.file for p in ways["one_prompt"].plan(plan).passages] == ["a.md", "b.md"]
    assert ways["per_point"].plan(plan) == plan

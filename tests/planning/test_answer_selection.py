"""Which units answer a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.planning import pool as pools
from phasergun_desktop.planning.answer_selection import AnswerFinder
from phasergun_desktop.planning.features import UNIT_FEATURES
from phasergun_desktop.planning.joined_questions import each_by_itself
from phasergun_desktop.planning.model import PlannedNeed
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.selector import Logistic, Selector
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import Place
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from tests.fakes.open_selector import open_selector
from tests.fakes.scripted_pairs import ScriptedPairs
from tests.fakes.small_project import SmallProject

REPORT = "Context/Ongoing/report.md"
TEXT = """# Test report

## Alarm

The alarm sounds at 78 dB.

The alarm was heard at 80 dB in the second room.

The alarm lasts ten seconds.

## Housing

Nickel alloy, brushed.
"""


@pytest.fixture
def model() -> ScriptedPairs:
    return ScriptedPairs()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write(REPORT, TEXT)
    made.sync()
    yield made
    made.close()


def _finder(
    project: SmallProject, model: ScriptedPairs, selector: Selector | None = None
) -> tuple[ProfiledDocuments, AnswerFinder]:
    documents = ProfiledDocuments(project.store, ChunkSets(project.store, project.chunking))
    units = UnitIndex(project.store, project.embedder.identity)
    reader = UnitReader(units, model)
    made = UnitPools(units, project.embedder, selector or open_selector(), reader)
    return documents, AnswerFinder(documents, made)


def _asked(
    project: SmallProject, model: ScriptedPairs, question: str, selector: Selector | None = None
) -> PlannedNeed:
    documents, finder = _finder(project, model, selector)
    request = read_request(PromptResolver(documents).resolve(question))
    return finder.of(request, lambda pool: pool)[0]


def _texts(need: PlannedNeed) -> list[str]:
    return [unit.passage.text for unit in need.units if unit.selected]


@pytest.mark.parametrize(
    ("odds", "stated"),
    [
        ({"78 dB": 6.0, "80 dB": 5.0, "ten seconds": 4.5}, ["78 dB", "80 dB"]),
        ({"78 dB": 6.0, "80 dB": -4.0}, ["78 dB"]),
        ({"78 dB": -4.0, "80 dB": -5.0}, []),
    ],
)
def test_the_best_unit_is_stated_and_a_second_one_that_answers_too(
    project: SmallProject, model: ScriptedPairs, odds: dict[str, float], stated: list[str]
) -> None:
    model.odds = odds
    need = _asked(project, model, "How loud is the alarm?")
    assert [part for part in stated for text in _texts(need) if part in text] == stated
    assert len(_texts(need)) == len(stated)
    assert need.units[0].score == need.units[0].passage.score == need.chance
    assert "78 dB" in need.units[0].passage.text


def test_what_is_said_of_another_of_a_series_is_no_answer(
    project: SmallProject, model: ScriptedPairs
) -> None:
    risks = "The index of H-03 is 8 points.\n\nThe index of H-09 is 4.\n\nIt is reviewed.\n"
    project.write("Context/Ongoing/risks.md", risks)
    project.sync()
    model.odds = {"8 points": 6.0, "H-09 is 4": 3.0, "reviewed": 2.0}
    scores = {u.passage.text: u.score for u in _asked(project, model, "Index of H-09?").units}
    assert list(scores)[:2] == ["The index of H-09 is 4.", "It is reviewed."]
    assert scores["The index of H-03 is 8 points."] == 0.0
    # Where nothing is said of it, all is as without a number.
    assert "8 points" in _asked(project, model, "What is the index of H-29?").units[0].passage.text
    assert "8 points" in _asked(project, model, "What is the index of H-3?").units[0].passage.text


def test_what_stands_near_the_answer_before_is_more_probable(
    project: SmallProject, model: ScriptedPairs
) -> None:
    model.odds = {"78 dB": 3.0, "Nickel": 3.0}
    documents, finder = _finder(project, model)
    request = read_request(PromptResolver(documents).resolve("How loud is the alarm?"))

    def chances(*cited: Place) -> dict[str, float]:
        [need] = finder.of(replace(request, cited_before=cited), lambda pool: pool)
        return {unit.passage.text: unit.score for unit in need.units}

    at = TEXT.index("Nickel")
    alone, near = chances(), chances((REPORT, at, at + 6))
    odds = [{text: log(it / (1 - it)) for text, it in each.items()} for each in (alone, near)]
    more = {text: odds[1][text] - odds[0][text] for text in alone}
    assert more["Nickel alloy, brushed."] == pytest.approx(1.5, abs=0.01)
    assert 0.0 < more["The alarm sounds at 78 dB."] < 1.4
    assert chances(("Context/Ongoing/other.md", at, at + 6)) == alone
    before = replace(request, needs=(replace(request.needs[0], before=("How heavy is it?",)),))
    [need] = finder.of(before, lambda pool: pool)
    assert need.chance < max(alone.values())


def test_what_asks_for_all_states_everything_that_answers(
    project: SmallProject, model: ScriptedPairs
) -> None:
    model.odds = {"78 dB": 8.0, "80 dB": 8.0, "ten seconds": 8.0}
    assert len(_texts(_asked(project, model, "List all figures of the alarm"))) == 3


def test_of_several_parts_the_best_of_each_is_stated_and_none_twice(
    project: SmallProject, model: ScriptedPairs
) -> None:
    model.odds = {"78 dB": 6.0, "80 dB": 5.0, "ten seconds": 4.5}
    documents, finder = _finder(project, model)
    asked = PromptResolver(documents).resolve("How loud is the alarm, and how long does it last?")
    request = each_by_itself(read_request(asked), asked.references)
    loud, long = finder.of(request, lambda pool: pool)
    # Both would state the same: it stands under one, and is no gap of the other.
    assert len(_texts(loud) + _texts(long)) == 2
    assert loud.may_be_stated
    assert long.may_be_stated
    model.odds = {"78 dB": -4.0, "80 dB": -5.0}
    assert not any(need.may_be_stated for need in finder.of(request, lambda pool: pool))


def test_the_model_reads_the_file_the_headings_and_the_text(
    project: SmallProject, model: ScriptedPairs
) -> None:
    _asked(project, model, "How loud is the alarm?")
    assert "report : # Test report > ## Alarm : The alarm sounds at 78 dB." in model.read


def test_units_are_read_for_their_meaning_or_their_words_as_well(
    project: SmallProject, model: ScriptedPairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "_READ", 1)
    # By this one the first unit is best, whatever is asked.
    nothing = Logistic(0.0, (0.0,) * len(UNIT_FEATURES))
    _asked(project, model, "Is nickel alloy, brushed?", replace(open_selector(), unit=nothing))
    assert any("78 dB" in text for text in model.read)
    assert any("Nickel" in text for text in model.read)
    assert len(model.read) <= 3


def test_the_document_that_is_not_read_and_answers_best_is_named(
    project: SmallProject, model: ScriptedPairs
) -> None:
    project.write("Context/General/note.md", "# Note\n\nThe alarm sounds at 91 dB.\n")
    project.write("Context/General/other.md", "# Other\n\nThe alarm is loud.\n")
    project.sync()
    model.odds = {"91 dB": 9.0, "is loud": -4.0, "78 dB": 12.0}
    documents, finder = _finder(project, model)
    request = read_request(PromptResolver(documents).resolve("How loud is the alarm?"))
    unread = finder.best_unread(request)
    assert unread is not None
    assert unread.document.file == "Context/General/note.md"
    assert unread.need == request.needs[0]
    named = read_request(PromptResolver(documents).resolve("How loud is it, from report.md?"))
    assert finder.best_unread(named) is None


def test_where_nothing_is_indexed_nothing_answers(
    project: SmallProject, model: ScriptedPairs
) -> None:
    (project.root / REPORT).unlink()
    project.sync()
    need = _asked(project, model, "How loud is the alarm?")
    assert (need.units, need.chance) == ((), 0.0)

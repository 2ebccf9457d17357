"""What is selected of a pool: every need, few words, nothing twice, nothing of elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning import evidence_points, looked_at, told_gaps
from phasergun_desktop.planning import pool as pool_module
from phasergun_desktop.planning.evidence_points import evidence_of, excluded_units, select_evidence
from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pair_reading import PairModel
from phasergun_desktop.planning.pool import Pool, PooledUnit, UnitPools
from phasergun_desktop.planning.selector import SELECTOR_FILE, load_selector
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.scripted_pairs import ScriptedPairs
from tests.fakes.small_project import SmallProject

PUMP = (
    "# Pump\n\n## Alarm\n\nThe pump sounds an alarm at 78 dB. The alarm of the pump lasts ten "
    "seconds. The pump sounds an alarm at 78 dB.\n\n## Weight\n\nThe pump weighs 3.2 kg with its "
    "stand. Visitors may park behind the building."
)
OTHER = "# Warmer\n\nThe warmer sounds an alarm at 43 dB."
Words = Callable[[PooledUnit], int]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write("Context/Initiation/pump.md", PUMP)
    made.write("Context/General/warmer.md", OTHER)
    made.sync()
    yield made
    made.close()


def need(number: int, query: str, scope: SearchScope | None = None) -> Need:
    return Need(f"n{number}", query, 0, len(query), query, scope or SearchScope())


def pools_of(project: SmallProject, pairs: PairModel | None = None) -> UnitPools:
    units = UnitIndex(project.store, project.embedder.identity)
    selector = load_selector(resources_path() / "models" / SELECTOR_FILE)
    reader = UnitReader(units, pairs or bundled_cross_encoder())
    return UnitPools(units, project.embedder, selector, reader)


def pool_of(
    project: SmallProject, request: Request, pairs: PairModel | None = None, *, is_read: bool = True
) -> Pool:
    return pools_of(project, pairs).pool(request, project.store.documents(), is_read=is_read)


def text_of(project: SmallProject, unit: PooledUnit) -> str:
    return project.store.text_slice(unit.document_id, unit.start, unit.end)


def selected(project: SmallProject, request: Request, *, short: bool = False) -> list[list[str]]:
    found = select_evidence(
        request,
        pool_of(project, request),
        lambda unit: len(text_of(project, unit).split()) if not short else 1,
    )
    return [[text_of(project, unit) for unit in units] for units in found.values()]


def test_what_may_be_looked_for_nowhere_is_not_likely_to_be_answered(project: SmallProject) -> None:
    nowhere = SearchScope(layers=frozenset(), files=frozenset({"Context/Ongoing/none.md"}))
    request = Request((need(1, "weight of the pump", nowhere),), "weight of the pump", 700)
    documents = ProfiledDocuments(project.store, ChunkSets(project.store, project.chunking))
    [found] = evidence_of(request, documents, pools_of(project), lambda pool: pool)
    assert (found.units, found.chance) == ((), 0.0)


def test_each_need_gets_its_units_and_nothing_stands_twice(project: SmallProject) -> None:
    request = Request((need(1, "weight of the pump"), need(2, "alarm of the pump")), "pump", 700)
    weight, alarm = selected(project, request)
    assert weight[0] == "The pump weighs 3.2 kg with its stand."
    assert "The pump sounds an alarm at 78 dB." in alarm
    everything = [*weight, *alarm]
    assert len(everything) == len(set(everything))


def test_the_words_asked_for_are_kept_and_every_need_has_its_turn(project: SmallProject) -> None:
    needs = (need(1, "alarm of the pump"), need(2, "weight of the pump"))
    request = Request(needs, "the pump", 15)
    found = selected(project, request)
    assert sum(len(text.split()) for texts in found for text in texts) <= 15 * TOLERANCE
    assert all(len(texts) == 1 for texts in found)


def test_what_the_scope_does_not_allow_is_not_in_the_pool(project: SmallProject) -> None:
    general = SearchScope(layers=frozenset({Layer.GENERAL}))
    request = Request(
        (need(1, "alarm", general), need(2, "alarm"), need(3, "alarm", SearchScope(frozenset()))),
        "alarm",
        700,
    )
    pool = pool_of(project, request)
    texts = {
        need_id: {text_of(project, unit) for unit in units}
        for need_id, units in pool.of_need.items()
    }
    assert texts["n1"] == {"The warmer sounds an alarm at 43 dB."}
    assert "The warmer sounds an alarm at 43 dB." not in texts["n2"]
    assert texts["n3"] == set()


def test_a_unit_that_states_nothing_by_itself_is_not_chosen(project: SmallProject) -> None:
    request = Request((need(1, "alarm of the pump"),), "pump", 700)
    pool = pool_of(project, request)
    assert select_evidence(request, pool, lambda unit: 0) == {"n1": ()}
    assert pool.of_need["n1"]


def test_the_same_question_gives_the_same_evidence(project: SmallProject) -> None:
    request = Request((need(1, "alarm"), need(2, "weight")), "pump", 40)
    assert selected(project, request) == selected(project, request)


def test_not_many_more_units_are_stated_than_are_expected_to_belong(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request((need(1, "alarm of the pump"),), "alarm of the pump", 700)
    pool = pool_of(project, request)
    units = pool.of_need["n1"]
    even = tuple(replace(unit, score=1 / len(units)) for unit in units)
    pool = replace(pool, of_need={"n1": even}, is_measured=True)
    found = select_evidence(request, pool, lambda unit: 1)
    assert len(found["n1"]) == 3
    # In a small project, and of a prompt in another language, all are improbable.
    unmeasured = replace(pool, is_measured=False)
    assert len(select_evidence(request, unmeasured, lambda unit: 1)["n1"]) > 3
    monkeypatch.setattr(evidence_points, "_FEWEST_UNMEASURED", 1)
    assert len(select_evidence(request, unmeasured, lambda unit: 1)["n1"]) == 3


def test_a_need_that_nothing_answers_is_a_gap_and_nothing_is_said_for_it(
    project: SmallProject,
) -> None:
    request = Request((need(1, "weight of the pump"), need(2, "nothing")), "the pump", 700)
    pool = replace(pool_of(project, request), gaps=frozenset({"n2"}))
    found = select_evidence(request, pool, lambda unit: 1)
    assert found["n1"]
    assert pool.of_need["n2"]
    assert found["n2"] == ()


def test_a_need_that_no_document_is_allowed_for_is_a_gap(project: SmallProject) -> None:
    request = Request((need(1, "pump"), need(2, "pump", SearchScope(frozenset()))), "pump", 700)
    assert "n2" in pool_of(project, request).gaps


def test_the_words_that_all_parts_share_tell_no_part_from_another(project: SmallProject) -> None:
    def under(number: int, part: str) -> str:
        lead = "the sound and weight of the pump"
        needs = [replace(need(n, f"{lead}: {p}"), part=p) for n, p in ((1, part), (2, "stand"))]
        pool = pool_of(project, Request(tuple(needs), lead, 700))
        return " ".join(text_of(project, u) for u in pool.of_need[f"n{number}"])

    assert "alarm" in under(1, "alarm")
    assert "weighs" not in under(1, "alarm")
    assert "weighs" in under(2, "alarm")


def test_what_goes_best_with_a_need_may_stand_under_another(project: SmallProject) -> None:
    needs = (need(1, "weight of the pump with its stand"), need(2, "weight"))
    pool = pool_of(project, Request(needs, "weight of the pump", 700))
    found = select_evidence(Request(needs, "weight of the pump", 700), pool, lambda unit: 1)
    weight = [u.row for u in found["n1"] if "weighs" in text_of(project, u)]
    assert weight
    assert weight[0] not in {u.row for u in found["n2"]}
    assert "n2" in pool.unsure


def test_a_need_that_goes_with_no_unit_best_is_as_likely_as_the_one_that_does(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked_at, "_FEWEST_UNITS", 0)
    needs = (need(1, "weight of the pump"), need(2, "weight of the pump"))
    pool = pool_of(project, Request(needs, "weight of the pump", 700))
    assert pool.of_need["n1"]
    assert pool.chances["n2"] >= 0.9 * pool.chances["n1"]


def test_a_prompt_on_a_device_that_no_document_names_has_gaps_alone(project: SmallProject) -> None:
    asked = "isocentre shielding of the bore"
    scanner = replace(need(1, f"the Zephyr Glow Scanner: {asked}"), part=asked)
    request = Request((scanner,), scanner.query, 700)
    assert pool_of(project, request).gaps == {"n1"}


def test_a_prompt_in_another_language_has_no_gap_that_could_be_told(project: SmallProject) -> None:
    asked = "bitte beschreiben, wie laut das gerät warnt"
    request = Request((need(1, asked),), asked, 700)
    assert pool_of(project, request).gaps == frozenset()


def test_what_is_read_with_the_prompt_and_belongs_comes_first(project: SmallProject) -> None:
    request = Request((need(1, "alarm of the pump"),), "alarm of the pump", 700)
    pairs = ScriptedPairs()
    pairs.odds = {"Visitors": 9.0}
    by_selector = pool_of(project, request, is_read=False).of_need["n1"]
    read = pool_of(project, request, pairs).of_need["n1"]
    assert "alarm" in text_of(project, by_selector[0])
    assert text_of(project, read[0]) == "Visitors may park behind the building."
    assert read[0].score > by_selector[-1].score


def test_only_the_best_units_and_their_neighbours_are_read_and_others_count_as_the_least(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "READ_OF_TEXT", 2)
    request = Request((need(1, "alarm of the pump"),), "alarm of the pump", 700)
    pairs = ScriptedPairs()
    pairs.odds = {"Visitors": 9.0}
    units = pool_of(project, request, pairs).of_need["n1"]
    # The two sentences on the alarm stand together, with one more behind them.
    assert len(pairs.read) == 3
    assert not any("Visitors" in text or "warmer" in text for text in pairs.read)
    assert "Visitors" in text_of(project, units[-1])


def test_a_need_of_which_no_unit_belongs_is_a_gap(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked_at, "_FEWEST_UNITS", 0)
    request = Request((need(1, "alarm of the pump"),), "alarm of the pump", 700)
    pairs = ScriptedPairs()
    assert pool_of(project, request, pairs).gaps == {"n1"}
    pairs.odds = {"alarm": 5.0}
    assert pool_of(project, request, pairs).gaps == frozenset()


def test_of_a_gap_that_some_unit_may_state_it_cannot_be_said_that_it_is_not_there(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    chances = {"n1": 0.9, "n2": 0.1}
    monkeypatch.setattr(UnitPools, "_chances", lambda *_: chances)
    request = Request((need(1, "weight of the pump"), need(2, "mass")), "weight of the pump", 700)
    pairs = ScriptedPairs()
    pairs.odds = {"weighs": 5.0}
    pool = pool_of(project, request, pairs)
    assert pool.gaps == {"n2"}
    assert pool.unsure == {"n1", "n2"}
    assert pool.of_need["n2"]
    assert not select_evidence(request, pool, lambda unit: 1)["n2"]
    pairs.odds = {"weighs": -1.0}
    assert pool_of(project, request, pairs).unsure == {"n1"}
    # Neither belongs nor answers surely, but nearly.
    pairs.odds = {"weighs": -0.4}
    assert pool_of(project, request, pairs).unsure == {"n1", "n2"}
    # What goes best with the whole prompt is read too.
    pairs.odds = {"weighs": 5.0}
    monkeypatch.setattr(told_gaps, "_READ_OF_NEED", 0)
    assert pool_of(project, request, pairs).unsure == {"n1", "n2"}


def test_what_the_prompt_says_not_to_write_is_not_selected(project: SmallProject) -> None:
    request = Request((need(1, "the pump"),), "the pump", 700)
    pool = replace(pool_of(project, request), is_measured=True)
    units = pool.of_need["n1"]
    documents = project.store.documents()

    def left_out(pool: Pool, *exclusions: str) -> list[str]:
        reader = pools_of(project).reader
        rows = excluded_units(exclusions, pool, units, documents, reader)
        return [text_of(project, unit) for unit in units if unit.row in rows]

    assert left_out(pool) == []
    assert left_out(pool, "prices") == []
    assert left_out(pool, "prices", "the weight") == ["The pump weighs 3.2 kg with its stand."]
    # Where scores are no probabilities, nothing can be compared with them.
    assert left_out(replace(pool, is_measured=False), "the weight") == []

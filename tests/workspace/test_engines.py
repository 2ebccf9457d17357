from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.index.vector_caches import VectorCaches
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.model import VectorGraphSettings
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.profiled_project import ProfiledProject
from tests.fakes.small_project import SmallProject

REPORT = "Context/Ongoing/report.md"


@pytest.fixture
def profiled(tmp_path: Path) -> Iterator[ProfiledProject]:
    """One long report."""
    project = SmallProject(tmp_path)
    paragraphs = "\n\n".join(f"The alarm of heater {at} sounds at {at} dB." for at in range(60))
    project.write(REPORT, f"# Report\n\n## Alarm\n\n{paragraphs}\n")
    project.sync()
    yield ProfiledProject(project, tmp_path)
    project.close()


def test_a_profile_is_kept_with_the_project(profiled: ProfiledProject) -> None:
    session = profiled.session
    assert session.profile_name == "regulatory"
    profiled.engines._default = "literature"
    assert session.profile_name == "literature"
    session.set_profile("disclosure")
    assert session.profile_name == "disclosure"
    assert session.plan("What is the level of the alarm?").profile == "disclosure"
    assert session.plan("What is it?", profile="evidence").profile == "evidence"
    with pytest.raises(ProfileError):
        session.set_profile("disclosures")
    assert session.profile_name == "disclosure"


def test_an_engine_stays_beside_the_others_until_its_file_says_otherwise(
    profiled: ProfiledProject,
) -> None:
    engines = profiled.engines
    first, other = engines.get("disclosure"), engines.get("evidence")
    assert engines.get("disclosure") is first
    assert engines.get("evidence") is other
    text = (resources_path() / "profiles" / "disclosure.yaml").read_text("utf-8")
    profiled.own_profiles.mkdir()
    own = profiled.own_profiles / "disclosure.yaml"
    own.write_text(text, "utf-8")
    # The user's file says the same: nothing is made again.
    assert engines.get("disclosure") is first
    own.write_text(text.replace("limit: 5", "limit: 2"), "utf-8")
    changed = engines.get("disclosure")
    assert (first.profile.retrieval.limit, changed.profile.retrieval.limit) == (5, 2)
    assert len(profiled.session.search("alarm", profile="disclosure").hits) == 2
    assert engines.get("evidence") is other


def test_every_profile_cuts_the_same_text_its_own_way(profiled: ProfiledProject) -> None:
    session = profiled.session
    sizes = {
        entry.name: max(len(hit.text) for hit in session.search("alarm", profile=entry.name).hits)
        for entry in session.profiles()
    }
    assert sizes["disclosure"] <= 500 < sizes["regulatory"] <= 4000
    before = [hit.chunk_id for hit in session.search("alarm", profile="regulatory").hits]
    session.search("alarm", profile="literature")
    assert [hit.chunk_id for hit in session.search("alarm").hits] == before


def test_a_damaged_profile_is_listed_with_its_problem_and_the_index_goes_on(
    profiled: ProfiledProject,
) -> None:
    profiled.own_profiles.mkdir()
    (profiled.own_profiles / "mine.yaml").write_text("name: mine\ntitle: Mine\n", "utf-8")
    entries = {entry.name: entry for entry in profiled.session.profiles()}
    assert next(iter(entries)) == "regulatory"
    assert not entries["regulatory"].is_own
    assert entries["regulatory"].problem == ""
    assert entries["mine"].is_own
    assert "mine.yaml, line 1, column 1" in entries["mine"].problem
    with pytest.raises(ProfileError):
        profiled.engines.get("mine")
    assert profiled.engines.usable("mine").profile.name == "regulatory"


def test_unusual_values_of_a_profile_are_told_where_it_is_used(profiled: ProfiledProject) -> None:
    profiled.own_profiles.mkdir()
    text = (resources_path() / "profiles" / "disclosure.yaml").read_text("utf-8")
    unusual = re.sub(r"(keyword_candidates): \d+", r"\1: 900", text)
    assert unusual != text
    (profiled.own_profiles / "disclosure.yaml").write_text(unusual, "utf-8")
    session = profiled.session
    for warnings in (
        session.search("alarm", profile="disclosure").warnings,
        session.plan("Describe the alarm.", profile="disclosure").warnings,
    ):
        assert any("keyword_candidates” is 900; usual is" in each for each in warnings)
    assert session.search("alarm").warnings == ()


def test_another_profile_cuts_beside_the_stored_chunks(session: ProjectSession) -> None:
    session.set_profile("disclosure")
    report = run_to_end(session.sync())
    assert report.changed == 0
    details = session.details()["versions"]
    assert isinstance(details, dict)
    assert details["profile"] == "disclosure"
    assert session.search("alarm").hits
    session.set_profile("regulatory")
    assert session.search("alarm").hits


def test_where_vectors_fail_the_keywords_alone_are_searched_and_it_is_said(
    profiled: ProfiledProject,
) -> None:
    profiled.project.embedder.fail()
    found = profiled.session.search("alarm", profile="evidence")
    assert found.hits
    assert all(hit.similarity is None and hit.bm25 is not None for hit in found.hits)
    assert "by keywords alone" in found.warnings[0]
    assert "not there" in found.warnings[0]


@pytest.mark.parametrize("asks", [True, False])
def test_where_vectors_fail_a_plan_is_made_by_words_and_it_is_said(
    profiled: ProfiledProject, asks: bool
) -> None:
    prompt = "What is the level of the alarm of heater 37?"
    usual = profiled.session.plan(prompt, asks=asks)
    assert not usual.by_words
    assert not usual.warnings
    profiled.project.embedder.fail()
    plan = profiled.session.plan(prompt, asks=asks)
    assert plan.by_words
    assert [each for each in plan.warnings if "by keywords alone" in each] == [plan.warnings[0]]
    assert any("heater 37 sounds" in p.text for point in plan.points for p in point.evidence)
    assert bool(plan.retrieved) == asks


def test_an_index_that_is_being_built_gives_what_it_has_and_says_so(
    profiled: ProfiledProject,
) -> None:
    assert profiled.session.search("alarm").warnings == ()
    profiled.project.writer.write_files(
        [FileRecord("Context/Ongoing/new.md", Layer.ONGOING, FileState.PENDING)]
    )
    found = profiled.session.search("alarm")
    assert found.hits
    assert "1 file is still to be read" in found.warnings[0]
    assert any("still to be read" in each for each in profiled.session.plan("The alarm?").warnings)


def test_a_result_is_kept_until_the_index_changes(profiled: ProfiledProject) -> None:
    session, embedder = profiled.session, profiled.project.embedder
    first = session.search("alarm of heater 7")
    asked = len(embedder.embedded)
    assert session.search("alarm of heater 7").hits == first.hits
    assert len(embedder.embedded) == asked
    profiled.project.write("Context/Ongoing/new.md", "# New\n\nThe alarm of heater 7 is new.\n")
    profiled.project.sync()
    assert any(hit.file.endswith("new.md") for hit in session.search("alarm of heater 7").hits)


def test_reranking_is_for_questions_of_several_parts_and_never_when_fast(
    profiled: ProfiledProject,
) -> None:
    two = "How loud is heater 4? How loud is heater 44?"
    profile = profiled.engines.get("literature").profile
    rules = replace(profile.retrieval.rerank, enabled=True)
    session = profiled.with_profile(
        "mine", replace(profile, retrieval=replace(profile.retrieval, rerank=rules))
    )

    def reranked(query: str, *, is_fast: bool = False) -> bool:
        hits = session.search(query, is_fast=is_fast).hits
        assert hits
        return any(hit.rerank is not None for hit in hits)

    assert reranked(two)
    assert not reranked(two, is_fast=True)
    assert not reranked("How loud is heater 4?")


def test_profiles_share_vectors_until_a_graph_pays(profiled: ProfiledProject) -> None:
    project = profiled.project

    def caches(exact_limit: int) -> VectorCaches:
        return VectorCaches(
            project.store,
            project.cache,
            identity=project.embedder.identity,
            dimensions=project.embedder.dimensions,
            exact_limit=exact_limit,
        )

    plain, other = VectorGraphSettings(), VectorGraphSettings(m=8, ef_construction=40)
    few = caches(exact_limit=100_000)
    assert few.get(plain) is few.get(other)
    many = caches(exact_limit=1)
    assert many.get(plain) is not many.get(other)
    assert many.get(other) is many.get(other)
    for graph in (plain, other):
        many.get(graph).refresh()
    many.snapshot()
    assert (project.cache / "graph-8-40" / "vectors.bin").is_file()


def test_what_a_chunk_set_costs_is_said_before_it_is_made(profiled: ProfiledProject) -> None:
    def prepared(name: str) -> tuple[int, list[Event]]:
        events: list[Event] = []
        return run_to_end(profiled.session.prepare_profile(name), events.append), events

    count, events = prepared("disclosure")
    assert count == 1
    assert events == [
        Progress("Preparing the documents for the profile “Disclosures”", 0, 1, "documents")
    ]
    assert prepared("disclosure") == (0, [])
    assert prepared("literature")[0] == 1
    assert prepared("disclosure") == (0, [])

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
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

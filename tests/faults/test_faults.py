"""A short run of the faults; ``python -m tests.faults`` has the long ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.faulty_project import FaultyProject
from tests.faults.flipped_bits import FlippedShared, flip_bits, flip_bits_beside
from tests.faults.half_written import HalfWritten
from tests.faults.kills import Kills


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, models_path: Path) -> Iterator[FaultyProject]:
    made = FaultyProject(tmp_path_factory.mktemp("faults"), models_path)
    yield made
    made.close()


def test_flipped_bits_are_told_and_mended(project: FaultyProject) -> None:
    outcomes = [flip_bits(project, seed) for seed in range(25)]
    assert [one for one in outcomes if one.wrong or one.is_found_otherwise] == []
    assert len([one for one in outcomes if one.mended]) >= 10


def test_flipped_bits_of_what_is_kept_beside_change_nothing(project: FaultyProject) -> None:
    outcomes = [flip_bits_beside(project, seed) for seed in range(8)]
    assert [one for one in outcomes if one.wrong or one.told or one.is_found_otherwise] == []


def test_flipped_bits_of_what_projects_share_change_nothing(project: FaultyProject) -> None:
    flipped = FlippedShared(project)
    outcomes = [flipped.run(seed) for seed in range(8)]
    assert [one for one in outcomes if one.wrong or one.mended] == []


def test_what_is_copied_in_the_middle_of_a_write_is_brought_up_to_date(
    project: FaultyProject, tmp_path: Path
) -> None:
    half_written = HalfWritten(project, tmp_path)
    outcomes = [half_written.run(seed) for seed in range(6)]
    assert [one for one in outcomes if one.wrong or one.mended] == []


def test_what_a_killed_process_has_left_is_brought_up_to_date(project: FaultyProject) -> None:
    kills = Kills(project)
    outcomes = [kills.run(seed) for seed in range(9)]
    assert [one for one in outcomes if one.wrong or one.mended] == []
    assert any("killed" in one.what for one in outcomes)

"""What the training reads of a prompt is what the product reads for its text."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from train_selector import requests_of

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.wiring import build_application
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in

ALARM = "Describe the alarm behaviour."
COMPARED = (
    "Compare the Calmera T1 with its predicate K998877 side by side: flow rate, alarm behaviour, "
    "weight. Describe the alarm behaviour."
)


def test_requests_of_prompts_are_read_with_and_without_a_comparison(
    tmp_path: Path, models_path: Path
) -> None:
    make = UnitPools.pool
    places = places_in(tmp_path / "home", models_path)
    with (
        closing(build_application(places)) as application,
        closing(application.workspace.open(make_warmer_project(tmp_path / "project"))) as session,
    ):
        run_to_end(session.sync())
        rows = [{"prompt": ALARM}, {"prompt": COMPARED}]
        read = list(requests_of(session, rows))
    assert [row["prompt"] for row, _ in read] == [ALARM, COMPARED]
    assert read[0][1].request.needs[0].query == "alarm behaviour"
    assert all(len(each.looked.units.rows) for _, each in read)
    assert UnitPools.pool is make

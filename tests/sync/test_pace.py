"""The pace: all cores, one beside the writer or on the battery, none beside a generation."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from phasergun_desktop.sync.pace import TYPING_S, Pace, available_cores
from phasergun_desktop.sync.power_supply import is_on_battery

CORES = 8


class Desk:
    """A machine and a writer."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.generates = False
        self.is_unplugged = False
        self.pace = Pace(
            CORES,
            is_generating=lambda: self.generates,
            is_on_battery=lambda: self.is_unplugged,
            now=lambda: self.seconds,
        )


def test_all_cores_work_where_nobody_else_does() -> None:
    assert Desk().pace.lanes() == CORES


def test_one_works_while_the_writer_types() -> None:
    desk = Desk()
    desk.pace.typed()
    desk.seconds += TYPING_S - 1
    assert desk.pace.lanes() == 1
    desk.seconds += 1
    assert desk.pace.lanes() == CORES


def test_one_works_on_the_battery_which_is_noticed_within_half_a_minute() -> None:
    desk = Desk()
    assert desk.pace.lanes() == CORES
    desk.is_unplugged = True
    assert desk.pace.lanes() == CORES
    desk.seconds += 30
    assert desk.pace.lanes() == 1


def test_none_works_while_a_model_writes() -> None:
    desk = Desk()
    desk.pace.typed()
    desk.generates = True
    assert desk.pace.lanes() == 0
    desk.generates = False
    assert desk.pace.lanes() == 1


def test_no_more_cores_are_used_than_the_process_may() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is asked in another way")
@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, False),
        ({"AC": {"type": "Mains", "online": "0"}, "BAT0": {"type": "Battery"}}, False),
        ({"BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        ({"BAT0": {"type": "Battery", "status": "Charging"}}, False),
        ({"mouse": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, False),
    ],
)
def test_the_battery_of_the_machine_alone_counts(
    tmp_path: Path, supplies: dict[str, dict[str, str]], *, expected: bool
) -> None:
    for name, said in supplies.items():
        (tmp_path / name).mkdir()
        for key, value in said.items():
            (tmp_path / name / key).write_text(f"{value}\n", "ascii")
    assert is_on_battery(tmp_path) is expected

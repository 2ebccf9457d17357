"""The clock of full scans: every ten minutes, and after each sleep."""

from __future__ import annotations

from phasergun_desktop.sync.scan_clock import SCAN_EVERY_S, TICK_S, ScanClock


class Wall:
    """A clock on the wall that goes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def asked(clock: ScanClock, wall: Wall, ticks: int) -> list[bool]:
    answers = []
    for _ in range(ticks):
        wall.seconds += TICK_S
        answers.append(clock.is_due())
    return answers


def test_a_scan_is_due_every_ten_minutes() -> None:
    wall = Wall()
    ticks = round(SCAN_EVERY_S / TICK_S)
    answers = asked(ScanClock(wall), wall, 2 * ticks)
    assert [number for number, due in enumerate(answers, 1) if due] == [ticks, 2 * ticks]


def test_a_scan_is_due_once_after_a_sleep_and_when_the_clock_was_set_back() -> None:
    wall = Wall()
    clock = ScanClock(wall)
    assert asked(clock, wall, 3) == [False] * 3
    wall.seconds += 3_600
    assert asked(clock, wall, 3) == [True, False, False]
    wall.seconds -= 7_200
    assert asked(clock, wall, 3) == [True, False, False]

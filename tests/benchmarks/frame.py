"""Figures with unit and interval, timing, and alternated pairs."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from phasergun_desktop.evaluation.metrics import estimate_share


class Unavailable(Exception):  # noqa: N818 - a reason, not a failure
    """What the benchmark needs is not on this machine; the message says what."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured quantity. ``target`` is the wanted bound in ``unit`` (None: only reported);
    ``at_least`` says that more is better."""

    name: str
    unit: str
    n: int
    minimum: float
    median: float
    p95: float
    maximum: float
    target: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the median keeps the target; None without one."""
        if self.target is None:
            return None
        return self.median >= self.target if self.at_least else self.median <= self.target


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named measurement; ``run`` prepares, measures and cleans up by itself.

    ``run`` raises ``Unavailable`` when something it needs is absent. ``only_when_named`` keeps
    it out of a run of all. With ``has_questions``, ``run`` may be told how many of them it asks at
    most.
    """

    name: str
    about: str
    run: Callable[..., Iterable[Figure]]
    only_when_named: bool = False
    has_questions: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Seconds of two ways of doing the same work, measured in turn."""

    first_s: tuple[float, ...]
    second_s: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """How many times longer the second took, pair by pair."""
        return tuple(b / a for a, b in zip(self.first_s, self.second_s, strict=True))


def figure(
    name: str,
    unit: str,
    values: Sequence[float],
    *,
    target: float | None = None,
    at_least: bool = False,
    note: str = "",
) -> Figure:
    """Return the figure of at least one value; p95 is the value that 95 % do not exceed."""
    ordered = sorted(values)
    return Figure(
        name=name,
        unit=unit,
        n=len(ordered),
        minimum=ordered[0],
        median=statistics.median(ordered),
        p95=ordered[math.ceil(0.95 * len(ordered)) - 1],
        maximum=ordered[-1],
        target=target,
        at_least=at_least,
        note=note,
    )


def seconds(work: Callable[[], object]) -> float:
    """Run ``work`` once and return its seconds of wall-clock time."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def share(
    name: str,
    found: Sequence[tuple[str, bool]],
    *,
    target: float | None = None,
    at_least: bool = True,
    note: str = "",
) -> Figure:
    """Return the share of rows that are true; ``minimum`` and ``maximum`` are the ends of its 95 %
    interval, by drawing the groups (the first of each row, a prompt) whole."""
    estimated = estimate_share([is_true for _, is_true in found], [group for group, _ in found])
    low, value, high = estimated.low, estimated.value, estimated.high
    count = sum(is_true for _, is_true in found)
    said = f"{count} of {len(found)}; interval by prompt{'; ' if note else ''}{note}"
    return Figure(name, "share", len(found), low, value, high, high, target, at_least, said)


@contextmanager
def timed(spent: list[float]) -> Iterator[None]:
    """Append the seconds of wall-clock time that the body took."""
    start = time.perf_counter()
    yield
    spent.append(time.perf_counter() - start)


def repeat_ms(work: Callable[[], object], n: int, *, warm_up: int = 1) -> tuple[float, ...]:
    """Run ``work`` ``warm_up`` times unmeasured, then ``n`` times; return milliseconds."""
    for _ in range(warm_up):
        work()
    return tuple(seconds(work) * 1000 for _ in range(n))


def alternate(
    first: Callable[[], object],
    second: Callable[[], object],
    pairs: int = 5,
    *,
    warm_up: int = 1,
) -> Pairs:
    """Measure two ways in turn (A B, B A, A B …), so that a slow minute hits both alike."""
    for _ in range(warm_up):
        first()
        second()
    first_s: list[float] = []
    second_s: list[float] = []
    for index in range(pairs):
        if index % 2 == 0:
            first_s.append(seconds(first))
            second_s.append(seconds(second))
        else:
            second_s.append(seconds(second))
            first_s.append(seconds(first))
    return Pairs(tuple(first_s), tuple(second_s))

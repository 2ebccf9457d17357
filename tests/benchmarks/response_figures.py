"""How soon a draft ends after Stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerStatus, FirstToken, PointStarted, TextStreamed
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import LANGUAGE_MODEL, GlucoseProject, model_file, opened


def stopping(project: GlucoseProject, model: str = LANGUAGE_MODEL) -> Iterator[Figure]:
    """Stop in each phase of a draft: seconds until the draft has ended and what it kept."""
    model_file(model)
    with (
        project.indexed_home() as home,
        opened(project.root, home, model=model) as (_, session),
    ):
        run_to_end(session.warm())
        plans = {PurePosixPath(p.file).stem: session.plan(p.text) for p in session.prompts()}
        description = plans["device-description"]
        phases: tuple[tuple[str, Plan, Callable[[Event], bool], float], ...] = (
            ("reading", description, _is_point, 0.5),
            ("first_word", description, lambda e: isinstance(e, FirstToken), 0.0),
            ("writing", description, _after_words(20), 0.0),
        )
        for name, plan, is_phase, wait_s in phases:
            spent = [_stop_s(session, plan, is_phase, wait_s) for _ in range(3)]
            yield figure(f"stop_{name}", "s", spent, target=1.0, note="until the draft has ended")


def _stop_s(
    session: ProjectSession, plan: Plan, is_phase: Callable[[Event], bool], wait_s: float
) -> float:
    """Return the seconds from Stop, ``wait_s`` after the phase began, to the end of the job."""
    stop_at = float("inf")

    def should_stop() -> bool:
        return time.perf_counter() >= stop_at

    def note(event: Event) -> None:
        nonlocal stop_at
        if stop_at == float("inf") and is_phase(event):
            stop_at = time.perf_counter() + wait_s

    result = run_to_end(session.draft(plan, should_stop=should_stop), note)
    ended = time.perf_counter()
    if result.status is not AnswerStatus.CANCELLED:
        raise AssertionError(f"the draft ended as {result.status}, not cancelled")
    return max(0.0, ended - stop_at)


def _is_point(event: Event) -> bool:
    return isinstance(event, PointStarted)


def _after_words(count: int) -> Callable[[Event], bool]:
    seen = 0

    def check(event: Event) -> bool:
        nonlocal seen
        seen += isinstance(event, TextStreamed)
        return seen % count == 0 and seen > 0

    return check

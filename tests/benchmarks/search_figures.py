"""Opening an index and searching it with questions that were not asked before."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from phasergun_desktop.wiring import build_application
from tests.benchmarks.frame import Figure, figure, timed
from tests.benchmarks.glucose import NO_MODEL, GlucoseProject, opened, places_in, run_child
from tests.benchmarks.search_questions import QUESTIONS

_TARGET_MS = 30.0
_OPEN_TARGET_MS = 150.0


def open_index(project: GlucoseProject, opens: int = 20, processes: int = 5) -> Iterator[Figure]:
    """Open the indexed project again and again, in this process and in new ones."""
    to_files: list[float] = []
    to_hits: list[float] = []
    with project.indexed_home() as home:
        application = build_application(places_in(home), model=NO_MODEL)
        try:
            for question in QUESTIONS[: opens + 1]:
                with timed(to_files):
                    session = application.workspace.open(project.root)
                    session.files()
                with timed(to_hits):
                    session.search(question)
                session.close()
        finally:
            application.close()
        marks = [
            run_child("tests.benchmarks.session_child", project.root, home, QUESTIONS[0])
            for _ in range(processes + 1)
        ][1:]  # the first compiles every module to byte code
    yield figure(
        "open_index",
        "ms",
        [each * 1000 for each in to_files[1:]],  # the first loads libraries and the embedder
        target=_OPEN_TARGET_MS,
        note="from opening the project to the list of its files with their states",
    )
    yield figure(
        "open_index_and_search",
        "ms",
        [(a + b) * 1000 for a, b in zip(to_files[1:], to_hits[1:], strict=True)],
        target=_OPEN_TARGET_MS,
        note="the same plus a first search, which maps vectors and keywords; embedder loaded",
    )
    yield figure(
        "open_index_new_process",
        "ms",
        [each["open_ms"] for each in marks],
        target=_OPEN_TARGET_MS,
        note="as open_index, the first thing that a new process does after its imports",
    )
    yield figure(
        "first_search_new_process",
        "ms",
        [each["first_search_ms"] for each in marks],
        note="libraries, embedder, vectors and keywords loaded for it",
    )


def search_speed(project: GlucoseProject, rounds: int = 3, limit: int = 0) -> Iterator[Figure]:
    """Ask every question once in a session, ``rounds`` sessions; the first query apart.

    ``limit`` above 0 asks only so many questions.
    """
    questions = [each.text for each in project.questions()]
    questions += [each for each in QUESTIONS if each not in questions]
    questions = questions[: limit or None]
    first: list[float] = []
    later: list[float] = []
    p95: list[float] = []
    stages: dict[str, list[float]] = {"embed": [], "keyword": [], "vector": [], "fuse": []}
    with project.indexed_home() as home:
        for _ in range(rounds):
            spent: list[float] = []
            with opened(project.root, home) as (_, session):
                with timed(first):
                    session.search("a first question")
                for question in questions:
                    start = time.perf_counter()
                    timings = session.search(question).timings
                    spent.append((time.perf_counter() - start) * 1000)
                    for stage, values in stages.items():
                        values.append(float(getattr(timings, f"{stage}_ms")))
            later += spent
            p95.append(sorted(spent)[math.ceil(0.95 * len(spent)) - 1])
    yield figure(
        "search_p95",
        "ms",
        p95,
        target=_TARGET_MS,
        note=f"95th percentile of {len(questions)} different questions, one value a session",
    )
    yield figure(
        "search",
        "ms",
        later,
        target=_TARGET_MS,
        note="all questions of all sessions; ten hits, every layer, question embedded each time",
    )
    for stage, values in stages.items():
        yield figure(f"search_{stage}", "ms", values)
    yield figure(
        "search_first",
        "ms",
        [each * 1000 for each in first],
        note="the first query of a session: embedder, vectors and keywords are loaded for it",
    )

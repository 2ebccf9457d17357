"""The window from the start of its process, and what it keeps in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.settings.model_choice import ModelChoice, ModelSource
from phasergun_desktop.settings.store import SettingsStore
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import (
    NO_MODEL,
    GlucoseProject,
    places_in,
    run_child,
)

_STAGES = (
    ("python", "the interpreter runs"),
    (
        "imports",
        "Qt and the window are imported; the rest of the product follows in the background",
    ),
    ("shown", "the window is shown"),
    ("opened", "the project is in view and its prompt can be edited"),
    ("project", "its files and prompts are listed"),
)
_QUESTION = "What is the smallest blood sample the meter needs?"
_MB = 1_000_000


def window_start(project: GlucoseProject, starts: int = 7) -> Iterator[Figure]:
    """Start the window on an indexed project; the first start, with cold files, apart."""
    with project.indexed_home() as home:
        first, *others = [_start(project.root, home) for _ in range(starts + 1)]
    for stage, meaning in _STAGES:
        yield figure(f"window_{stage}", "s", [each[stage] for each in others], note=meaning)
    yield figure(
        "window_usable",
        "s",
        [each["usable"] for each in others],
        target=1.0,
        note="from just before the process is started until a letter typed into the prompt is"
        " drawn, the indexed project in view; no screen; embedder, index and language model are"
        " being warmed meanwhile; byte code and disk cache warm",
    )
    yield figure(
        "window_usable_first",
        "s",
        [first["usable"]],
        note="the start before those, which compiles every module to byte code",
    )


def memory_without_model(project: GlucoseProject, runs: int = 3) -> Iterator[Figure]:
    """Resident memory of the window and of a session, each in a process of its own."""
    with project.indexed_home() as home:
        _choose_no_model(home)
        found = [_start(project.root, home, "--stay", _QUESTION) for _ in range(runs)]
        sessions = [
            run_child("tests.benchmarks.session_child", project.root, home, _QUESTION)
            for _ in range(runs)
        ]
    if not all(each["hits"] for each in found + sessions):
        raise AssertionError("the search found nothing")
    yield figure(
        "memory_window",
        "MB",
        [each["rss"] / _MB for each in found],
        target=400.0,
        note="resident set (10^6 bytes, shared library pages included) of the window's process:"
        " project open and in sync, embedder loaded, one search done, no language model;"
        " child processes apart",
    )
    yield figure(
        "memory_window_own", "MB", [each["uss"] / _MB for each in found], note="unshared pages"
    )
    yield figure(
        "memory_window_children",
        "MB",
        [each["children_rss"] / _MB for each in found],
        note=f"resident sets of its {found[-1]['children']:.0f} child processes, summed; the"
        " reader of documents runs while there is something to read",
    )
    yield figure(
        "memory_session",
        "MB",
        [each["rss"] / _MB for each in sessions],
        note="resident set of a process without a window: project open, one search done",
    )


def _choose_no_model(home: Path) -> None:
    store = SettingsStore(places_in(home).config / "settings.json")
    no_model = ModelChoice(ModelSource.FILE, file=NO_MODEL)
    store.change(
        lambda before: replace(before, generation=replace(before.generation, balanced=no_model))
    )


def _start(root: Path, home: Path, *more: str) -> dict[str, float]:
    marks: dict[str, float] = run_child("tests.benchmarks.window_child", root, home, *more)
    if "usable" not in marks:
        raise AssertionError(f"the window never became usable: {marks}")
    return marks

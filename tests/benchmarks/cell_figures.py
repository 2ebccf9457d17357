"""Comparison tables: are the attributes of a prompt its rows, and what do their cells state?

``comparison.jsonl`` of thirty small projects holds a prompt, as a writer types it, and for each
attribute and device the units that state its current value, which may be none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.planning.model import PointKind
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.indexed_copy import indexed_copy

DATA = Path(__file__).resolve().parents[2] / "packaging" / "selector_data"
_NAME = re.compile(r"[\w-]{4,}")


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell that a prompt asks for, and what is in it; ``project`` is where."""

    project: str
    is_own: bool
    is_row: bool
    is_stated: bool
    is_filled: bool
    is_right: bool


def cell_figures() -> Iterator[Figure]:
    """Yield what the tables of the projects hold: of every second by name, which the bounds were
    set on, and of the others."""
    projects = sorted(path.parent for path in DATA.glob("*/comparison.jsonl"))
    for half, names in (("set on", projects[::2]), ("others", projects[1::2])):
        cells = [cell for project in names for cell in _of_project(project)]
        yield share(f"{half}: attributes that are rows", [(c.project, c.is_row) for c in cells])
        for is_own, whose in ((True, "the device"), (False, "other devices")):
            own = [cell for cell in cells if cell.is_own == is_own]
            stated = [(c.project, c.is_right) for c in own if c.is_stated]
            filled = [(c.project, c.is_right) for c in own if c.is_filled]
            yield share(f"{half}: cells of {whose} that are stated, filled right", stated)
            yield share(f"{half}: filled cells of {whose} that are right", filled)


def _of_project(project: Path) -> Iterator[_Cell]:
    with indexed_copy(project / "project") as (_, session):
        for line in (project / "comparison.jsonl").read_text("utf-8").splitlines():
            yield from _of_prompt(project.name, json.loads(line), session)


def _of_prompt(project: str, asked: Mapping[str, Any], session: ProjectSession) -> Iterator[_Cell]:
    points = [p for p in session.plan(asked["prompt"]).points if p.kind is PointKind.COMPARE]
    devices = dict.fromkeys(point.device for point in points)
    called = {name: _called(name, devices) for name in asked["others"]}
    left = [device for device in devices if device not in called.values()]
    by_place = {(_plain(point.attribute), point.device): point for point in points}
    rows = {_plain(point.attribute) for point in points}
    for row in asked["rows"]:
        attribute = _plain(row["attribute"])
        attribute = next((each for each in rows if each.split(" (")[0] == attribute), attribute)
        judged = {"": row["own"], **row["others"]}
        for name, said in judged.items():
            device = called.get(name) if name else next(iter(left), None)
            point = by_place.get((attribute, device or ""))
            value = point.value if point is not None else None
            units = set(said["units"])
            is_right = value is not None and bool(units & set(_units_of(value, session)))
            yield _Cell(
                project, not name, attribute in rows, bool(units), value is not None, is_right
            )


def _called(name: str, devices: Mapping[str, None]) -> str | None:
    """Return which of ``devices`` is called as a prompt calls it."""
    wanted = {word.casefold() for word in _NAME.findall(name)}
    found = (d for d in devices if wanted & {word.casefold() for word in _NAME.findall(d)})
    return next(found, None)


def _units_of(value: SourceValue, session: ProjectSession) -> Iterator[str]:
    """Yield the digests of the units that ``value`` is part of."""
    for unit in split_units(session.source(value.file).document):
        if unit.start < value.end and value.start < unit.end:
            # As ``packaging/train_selector.py`` names units.
            yield hashlib.sha256(f"{value.file}\n{unit.text}".encode()).hexdigest()[:8]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

"""Which documents have a summary in the prompt, and how long it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.model import DocumentSummary, PlannedPoint, PointKind
from phasergun_desktop.planning.settling import PlanSettings, Settling
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage, SearchScope
from tests.fakes.desk import Desk
from tests.fakes.small_project import SmallProject

LONG = "Context/Ongoing/long.md"
SHORT = "Context/Initiation/short.md"
OTHER = "Context/General/other.md"
INTRODUCTION = "# Report\n\nThis  report\nhas two spaces. " + "It goes on and on. " * 80


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    project = SmallProject(tmp_path)
    project.write(LONG, INTRODUCTION + "\n\n# End\n\nThe heater weighs 3 kg.\n")
    project.write(SHORT, "# Note\n\n" + "A few words. " * 30 + "\n\n# End\n\nThe stand is red.\n")
    project.write(OTHER, "# Other\n\n" + "Something else. " * 60 + "\n\n# End\n\nIt is blue.\n")
    yield Desk(project)
    project.close()


def _count(text: str) -> int:
    return len(text.split())


def _summaries(
    desk: Desk, points: Sequence[PlannedPoint], *, words: int = 250, budget: int = 120
) -> tuple[DocumentSummary, ...]:
    settings = PlanSettings("small", words, budget)
    return Settling(desk.documents, settings, system="", count_tokens=_count).summaries(points)


def _point(
    desk: Desk, *files: str, start: int = -30, scope: SearchScope | None = None
) -> PlannedPoint:
    """Return a point that reads each file from ``start`` (from its end if negative)."""
    passages = []
    for file in files:
        record, text = desk.project.document(file), desk.text(file)
        first = start % len(text)
        passages.append(
            Passage(
                record.document_id, file, record.sha256, record.title, record.layer, ChunkId(""),
                first, len(text), text[first:], (), 1.0,
            )
        )  # fmt: skip
    every = scope or SearchScope(layers=frozenset(Layer))
    return PlannedPoint(PointKind.DESCRIBE, "", "q", "q", every, passages=tuple(passages))


def test_the_document_that_is_read_most_comes_first(desk: Desk) -> None:
    points = [_point(desk, SHORT, LONG), _point(desk, LONG)]
    assert [each.file for each in _summaries(desk, points)] == [LONG, SHORT]


def test_a_summary_is_the_beginning_as_it_stands(desk: Desk) -> None:
    [summary] = _summaries(desk, [_point(desk, LONG)], words=12)
    assert desk.text(LONG).startswith(summary.text)
    assert "This  report\nhas two spaces." in summary.text
    assert len(summary.text.split()) == 12


def test_all_together_stay_within_the_budget(desk: Desk) -> None:
    points = [_point(desk, LONG, SHORT, OTHER)]
    for budget in (40, 90, 130, 400):
        told = _summaries(desk, points, budget=budget)
        assert told
        assert sum(_count(each.text) for each in told) <= budget


def test_what_a_short_document_leaves_goes_to_the_next(desk: Desk) -> None:
    told = _summaries(desk, [_point(desk, SHORT), _point(desk, SHORT, LONG)], budget=240)
    assert [each.file for each in told] == [SHORT, LONG]
    assert _count(told[1].text) > 120


def test_without_a_budget_there_are_none(desk: Desk) -> None:
    assert _summaries(desk, [_point(desk, LONG)], budget=0) == ()
    assert _summaries(desk, [_point(desk, LONG)], words=0) == ()


def test_a_document_whose_beginning_is_read_anyway_has_none(desk: Desk) -> None:
    assert _summaries(desk, [_point(desk, LONG, start=0)]) == ()


def test_a_document_that_one_step_may_not_read_has_none(desk: Desk) -> None:
    initiation = SearchScope(layers=frozenset({Layer.INITIATION}))
    points = [_point(desk, LONG), _point(desk, SHORT, scope=initiation)]
    assert [each.file for each in _summaries(desk, points)] == [SHORT]

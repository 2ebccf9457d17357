"""Thin scopes and required points without a sentence."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.consistency.between_sources import scope_discrepancies
from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.planning.model import DiscrepancyKind, PlannedPoint, PointKind
from phasergun_desktop.references.model import Problem, Severity
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.writing.coverage import not_covered


def _point(heading: str, *, is_required: bool = True, helps: str = "") -> PlannedPoint:
    return PlannedPoint(
        PointKind.DESCRIBE, heading, heading, f"Describe {heading}", SearchScope(),
        is_required=is_required, helps=helps,
    )  # fmt: skip


def test_a_required_point_without_a_sentence() -> None:
    points = [_point("Shelf life", helps="a stability report"), _point("Materials"), _point("Use")]
    units = [
        DraftSentence("Shelf life", UnitKind.HEADING, point=0),
        DraftSentence("[TODO: …]", UnitKind.TODO, point=0),
        DraftSentence("Made of silicone.", support=Support.SUPPORTED, point=1),
        DraftSentence("Used by all.", support=Support.UNSUPPORTED, point=2),
    ]
    result = not_covered(points, units)
    assert [each.kind for each in result] == [DiscrepancyKind.NOT_COVERED] * 2
    assert "Shelf life" in result[0].message
    assert "stability report" in result[0].message
    assert "Use" in result[1].message
    assert not_covered([replace(each, is_required=False) for each in points], units) == ()


def test_another_point_of_the_same_heading_carries_it() -> None:
    points = [_point("Use"), _point("Use")]
    assert not_covered(points, [DraftSentence("For all.", point=1)]) == ()


def test_a_compared_attribute_is_stated_by_its_row() -> None:
    point = replace(_point(""), kind=PointKind.COMPARE, attribute="sample type", device="H1")
    row = DraftSentence("Sample type | blood | blood", UnitKind.TABLE_ROW, (1,))
    assert not_covered([point], [row]) == ()
    assert len(not_covered([point], [replace(row, citations=())])) == 1


def test_what_the_prompt_cannot_use() -> None:
    problem = Problem("thin_scope", Severity.WARNING, "@sops has no document.", "Add one.")
    told = scope_discrepancies([problem], [])
    assert [each.kind for each in told] == [DiscrepancyKind.SCOPE]
    assert "Add one." in told[0].message
    empty = scope_discrepancies([], [_point("Materials", helps="a specification")])
    assert len(empty) == 1
    assert "Materials" in empty[0].message
    elsewhere = replace(_point("Materials"), may_be_stated=True)
    cell = replace(_point(""), kind=PointKind.COMPARE, attribute="weight", device="H1")
    assert scope_discrepancies([], [elsewhere, cell]) == ()

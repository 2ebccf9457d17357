"""What a template requires and the draft does not state, which tables it states in part, and which
discrepancies of the plan still say something once it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, first_of_table, table_around
from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.planning.model import (
    Discrepancy,
    DiscrepancyKind,
    Plan,
    PlannedPoint,
    PointKind,
)

# Fewer rows than these are picked, and look like no table; two of three look like all.
_SEVERAL = 3
_IN_PART = "Tables that are stated in part: {}. Tick the others above the page where they belong."


def without_gaps(plan: Plan, gaps: Sequence[str]) -> tuple[Discrepancy, ...]:
    """Return the discrepancies of ``plan`` that still say something once it is written: a point
    without passages has become a gap, which is said in its own words."""
    if plan.problems or not gaps:
        return plan.discrepancies
    return tuple(one for one in plan.discrepancies if one.kind is not DiscrepancyKind.SCOPE)


def not_covered(
    points: Sequence[PlannedPoint], units: Sequence[DraftSentence]
) -> tuple[Discrepancy, ...]:
    """Return the required points of a template that no unit of the draft states with a source."""
    stating = [
        unit
        for unit in units
        if unit.kind not in (UnitKind.HEADING, UnitKind.TODO)
        and unit.support not in (Support.UNSUPPORTED, Support.CONTRADICTED)
        and not unit.is_header
    ]
    found: dict[str, Discrepancy] = {}
    for index, point in enumerate(points):
        name = point.heading or point.attribute or point.instruction.partition(". ")[0].rstrip(".")
        if not point.is_required or name in found or _is_stated(index, points, stating):
            continue
        helps = f" Missing: {point.helps}." if point.helps else ""
        found[name] = Discrepancy(
            DiscrepancyKind.NOT_COVERED,
            f"The template requires “{name}”, and no sentence of the draft states it.{helps}",
        )
    return tuple(found.values())


def tables_in_part(
    rows: Sequence[CandidateSpan], parsed: Callable[[int], ParsedDocument]
) -> tuple[str, ...]:
    """Return a sentence that names the tables of which ``rows`` of the draft are several and not
    all: what is left looks whole. ``parsed`` returns a document."""
    stated: dict[tuple[int, int], list[CandidateSpan]] = {}
    for span in rows:
        document = span.passage.document_id
        first = first_of_table(span.block, parsed(document))
        stated.setdefault((document, first.ordinal), []).append(span)
    named = []
    for found in stated.values():
        table = table_around(found[0].block, parsed(found[0].passage.document_id))
        every, own = sum(not each.is_table_header for each in table), len({s.start for s in found})
        if 1 < own < every and own >= min(_SEVERAL, every - 1):
            name = (found[0].passage.title, *found[0].block.heading_path)[-1]
            named.append(f"{own} of {every} rows of “{name}”")
    return (_IN_PART.format(", ".join(named)),) if named else ()


def _is_stated(
    index: int, points: Sequence[PlannedPoint], stating: Sequence[DraftSentence]
) -> bool:
    point = points[index]
    if point.kind is PointKind.COMPARE:
        # A comparison is assembled from the slots of all devices: a row carries its attribute.
        wanted = point.attribute.casefold()
        return any(unit.citations and wanted in unit.text.casefold() for unit in stating)
    same = {
        other
        for other, each in enumerate(points)
        if other == index or (point.heading and each.heading == point.heading)
    }
    return any(unit.point in same for unit in stating)

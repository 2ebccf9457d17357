"""What is thin in the scope of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind, PlannedPoint, PointKind
from phasergun_desktop.references.model import Problem


def scope_discrepancies(
    problems: Sequence[Problem], points: Sequence[PlannedPoint]
) -> tuple[Discrepancy, ...]:
    """Return what could not be resolved or gives too little, and points without any passage.

    ``problems`` are those of the prompt; what they say is not said twice.
    """
    found = [
        Discrepancy(DiscrepancyKind.SCOPE, f"{problem.message} {problem.remedy}".strip())
        for problem in problems
    ]
    if not problems:
        found.extend(_without_passages(points))
    return tuple(found)


def _without_passages(points: Sequence[PlannedPoint]) -> Iterator[Discrepancy]:
    told: set[str] = set()
    for point in points:
        is_stated = point.passages or point.value is not None or point.pairs
        # A table says itself what it does not state.
        if is_stated or point.may_be_empty or point.kind is PointKind.COMPARE:
            continue
        subject = point.heading or point.instruction.partition(". ")[0].strip().rstrip(".")
        if subject in told:
            continue
        told.add(subject)
        helps = f" It would stand in {point.helps}." if point.helps else ""
        yield Discrepancy(
            DiscrepancyKind.SCOPE,
            f"The documents that this prompt may use have no passage on: {subject}.{helps}",
        )

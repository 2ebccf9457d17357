"""Everything that is wrong between the sources of a plan, or is not there, before a word is
written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.consistency.bootstrap_answers import bootstrap_discrepancies
from phasergun_desktop.consistency.material import material
from phasergun_desktop.consistency.revision_differences import revision_discrepancies
from phasergun_desktop.consistency.value_differences import value_discrepancies
from phasergun_desktop.planning.model import (
    Discrepancy,
    DiscrepancyKind,
    Plan,
    PlannedPoint,
    PointKind,
)
from phasergun_desktop.planning.prompt_warnings import of_prompt
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.references.model import Problem, ResolvedReference

_MOST = 30


def with_discrepancies(plan: Plan, documents: IndexedDocuments, subjects: Subjects) -> Plan:
    """Return ``plan`` with what its sources disagree in and what is thin in its scope."""
    found = (
        *source_discrepancies(plan.points, documents, plan.references, subjects),
        *scope_discrepancies(of_prompt(plan.problems), plan.points),
    )
    return replace(plan, discrepancies=found)


def source_discrepancies(
    points: Sequence[PlannedPoint],
    documents: IndexedDocuments,
    references: Sequence[ResolvedReference],
    subjects: Subjects,
) -> tuple[Discrepancy, ...]:
    """Return what the sources of ``points`` disagree in, weightiest first, at most 30.

    One side of each is a passage that the plan reads; the other may stand in any document of the
    project that the prompt allows, and in the master record, which always counts.
    """
    if not points:
        return ()
    compared = material(points, documents, references, subjects)
    found = [
        *bootstrap_discrepancies(compared),
        *value_discrepancies(compared),
        *revision_discrepancies(compared, documents),
    ]
    return tuple(found[:_MOST])


def scope_discrepancies(
    problems: Sequence[Problem], points: Sequence[PlannedPoint]
) -> tuple[Discrepancy, ...]:
    """Return what could not be resolved or gives too little, and points without any passage.

    ``problems`` are those of the prompt; what they say is not said twice.
    """
    told = [f"{each.message} {each.remedy}".strip() for each in problems]
    told = told or _without_passages(points)
    return tuple(Discrepancy(DiscrepancyKind.SCOPE, text) for text in told)


def _without_passages(points: Sequence[PlannedPoint]) -> list[str]:
    found: dict[str, str] = {}
    for point in points:
        is_stated = point.passages or point.value is not None or point.pairs
        # A table says itself what it does not state.
        if not (is_stated or point.may_be_empty or point.kind is PointKind.COMPARE):
            subject = point.heading or point.instruction.partition(". ")[0].strip().rstrip(".")
            found.setdefault(subject, f" It would stand in {point.helps}." if point.helps else "")
    on = "The documents that this prompt may use have no passage on"
    return [f"{on}: {subject}.{helps}" for subject, helps in found.items()]

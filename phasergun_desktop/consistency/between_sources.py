"""Everything that is wrong between the sources of a plan, before a word is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.consistency.bootstrap_answers import bootstrap_discrepancies
from phasergun_desktop.consistency.material import material
from phasergun_desktop.consistency.revision_differences import revision_discrepancies
from phasergun_desktop.consistency.scope import scope_discrepancies
from phasergun_desktop.consistency.value_differences import value_discrepancies
from phasergun_desktop.planning.model import Discrepancy, Plan, PlannedPoint
from phasergun_desktop.planning.prompt_warnings import of_prompt
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.references.model import ResolvedReference

_MOST = 30


def with_discrepancies(plan: Plan, documents: IndexedDocuments) -> Plan:
    """Return ``plan`` with what its sources disagree in and what is thin in its scope."""
    found = (
        *source_discrepancies(plan.points, documents, plan.references),
        *scope_discrepancies(of_prompt(plan.problems), plan.points),
    )
    return replace(plan, discrepancies=found)


def source_discrepancies(
    points: Sequence[PlannedPoint],
    documents: IndexedDocuments,
    references: Sequence[ResolvedReference],
) -> tuple[Discrepancy, ...]:
    """Return what the sources of ``points`` disagree in, weightiest first, at most 30.

    One side of each is a passage that the plan reads; the other may stand in any document of the
    project that the prompt allows, and in the master record, which always counts.
    """
    if not points:
        return ()
    compared = material(points, documents, references)
    found = [
        *bootstrap_discrepancies(compared),
        *value_discrepancies(compared),
        *revision_discrepancies(compared, documents),
    ]
    return tuple(found[:_MOST])

"""Everything that is wrong between the sources of a plan, before a word is written."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.answering.discrepancies.bootstrap_answers import bootstrap_discrepancies
from phasergun_desktop.answering.discrepancies.coverage import scope_discrepancies
from phasergun_desktop.answering.discrepancies.fields import field_discrepancies
from phasergun_desktop.answering.discrepancies.material import material
from phasergun_desktop.answering.discrepancies.revisions import revision_discrepancies
from phasergun_desktop.answering.discrepancies.values import (
    state_discrepancies,
    value_discrepancies,
)
from phasergun_desktop.answering.model import Discrepancy, PlannedPoint
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.references.model import Problem, ResolvedReference

_MOST = 30


def plan_discrepancies(
    points: Sequence[PlannedPoint],
    documents: IndexedDocuments,
    references: Sequence[ResolvedReference],
    problems: Sequence[Problem],
) -> tuple[Discrepancy, ...]:
    """Return what the sources disagree in, and what is thin in the scope of the prompt, which has
    these ``problems`` by itself."""
    return (
        *source_discrepancies(points, documents, references),
        *scope_discrepancies(problems, points),
    )


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
        *field_discrepancies(compared),
        *state_discrepancies(compared),
        *revision_discrepancies(compared, documents),
    ]
    return tuple(found[:_MOST])

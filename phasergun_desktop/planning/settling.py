"""What a plan costs, and which summaries go with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.planning.evidence_edits import with_evidence
from phasergun_desktop.planning.hidden_instructions import summary_without_instructions
from phasergun_desktop.planning.model import Plan, PlannedPoint
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.summaries import DocumentSummaries


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """The numbers of the profile that a plan needs: summaries have at most ``summary_words``
    words each and ``summary_tokens`` tokens together."""

    profile: str
    summary_words: int = 250
    summary_tokens: int = 0


class Settling:
    """Completes plans. ``count_tokens`` estimates the cost of a text, ``system`` is tier 1."""

    def __init__(
        self,
        documents: IndexedDocuments,
        settings: PlanSettings,
        *,
        system: str,
        count_tokens: Callable[[str], int],
    ) -> None:
        self._documents = documents
        self._system = system
        self._count_tokens = count_tokens
        self._summaries = DocumentSummaries(
            documents,
            count_tokens,
            words=settings.summary_words,
            budget_tokens=settings.summary_tokens,
        )

    def settled(self, plan: Plan) -> Plan:
        """Return ``plan`` with the tokens and summaries of its points, and without units of
        documents that have changed since they were selected."""
        if plan.is_settled:
            return plan
        plan = self._without_gone(plan)
        summaries = tuple(map(summary_without_instructions, self._summaries.of(plan.points)))
        return replace(
            plan,
            tokens=self._cost(plan.points),
            summaries=summaries,
            is_settled=True,
        )

    def _without_gone(self, plan: Plan) -> Plan:
        now = {(r.document_id, r.sha256) for r in self._documents.documents()}
        gone = {
            unit.place: unit.passage
            for need in plan.needs
            for unit in need.units
            if unit.selected and (unit.passage.document_id, unit.passage.sha256) not in now
        }
        if not gone:
            return plan
        needs = [
            replace(need, units=tuple(unit for unit in need.units if unit.place not in gone))
            for need in plan.needs
        ]
        files = ", ".join(sorted({passage.file for passage in gone.values()}))
        warning = f"Passages that were ticked are left out, since their document changed: {files}."
        return replace(with_evidence(plan, needs), warnings=(*plan.warnings, warning))

    def _cost(self, points: Sequence[PlannedPoint]) -> int:
        # Nothing is read for a gap, nor for a value that stands word for word.
        read = [point for point in points if point.passages and point.value is None]
        system = self._count_tokens(self._system) if read else 0
        return system + sum(
            self._count_tokens(unit.text) for point in read for unit in point.evidence
        )

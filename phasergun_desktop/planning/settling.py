"""What a plan costs, and which summaries go with it: the first words of the documents that it
reads, within a budget, for a remote model."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.evidence_edits import with_evidence
from phasergun_desktop.planning.hidden_instructions import summary_without_instructions
from phasergun_desktop.planning.model import DocumentSummary, Plan, PlannedPoint
from phasergun_desktop.planning.sources import IndexedDocuments

_WORD = re.compile(r"\S+")
# A passage that begins within these words has read the document's beginning already.
_BEGINNING_WORDS = 50
# Fewer tokens say no more than the title does.
_FEWEST_TOKENS = 40


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
        self._settings = settings
        self._system = system
        self._count_tokens = count_tokens

    def settled(self, plan: Plan) -> Plan:
        """Return ``plan`` with the tokens and summaries of its points, and without units of
        documents that have changed since they were selected."""
        if plan.is_settled:
            return plan
        plan = self._without_gone(plan)
        summaries = tuple(map(summary_without_instructions, self.summaries(plan.points)))
        return replace(
            plan,
            tokens=self._cost(plan.points),
            summaries=summaries,
            is_settled=True,
        )

    def summaries(self, points: Sequence[PlannedPoint]) -> tuple[DocumentSummary, ...]:
        """Return the summaries for ``points``, the document that is read most first.

        Every step reads them, so only documents that each searching point may use have one, and
        none whose beginning is read as a passage anyway.
        """
        left = self._settings.summary_tokens
        if left < _FEWEST_TOKENS or self._settings.summary_words <= 0:
            return ()
        beginnings = self._beginnings(points)[: max(1, left // _FEWEST_TOKENS)]
        summaries: list[DocumentSummary] = []
        for number, (record, beginning) in enumerate(beginnings):
            # What a short document leaves goes to those after it.
            text = self._cut(beginning, left // (len(beginnings) - number))
            if text:
                summaries.append(DocumentSummary(record.file, record.title, text))
                left -= self._count_tokens(text)
        return tuple(summaries)

    def _beginnings(self, points: Sequence[PlannedPoint]) -> list[tuple[DocumentRecord, str]]:
        """Return the documents that are worth a summary with their first words, white space as it
        stands there."""
        searching = [point for point in points if point.passages]
        passages = [passage for point in searching for passage in point.passages]
        uses = Counter(passage.file for passage in passages)
        found = []
        for record in self._documents.documents():
            if record.file not in uses:
                continue
            if not all(point.scope.allows(record.file, record.layer) for point in searching):
                continue
            text = self._documents.text(record.document_id)
            text = text[: _end_of_words(text, self._settings.summary_words)]
            first = min(passage.start for passage in passages if passage.file == record.file)
            if first >= _end_of_words(text, _BEGINNING_WORDS):
                found.append((record, text))
        return sorted(found, key=lambda each: (-uses[each[0].file], each[0].file))

    def _cut(self, text: str, budget: int) -> str:
        """Return as many whole words of ``text`` as ``budget`` tokens hold."""
        ends = [match.end() for match in _WORD.finditer(text)]
        held = bisect_right(ends, budget, key=lambda end: self._count_tokens(text[:end]))
        return text[: ends[held - 1]] if held else ""

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


def _end_of_words(text: str, count: int) -> int:
    """Return where the first ``count`` words of ``text`` end; its length if it has fewer."""
    for number, match in enumerate(_WORD.finditer(text), start=1):
        if number == count:
            return match.end()
    return len(text)

"""The first words of the documents that a plan reads, within a budget, for a remote model."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.model import DocumentSummary, PlannedPoint
from phasergun_desktop.planning.sources import IndexedDocuments

_WORD = re.compile(r"\S+")
# A passage that begins within these words has read the document's beginning already.
_BEGINNING_WORDS = 50
# Fewer tokens say no more than the title does.
_FEWEST_TOKENS = 40
_MOST_KEPT = 256


class DocumentSummaries:
    """Makes summaries by rule; beginnings are kept in memory by content hash.

    ``words`` is how many words a summary has at most, ``budget_tokens`` what all summaries of a
    plan may take together as ``count_tokens`` counts.
    """

    def __init__(
        self,
        documents: IndexedDocuments,
        count_tokens: Callable[[str], int],
        *,
        words: int,
        budget_tokens: int,
    ) -> None:
        self._documents = documents
        self._count_tokens = count_tokens
        self._words = words
        self._budget = budget_tokens
        self._kept: OrderedDict[str, str] = OrderedDict()

    def of(self, points: Sequence[PlannedPoint]) -> tuple[DocumentSummary, ...]:
        """Return the summaries for ``points``, the document that is read most first.

        Every step reads them, so only documents that each searching point may use have one, and
        none whose beginning is read as a passage anyway.
        """
        if self._budget < _FEWEST_TOKENS or self._words <= 0:
            return ()
        records = self._worth_one(points)
        records = records[: max(1, self._budget // _FEWEST_TOKENS)]
        summaries: list[DocumentSummary] = []
        left = self._budget
        for number, record in enumerate(records):
            # What a short document leaves goes to those after it.
            share = left // (len(records) - number)
            text = self._cut(self._beginning(record), share)
            if text:
                summaries.append(DocumentSummary(record.file, record.title, text))
                left -= self._count_tokens(text)
        return tuple(summaries)

    def _worth_one(self, points: Sequence[PlannedPoint]) -> list[DocumentRecord]:
        searching = [point for point in points if point.passages]
        uses: Counter[str] = Counter(
            passage.file for point in searching for passage in point.passages
        )
        first = {
            file: min(p.start for point in searching for p in point.passages if p.file == file)
            for file in uses
        }
        found = []
        for record in self._documents.documents():
            if record.file not in uses:
                continue
            if not all(point.scope.allows(record.file, record.layer) for point in searching):
                continue
            if first[record.file] >= _end_of_words(self._beginning(record), _BEGINNING_WORDS):
                found.append(record)
        return sorted(found, key=lambda record: (-uses[record.file], record.file))

    def _beginning(self, record: DocumentRecord) -> str:
        """Return the first words of a document, white space as it stands there."""
        kept = self._kept.get(record.sha256)
        if kept is None:
            text = self._documents.parsed(record.document_id).text
            kept = text[: _end_of_words(text, self._words)]
            self._kept[record.sha256] = kept
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return kept

    def _cut(self, text: str, budget: int) -> str:
        """Return as many whole words of ``text`` as ``budget`` tokens hold."""
        ends = [match.end() for match in _WORD.finditer(text)]
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high + 1) // 2
            if self._count_tokens(text[: ends[middle - 1]]) <= budget:
                low = middle
            else:
                high = middle - 1
        return text[: ends[low - 1]] if low else ""


def _end_of_words(text: str, count: int) -> int:
    """Return where the first ``count`` words of ``text`` end; its length if it has fewer."""
    for number, match in enumerate(_WORD.finditer(text), start=1):
        if number == count:
            return match.end()
    return len(text)

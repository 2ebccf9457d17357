"""Reads rows of claim, source and label for the evaluation of the support check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.evaluation.json_lines import BadRowError, Row, read_every_row, required

# Rows of a benchmark: a hundred thousand with their sources.
MOST_BYTES = 200_000_000
SUPPORTED = "supported"
CONTRADICTED = "contradicted"
_REMEDY = (
    'Write one JSON object a line: {"claim": "…", "source": "…", "label": "supported"}, '
    "any other label for a claim that the source does not carry."
)


@dataclass(frozen=True, slots=True)
class GroundingPair:
    """A claim, a source and what a person says of them; ``supported`` is the positive label."""

    claim: str
    source: str
    label: str
    pair_id: str = ""
    source_title: str = ""

    @property
    def is_supported(self) -> bool:
        """Whether the source carries the claim."""
        return self.label == SUPPORTED


def read_pairs(path: Path) -> tuple[GroundingPair, ...]:
    """Return the rows of a JSON-lines file, blank lines left out.

    Raises ``EvaluationFileError`` for a file that cannot be read, a row that is no pair (naming
    its line), and a file without rows.
    """
    return read_every_row(path, _pair, _REMEDY, MOST_BYTES).rows


def _pair(row: Row, line: int) -> GroundingPair:
    source, title = row.get("source"), row.get("source_title")
    if not isinstance(source, str):
        raise BadRowError("has no “source”")
    return GroundingPair(
        claim=required(row, "claim"),
        source=source,
        label=required(row, "label").lower(),
        pair_id=str(row.get("id", line)),
        source_title=title if isinstance(title, str) else "",
    )

"""Reads rows of claim, source and label for the evaluation of the support check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.storage.small_files import UnusableFileError, parse_json, read_small_text

# Rows of a benchmark: a hundred thousand with their sources.
MOST_BYTES = 200_000_000
SUPPORTED = "supported"
CONTRADICTED = "contradicted"
_REMEDY = (
    'Write one JSON object a line: {"claim": "…", "source": "…", "label": "supported"}, '
    "any other label for a claim that the source does not carry."
)


class PairsError(PhaserGunError):
    """The file of claims cannot be read."""


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

    Raises ``PairsError`` for a file that cannot be read, a row that is no pair (naming its
    line), and a file without rows.
    """
    try:
        lines = read_small_text(path, MOST_BYTES).split("\n")
    except UnusableFileError as error:
        raise PairsError("File not usable", error.message, f"{error.remedy} {_REMEDY}") from error
    except FileNotFoundError as error:
        raise PairsError(
            "File not readable",
            f"{path.name} is not there.",
            "Check the path of the file with the claims.",
        ) from error
    pairs = tuple(
        _pair(line, number, path) for number, line in enumerate(lines, start=1) if line.strip()
    )
    if not pairs:
        raise PairsError("No claims", f"{path.name} holds no rows.", _REMEDY)
    return pairs


def _pair(line: str, number: int, path: Path) -> GroundingPair:
    try:
        row = parse_json(line)
    except ValueError as error:
        raise _bad_row(path, number, "is not JSON") from error
    if not isinstance(row, dict):
        raise _bad_row(path, number, "is not an object")
    texts = {}
    for key in ("claim", "source", "label"):
        text = row.get(key)
        if not isinstance(text, str) or (key != "source" and not text.strip()):
            raise _bad_row(path, number, f"has no “{key}”")
        texts[key] = text
    title = row.get("source_title")
    return GroundingPair(
        claim=texts["claim"].strip(),
        source=texts["source"],
        label=texts["label"].strip().lower(),
        pair_id=str(row.get("id", number)),
        source_title=title if isinstance(title, str) else "",
    )


def _bad_row(path: Path, number: int, what: str) -> PairsError:
    return PairsError("Not a claim", f"Line {number} of {path.name} {what}.", _REMEDY)

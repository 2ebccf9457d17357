"""Identifiers that are numbered in a series: H-01, H-02; SRS-01 to SRS-18."""

from __future__ import annotations

import re

from phasergun_desktop.text.value_model import ValueKind
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.text.words import fold

# A series, by what stands before the number, and the number: "H-9" is H-09.
Numbered = tuple[str, int]
_SERIES = r"(?P<series>[a-z][a-z\d]*(?:[-/][a-z\d]+)*[-/])"
_NUMBERED = re.compile(rf"{_SERIES}(?P<number>\d{{1,9}})")
_RANGE = re.compile(
    rf"(?<![\w/-]){_SERIES}(?P<first>\d{{1,9}})(?: (?:to|through|-) |\.{{2,3}})"
    r"(?:(?P=series))?(?P<last>\d{1,9}+)(?![.-]?\w)"
)
_MOST_OF_RANGE = 500


def numbered_in(text: str) -> frozenset[Numbered]:
    """Return the numbered identifiers of ``text``, a range with all of its numbers."""
    values = (v.key for v in extract_values(text) if v.kind is ValueKind.IDENTIFIER)
    found = {(m["series"], int(m["number"])) for m in map(_NUMBERED.fullmatch, values) if m}
    return frozenset(found) | range_in(text)


def range_in(text: str) -> frozenset[Numbered]:
    """Return the identifiers of the ranges in ``text`` ("SRS-01 to SRS-18"), if it has any."""
    return frozenset(
        (match["series"], number)
        for match in _RANGE.finditer(fold(text))
        for number in range(int(match["first"]), int(match["last"]) + 1)[:_MOST_OF_RANGE]
    )


def without_ranges(text: str) -> str:
    """Return ``text``, folded, without the ranges in it."""
    return _RANGE.sub(" ", fold(text))

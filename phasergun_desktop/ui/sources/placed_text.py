"""Where pieces of a source stand in the document that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """Code points ``start``..``end`` of the source, put at UTF-16 ``position``."""

    start: int
    end: int
    position: int


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units ``text`` has; Qt counts in those."""
    return len(text) + sum(1 for letter in text if ord(letter) > 0xFFFF)


def joined(source: str, start: int, end: int, pieces: Iterable[tuple[int, int, str]]) -> str:
    """Return ``start``..``end`` with the ``pieces`` (start, end, as shown) in their places.

    What lies between the shown pieces (separators, column names) is as in the source. Without
    pieces nothing is shown, and the result is empty.
    """
    parts: list[str] = []
    before = start
    for first, last, shown in pieces:
        parts.append(source[before:first])
        parts.append(shown)
        before = last
    return "".join([*parts, source[before:end]]) if parts else ""

"""Where pieces of a source stand in the document that shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """Code points ``start``..``end`` of the source, put at UTF-16 ``position``."""

    start: int
    end: int
    position: int


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units ``text`` has; Qt counts in those."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

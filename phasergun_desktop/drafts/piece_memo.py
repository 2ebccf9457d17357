"""Keeps what was made of a piece of text until the piece, or what it was made with, changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

MadeT = TypeVar("MadeT")


class PieceMemo:
    """Knows the pieces of one text by identity; what was not asked for between two calls of
    ``turn`` is forgotten."""

    def __init__(self) -> None:
        self._before: dict[tuple[str, int], tuple[object, object, object]] = {}
        self._now: dict[tuple[str, int], tuple[object, object, object]] = {}

    def get(self, what: str, of: object, state: object, make: Callable[[], MadeT]) -> MadeT:
        """Return ``what`` was made of the piece ``of`` while ``state`` was equal, else make it."""
        at = (what, id(of))
        found = self._now.get(at) or self._before.get(at)
        # The piece is held, so that no other one has its identity.
        if found is None or found[0] is not of or found[1] != state:
            found = (of, state, make())
        self._now[at] = found
        return found[2]  # type: ignore[return-value]  # made by the same kind of ``make``

    def turn(self) -> None:
        """Begin another reading of the text."""
        self._before, self._now = self._now, {}

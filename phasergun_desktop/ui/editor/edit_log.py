"""What the writer did with the draft on the desk; it only grows."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.drafts.edits import KeyedUnit, edits_between
from phasergun_desktop.drafts.model import Edit, EditKind, settled_in


class EditLog:
    """Compares the text with what it was at the last ``settle``; while the writer types, what is
    under way is shown but not yet final."""

    def __init__(self) -> None:
        self._done: list[Edit] = []
        self._known: tuple[KeyedUnit, ...] = ()
        self._kinds: dict[int, EditKind] = {}

    def start(self, done: Sequence[Edit], units: Sequence[KeyedUnit]) -> None:
        """Begin with a draft that has seen the edits ``done``."""
        self._done = list(done)
        self._known = tuple(units)
        self._kinds.clear()

    def name(self, key: int, kind: EditKind) -> None:
        """Say why the unit ``key`` stands in the place of others."""
        self._kinds[key] = kind

    def add(self, edit: Edit) -> None:
        """Note something that is not in the words of the text (a footnote that moved)."""
        self._done.append(edit)

    @property
    def settled(self) -> dict[str, str]:
        """The reasons for the discrepancies that are settled, by their messages."""
        return settled_in(self._done)

    def so_far(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        """Return every edit, also what was done since the last ``settle``."""
        return (*self._done, *self._since(units, time))

    def settle(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        """Make final what was done since the last call, and return it."""
        new = self._since(units, time)
        self._done.extend(new)
        self._known = tuple(units)
        return new

    def _since(self, units: Sequence[KeyedUnit], time: str) -> tuple[Edit, ...]:
        return edits_between(self._known, units, time, successors=self._kinds)

"""What stands behind the text of the editor: its footnotes and units, by keys that never change."""

from __future__ import annotations

from phasergun_desktop.grounding.model import DraftSentence, Footnote


class DraftBook:
    """Hands out keys. Entries are never removed, since undo brings their text back."""

    def __init__(self) -> None:
        self._footnotes: dict[int, Footnote] = {}
        self._units: dict[int, DraftSentence] = {}

    @property
    def footnotes(self) -> dict[int, Footnote]:
        """Footnotes by key (from 1)."""
        return self._footnotes

    @property
    def units(self) -> dict[int, DraftSentence]:
        """Units by key (from 0)."""
        return self._units

    def add_footnote(self, footnote: Footnote) -> int:
        """Keep a footnote and return its key."""
        key = len(self._footnotes) + 1
        self._footnotes[key] = footnote
        return key

    def add_unit(self, unit: DraftSentence) -> int:
        """Keep a unit and return its key."""
        key = len(self._units)
        self._units[key] = unit
        return key

    def clear(self) -> None:
        """Forget everything: another draft is opened and undo begins anew."""
        self._footnotes.clear()
        self._units.clear()

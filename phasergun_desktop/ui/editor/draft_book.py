"""What stands behind the text of the editor: its footnotes and units, by keys that never change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from phasergun_desktop.grounding.model import DraftSentence, Footnote


class DraftBook:
    """Hands out keys. Entries are never removed, since undo brings their text back.

    No key is given twice, whatever draft is opened: text copied in one draft names by its keys
    nothing in another.

    ``stale`` are the keys of units whose words were not checked as they stand now, ``lapsed``
    those of accepted units whose words are not the accepted ones.
    """

    def __init__(self) -> None:
        self._footnotes: dict[int, Footnote] = {}
        self._units: dict[int, DraftSentence] = {}
        self._checked: dict[tuple[int, str], DraftSentence] = {}
        self._footnote_keys = count(1)
        self._unit_keys = count()
        self.stale: frozenset[int] = frozenset()
        self.lapsed: frozenset[int] = frozenset()

    @property
    def footnotes(self) -> dict[int, Footnote]:
        """Footnotes by key (from 1)."""
        return self._footnotes

    @property
    def units(self) -> dict[int, DraftSentence]:
        """Units by key (from 0), as they were checked last."""
        return self._units

    @property
    def checked(self) -> dict[tuple[int, str], DraftSentence]:
        """What was found about other words of a unit, by key and words: undo needs no check."""
        return self._checked

    def add_footnote(self, footnote: Footnote) -> int:
        """Keep a footnote and return its key."""
        key = next(self._footnote_keys)
        self._footnotes[key] = footnote
        return key

    def add_unit(self, unit: DraftSentence) -> int:
        """Keep a unit and return its key."""
        key = next(self._unit_keys)
        self._units[key] = unit
        if not unit.needs_check:
            self._checked[key, " ".join(unit.text.split())] = unit
        return key

    def keep_check(self, key: int, unit: DraftSentence) -> None:
        """Keep what was found about the words that ``unit`` has now."""
        found = replace(unit, accepted="", needs_check=False)
        self._checked[key, " ".join(unit.text.split())] = found
        self._units[key] = found

    def follow_text(
        self, units: Iterable[tuple[int, DraftSentence]], accepted: Iterable[int]
    ) -> bool:
        """Take note of the units (by key) that stand in the text and of the keys of those with a
        mark of acceptance; return whether a mark in the text must be drawn anew."""
        stale, lapsed, changed = set(), set(), False
        marked = set(accepted)
        for key, unit in units:
            if key not in self._units:
                continue
            if unit.needs_check:
                stale.add(key)
            found = self._checked.get((key, unit.text))
            if found is not None and found != self._units[key]:
                self._units[key] = found
                changed = True
            if key in marked and not unit.is_accepted:
                lapsed.add(key)
        changed = changed or lapsed != self.lapsed
        self.stale, self.lapsed = frozenset(stale), frozenset(lapsed)
        return changed

    def clear(self) -> None:
        """Forget everything: another draft is opened and undo begins anew."""
        self._footnotes.clear()
        self._units.clear()
        self._checked.clear()
        self.stale = self.lapsed = frozenset()

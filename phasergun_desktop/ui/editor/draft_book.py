"""What stands behind the text of the editor: its footnotes and units, by keys that never change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from phasergun_desktop.drafts import draft_html
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    Checked,
    DraftShape,
    Run,
    Statement,
    keys_of,
    rekeyed,
)
from phasergun_desktop.drafts.shape_of_draft import shape_of_units
from phasergun_desktop.grounding.model import DraftSentence, Footnote


class BookKeys:
    """The next key of a footnote (from 1) and of a unit (from 0)."""

    def __init__(self) -> None:
        self.footnotes = count(1)
        self.units = count()


class DraftBook:
    """Hands out keys. Entries are kept, since undo brings their text back; only own statements
    that were never checked go when their words do.

    Books with the same ``keys`` give none twice: text copied in one draft names by its keys nothing
    in another.

    ``footnotes`` are by key (from 1), ``units`` by key (from 0) as they were checked last;
    ``changes`` counts by key how often what is known of a unit has changed. ``checked`` is what was
    found about the words that units had, by key, words and footnotes: undo needs no check.

    ``stale`` are the keys of units whose words were not checked as they stand now, ``lapsed``
    those of accepted units whose words are not the accepted ones. ``standing`` is what ``stand``
    was told last. ``version`` is another number after each change of what is known of the units.
    """

    def __init__(self, keys: BookKeys | None = None) -> None:
        self.keys = keys or BookKeys()
        self.footnotes: dict[int, Footnote] = {}
        self.units: dict[int, DraftSentence] = {}
        self.checked: dict[Checked, DraftSentence] = {}
        self._words: dict[int, set[str]] = {}
        self._origins: dict[int, str] = {}
        self._own: dict[tuple[str, frozenset[int], int], int] = {}
        self._drawn: set[int] = set()
        self._alike: dict[int, int] = {}
        self.changes: Counter[int] = Counter()
        self.version = 0
        self.standing: Mapping[Checked, Sequence[tuple[int, int]]] = {}
        self.stale: frozenset[int] = frozenset()
        self.lapsed: frozenset[int] = frozenset()

    def changes_of(self, runs: Iterable[Run]) -> tuple[int, ...]:
        """Return another value once what is known of the units that ``runs`` name has changed."""
        return tuple(self.changes.get(run.unit, 0) for run in runs)

    def add_footnote(self, footnote: Footnote) -> int:
        """Keep a footnote and return its key."""
        key = next(self.keys.footnotes)
        self.footnotes[key] = footnote
        return key

    def bind_anew(self, key: int, footnote: Footnote) -> None:
        """Keep another footnote under the key of one that stands there."""
        self.footnotes[key] = footnote
        self.version += 1

    def key_of_place(self, footnote: Footnote) -> int:
        """Return the key of a footnote of the same passage of the same form of its file, 0 where
        there is none."""
        place = (footnote.file, footnote.sha256, footnote.start, footnote.end)
        for key, one in self.footnotes.items():
            if (one.file, one.sha256, one.start, one.end) == place:
                return key
        return 0

    def add_unit(self, unit: DraftSentence, notes: Iterable[int] = ()) -> int:
        """Keep a unit that stands with the footnotes of the keys ``notes``; return its key."""
        key = next(self.keys.units)
        self.changes[key] += 1
        self.version += 1
        self.units[key] = unit
        self._origins[key] = " ".join(unit.text.split())
        if not unit.needs_check:
            self._keep(key, frozenset(notes), unit)
        return key

    def own_statement(self, words: str, notes: frozenset[int], nth: int) -> int:
        """Return the key of the writer's own statement of these ``words`` that stands there the
        ``nth`` time (from 1)."""
        at = (words, notes, nth)
        if at not in self._own:
            self._own[at] = self.add_unit(DraftSentence(words, needs_check=True, is_own=True))
        return self._own[at]

    def keep_check(self, key: int, notes: frozenset[int], unit: DraftSentence) -> None:
        """Keep what was found about the words and the footnotes that ``unit`` has now."""
        self.units[key] = self._keep(key, notes, unit)

    def _keep(self, key: int, notes: frozenset[int], unit: DraftSentence) -> DraftSentence:
        found = replace(unit, accepted="", needs_check=False)
        words = " ".join(unit.text.split())
        self.changes[key] += 1
        self.version += 1
        self.checked[key, words, notes] = found
        self._words.setdefault(key, set()).add(words)
        return found

    def origin(self, key: int) -> str:
        """Return the words that the unit came with: whatever becomes of it, what stands there is
        told from these."""
        return self._origins[key]

    def has_words(self, key: int, words: str) -> bool:
        """Whether the unit had exactly these words once."""
        return words in self._words.get(key, ()) or words == self._origins[key]

    def stand(self, standing: Mapping[Checked, Sequence[tuple[int, int]]]) -> None:
        """Take note of the statements in the text: for the unit that the format names (-1: none),
        the words and the footnotes the paragraph and the key of each, in order. Own statements
        that were never checked and are gone are forgotten: each pause in typing makes one."""
        self.standing = standing
        there = {key for places in standing.values() for _, key in places}
        for at, key in tuple(self._own.items()):
            if key not in there and key not in self._words:
                del self._own[at], self.units[key], self._origins[key]

    def follow_text(self, statements: Iterable[Statement]) -> set[int]:
        """Take note of the ``statements`` in the text; return the keys of those of which the mark
        must be drawn anew."""
        stale, lapsed, changed = set(), set(), set()
        drawn = set()
        for one in statements:
            if one.key not in self.units:
                continue
            if one.unit.needs_check:
                stale.add(one.key)
            found = self.checked.get((one.key, " ".join(one.unit.text.split()), one.notes))
            if found is not None and found != self.units[one.key]:
                self.units[one.key] = found
                self.changes[one.key] += 1
                self.version += 1
                changed.add(one.key)
            if found is not None and one.unit.is_own:
                drawn.add(one.key)
            if one.is_marked and not one.unit.is_accepted:
                lapsed.add(one.key)
        changed |= (lapsed ^ self.lapsed) | (drawn - self._drawn) | (drawn & self._moved_alike())
        self.stale, self.lapsed, self._drawn = frozenset(stale), frozenset(lapsed), drawn
        return changed

    def _moved_alike(self) -> set[int]:
        """Return which of several own statements of the same words stand in another paragraph than
        before: the first of them may be another one now."""
        alike = {key for (*of, nth), key in self._own.items() if nth > 1 or (*of, 2) in self._own}
        at = {key: block for each in self.standing.values() for block, key in each if key in alike}
        moved = {key for key, block in at.items() if self._alike.get(key) != block}
        self._alike = at
        return moved


def keyed_shape(
    book: DraftBook, units: Sequence[DraftSentence], notes: Mapping[int, int], html: str = ""
) -> DraftShape:
    """Keep ``units``, which cite footnotes by the numbers of ``notes`` (number → key), in ``book``
    and return them as a draft with its keys: as they were written, or as ``html`` has them."""
    keys = dict(enumerate(book.add_unit(one, keys_of(one, notes)) for one in units))
    shape = draft_html.from_html(html) if html else shape_of_units(units)
    return rekeyed(shape, lambda at: keys.get(at, NO_UNIT), lambda number: notes.get(number, 0))

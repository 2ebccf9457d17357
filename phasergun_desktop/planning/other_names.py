"""The other names under which a prompt's words are looked for: a thing has several in the trade."""

from __future__ import annotations

import re
from functools import cache

from phasergun_desktop.text.lexicon import listed

# Each need is compared with every unit under each of its names.
MOST_NAMES = 6


def with_other_names(query: str) -> tuple[str, ...]:
    """Return ``query`` and, for the first thing in it that has other names, the query with each of
    these in its place."""
    for pattern, names in _names():
        found = pattern.search(query)
        if found is None:
            continue
        there = found.group().casefold()
        others = [each for each in names if each.casefold() not in there]
        before, behind = query[: found.start()], query[found.end() :]
        return (query, *(f"{before}{name}{behind}" for name in others[: MOST_NAMES - 1]))
    return (query,)


@cache
def _names() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    groups = [tuple(names) for names in listed("synonyms", "names")]
    made = []
    for names in groups:
        longest_first = sorted(names, key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first))
        made.append((re.compile(rf"\b(?:{either})\b", re.IGNORECASE), names))
    return tuple(made)

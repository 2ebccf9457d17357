"""The other names under which a thing is looked for: the trade's, those that the user gave, and the
abbreviations of the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from phasergun_desktop.text.abbreviations import Abbreviation
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import STOP_WORDS

# Each need is compared with every unit under each of its names.
MOST_NAMES = 6
_BETWEEN = "="


@dataclass(frozen=True, slots=True)
class _Group:
    """Names of one thing, and what finds any of them in a text."""

    names: tuple[str, ...]
    pattern: re.Pattern[str]

    def others(self, found: str) -> tuple[str, ...]:
        """Return the names that do not stand in ``found``."""
        return tuple(
            each
            for each in self.names
            if re.search(rf"(?<!\w){re.escape(each)}s?(?!\w)", found, re.IGNORECASE) is None
        )


@dataclass(frozen=True, slots=True)
class OtherNames:
    """The names of the trade (``lexicon/en/synonyms.toml``) and, before these, the project's own:
    the user's in ``lines`` such as ``MAF = minimum air flow``, where a line that is no such is
    passed over, and ``abbreviations`` of the documents, where neither has them."""

    lines: tuple[str, ...] = ()
    abbreviations: tuple[Abbreviation, ...] = ()

    def variants(self, query: str) -> tuple[str, ...]:
        """Return ``query``, its ``own_variants`` and, for the first thing in it that has other
        names in the trade, the query with each of these in its place."""
        made = list(self.own_variants(query))
        for group in _of_the_trade():
            found = group.pattern.search(query)
            if found is not None:
                made += [_replaced(query, found, each) for each in group.others(found.group())]
                break
        return tuple(made[:MOST_NAMES])

    def own_variants(self, query: str) -> tuple[str, ...]:
        """Return ``query`` and the same with the project's other names of all that it names: first
        with the first of each, then with the second, for as long as there is another."""
        made = [query]
        for at in range(MOST_NAMES - 1):
            said = query
            for group in _own(self.lines, self.abbreviations):
                found = group.pattern.search(said)
                others = group.others(found.group()) if found is not None else ()
                if found is not None and others:
                    said = _replaced(said, found, others[min(at, len(others) - 1)])
            if said in made:
                break
            made.append(said)
        return tuple(made)

    def written_out(self, query: str) -> str:
        """Return ``query`` with the project's other names of a thing in brackets behind it, where
        it does not say them itself."""
        for group in _own(self.lines, self.abbreviations):
            found = group.pattern.search(query)
            others = group.others(query) if found is not None else ()
            if found is not None and others:
                query = f"{query[: found.end()]} ({', '.join(others)}){query[found.end() :]}"
        return query

    def names_of(self, word: str) -> tuple[str, ...]:
        """Return ``word`` and the project's other names of what it names."""
        groups = _own(self.lines, self.abbreviations)
        own = (group for group in groups if group.pattern.fullmatch(word))
        return (word, *(name for group in own for name in group.others(word)))


NamesNow = Callable[[], OtherNames]


def unusable_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that give no two names of one thing, empty ones apart."""
    return tuple(each for each in lines if each.strip() and len(_names_in(each)) < 2)


@lru_cache(maxsize=32)
def _own(lines: tuple[str, ...], abbreviations: tuple[Abbreviation, ...]) -> tuple[_Group, ...]:
    groups = [*_groups(map(_names_in, lines))]
    known = [*groups, *_of_the_trade()]
    for short, words in abbreviations:
        if not any(group.pattern.fullmatch(short) for group in known):
            # "act" is no activated clotting time and TR-0440 another name; "BIs" are several.
            either = f"(?:{re.escape(short)}|(?i:{re.escape(words)}))s?"
            groups.append(_Group((short, words), re.compile(rf"(?<![\w-]){either}(?![\w-])")))
    return tuple(groups)


@cache
def _of_the_trade() -> tuple[_Group, ...]:
    return tuple(_groups(tuple(names) for names in listed("synonyms", "names")))


def _names_in(line: str) -> tuple[str, ...]:
    names = (" ".join(each.split()) for each in line.split(_BETWEEN))
    return tuple(dict.fromkeys(each for each in names if each))[:MOST_NAMES]


def _groups(groups: Iterator[tuple[str, ...]]) -> Iterator[_Group]:
    for names in groups:
        if len(names) > 1:
            longest_first = sorted(names, key=len, reverse=True)
            either = "|".join(map(_pattern, longest_first))
            yield _Group(names, re.compile(rf"(?<!\w)(?:{either})(?!\w)"))


def _replaced(query: str, found: re.Match[str], name: str) -> str:
    return f"{query[: found.start()]}{name}{query[found.end() :]}"


def _pattern(name: str) -> str:
    # "US", "IT" and "OR" are words in small letters.
    is_word = name.casefold() in STOP_WORDS
    return re.escape(name) if is_word else f"(?i:{re.escape(name)})"

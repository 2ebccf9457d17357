"""Words that turn a statement round: denials, opposites, and words of which only one can hold."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import stem

# Words that deny what follows them.
NEGATORS = frozenset(listed("negation", "negators"))
# Words that forbid by themselves: "avoid wiping" denies "wipe".
FORBIDDING = frozenset(listed("negation", "forbidding"))
# Words that restrict or forbid: a source with one may be carried on as a denial.
RESTRICTIONS = frozenset(listed("negation", "restrictions"))
AUXILIARIES = frozenset(listed("negation", "auxiliaries"))
_NEGATIVE_PREFIX = re.compile(
    r"(?:non-?|contra(?=indicat)|un|in|im|ir|il|dis|de)(?P<rest>[a-z]{4,})"
)
# Prefixes that look like denials: "inform" does not deny "form", "until" not "til".
_REAL_IN = frozenset(listed("negation", "denied_by_a_prefix"))
_NOT_UN = frozenset(listed("negation", "no_denials"))


def _pairs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in listed("opposites", "pairs"):
        left, right = map(str.split, pair)
        for here, there in ((left, right), (right, left)):
            for word in here:
                found.setdefault(word, set()).update(there)
    for group in listed("opposites", "groups"):
        members = [*map(str.split, group)]
        for member in members:
            others = {word for other in members if other is not member for word in other}
            for word in member:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = MappingProxyType(_pairs())
# Opposites that are used for so much else that only a sentence copied otherwise tells.
SLOT_ONLY = frozenset(listed("opposites", "in_copies_only"))
# What stands behind one of these is turned round by another of its line.
_RIVAL_PREFIXES = tuple(
    re.compile(rf"(?P<prefix>{prefixes})-?(?P<rest>[a-z]{{4,}})")
    for prefixes in ("hypo|hyper", "pre|post", "intra|extra|inter")
)


def are_opposites(left: str, right: str) -> bool:
    """Whether two folded words exclude each other: open and closed, sterile and non-sterile."""
    if right in OPPOSITES.get(left, ()) or _have_rival_prefixes(left, right):
        return True
    return denied(left) == stem(right) or denied(right) == stem(left)


def _have_rival_prefixes(left: str, right: str) -> bool:
    for pattern in _RIVAL_PREFIXES:
        mine, theirs = pattern.fullmatch(left), pattern.fullmatch(right)
        if mine and theirs and mine["prefix"] != theirs["prefix"]:
            return stem(mine["rest"]) == stem(theirs["rest"])
    return False


@lru_cache(maxsize=16384)
def denied(word: str) -> str:
    """Return the stem of what ``word`` denies by its prefix ("non-sterile"); "" for none."""
    match = _NEGATIVE_PREFIX.fullmatch(word)
    if match is None or word in _NOT_UN:
        return ""
    rest = match["rest"]
    if word.startswith(("non", "contra")):
        return stem(rest)
    if word.startswith("un"):
        return stem(rest) if not word.startswith(("under", "uni")) else ""
    return stem(rest) if rest in _REAL_IN else ""

"""Words that turn a statement round: denials, opposites, and words of which only one can hold."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import stem

# Words that deny what follows them.
NEGATORS = frozenset(listed("negation", "negators"))
# These and words that restrict or forbid: two texts are alike only if they have the same of them.
TURNING = NEGATORS | frozenset(listed("negation", "restrictions"))
_NEGATIVE_PREFIX = re.compile(
    r"(?:non-?|contra(?=indicat)|un|in|im|ir|il|dis|de)(?P<rest>[a-z]{4,})"
)


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


def are_opposites(left: str, right: str) -> bool:
    """Whether two folded words exclude each other: open and closed, sterile and non-sterile."""
    if right in OPPOSITES.get(left, ()):
        return True
    return denied(left) == stem(right) or denied(right) == stem(left)


@lru_cache(maxsize=16384)
def denied(word: str) -> str:
    """Return the stem of what ``word`` denies by its prefix ("non-sterile"); "" for none."""
    match = _NEGATIVE_PREFIX.fullmatch(word)
    return stem(match["rest"]) if match is not None else ""

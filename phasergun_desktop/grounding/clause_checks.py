"""Clauses at the end of a sentence that no source states."""

from __future__ import annotations

import itertools
import re

from phasergun_desktop.text.words import content_words

_CLAUSE = re.compile(
    r",?\s(?:which|whose|thereby|thus|hence|therefore|so that|in order to|as well as to"
    r"|(?:making|ensuring|providing|allowing|enabling|helping|reducing|improving|giving|offering"
    r"|supporting|facilitating|promoting|leading|resulting|contributing|demonstrating|reflecting"
    r"|highlighting)|to (?:ensure|enable|allow|help|improve|support|facilitate|promote))\b",
    re.IGNORECASE,
)
_CLAUSE_WORDS = 3
_CLAUSE_SHARE = 1 / 3


def added_clauses(sentence: str, stated: str) -> list[str]:
    """Return the clauses at the end of ``sentence`` ("…, which …", "…, ensuring …", "… so that
    …") of whose content words ``stated`` has fewer than a third: what a model adds to praise or
    explain stands there, close enough in meaning to the rest to pass as a whole."""
    known = set(content_words(stated))
    found = []
    starts = [match.start() for match in _CLAUSE.finditer(sentence)]
    for start, end in itertools.pairwise([*starts, len(sentence)]):
        words = set(content_words(sentence[start:end]))
        if len(words) >= _CLAUSE_WORDS and len(words & known) < _CLAUSE_SHARE * len(words):
            found.append(sentence[start:end].strip(" ,;."))
    return found

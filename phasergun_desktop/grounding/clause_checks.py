"""Clauses that no source states: a condition joined of two, an addition to a sentence."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from phasergun_desktop.grounding.words import content_words

_IF = r"(?:if|when|whenever|once|unless|where)"
_CONDITION = (
    re.compile(rf"{_IF}\b(?P<condition>[^,;]+),(?P<then>.+)$", re.IGNORECASE | re.DOTALL),
    re.compile(rf"(?P<then>.+?),?\s{_IF}\s(?P<condition>.+)$", re.IGNORECASE | re.DOTALL),
)
_CLAUSE = re.compile(
    r",?\s(?:which|whose|thereby|thus|hence|therefore|so that|in order to|as well as to"
    r"|(?:making|ensuring|providing|allowing|enabling|helping|reducing|improving|giving|offering"
    r"|supporting|facilitating|promoting|leading|resulting|contributing|demonstrating|reflecting"
    r"|highlighting)|to (?:ensure|enable|allow|help|improve|support|facilitate|promote))\b",
    re.IGNORECASE,
)
_CLAUSE_WORDS = 3
_CLAUSE_SHARE = 1 / 3


def is_condition_of_two(sentence: str, spans: Sequence[str]) -> bool:
    """Whether ``sentence`` says "if A, B" or "B when A" though A and B stand in different spans
    only: what the sources state apart is no condition. Each clause counts as stated by a span
    that has half of its content words."""
    match = next((m for each in _CONDITION if (m := each.match(sentence.strip()))), None)
    if match is None or len(spans) < 2:
        return False
    clauses = [set(content_words(match[name])) for name in ("condition", "then")]
    if not all(clauses):
        return False
    return not any(
        all(2 * len(clause & set(content_words(span))) >= len(clause) for clause in clauses)
        for span in spans
    )


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

"""Clauses that no source states: a condition joined of two, an addition to a sentence."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from phasergun_desktop.grounding.alignment import pieces_of
from phasergun_desktop.grounding.opposites import NEGATORS
from phasergun_desktop.text.words import content_words

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
_EXCEPTED = re.compile(
    r"\b(?:but not|except(?:ing)?(?: for)?|excluding|other than|with the exception of"
    r"|not including)\s+(?P<what>[^,;.:()]{3,90})",
    re.IGNORECASE,
)
_EXCEPTED_SHARE = 2 / 3
_CLAUSE_BREAK = re.compile(r"[.;:\n]")
_LONGEST_CLAUSE = 300
_CLAUSE_WORDS = 3
_CLAUSE_SHARE = 1 / 3


def is_condition_of_two(sentence: str, spans: Sequence[str], about: str = "") -> bool:
    """Whether ``sentence`` says "if A, B" or "B when A" though A and B stand in different spans
    only: what the sources state apart is no condition. Each clause counts as stated by a span
    that has half of its content words and lacks none that only another span has ("the alarm" of
    one and "the overpressure alarm" of another). Words of ``about`` (headings) need no span."""
    match = next((m for each in _CONDITION if (m := each.match(sentence.strip()))), None)
    if match is None or len(spans) < 2:
        return False
    clauses = [set(content_words(match[name])) for name in ("condition", "then")]
    if not all(clauses):
        return False
    words = [set(content_words(span)) for span in spans]
    known = set(content_words(about))

    def states_both(span: set[str]) -> bool:
        elsewhere = set().union(*(other for other in words if other is not span)) - known
        return all(
            2 * len(clause & span) >= len(clause) and not (clause - span) & elsewhere
            for clause in clauses
        )

    return not any(states_both(span) for span in words)


def stated_exceptions(sentence: str, spans: Sequence[str]) -> list[str]:
    """Return what a span takes out ("but not the validation data") and ``sentence`` states."""
    said = set(content_words(sentence))
    if _EXCEPTED.search(sentence) or _denies(sentence):
        return []
    found = []
    for span in spans:
        for match in _EXCEPTED.finditer(span):
            words = set(content_words(match["what"]))
            is_said = len(words & said) >= _EXCEPTED_SHARE * len(words)
            if not words or not is_said or _denies(_clause_before(span, match.start())):
                continue
            # Words that the span has elsewhere too may come from there.
            if not words <= set(content_words(span[: match.start()])):
                found.append(match["what"].strip())
    return found


def _denies(text: str) -> bool:
    return any(piece.folded in NEGATORS for piece in pieces_of(text))


def _clause_before(span: str, end: int) -> str:
    """Return the clause that ends there: what is taken out of a denial is affirmed."""
    return _CLAUSE_BREAK.split(span[max(0, end - _LONGEST_CLAUSE) : end])[-1]


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

"""Quantities in a text with their place: a number or a range with its unit, and how it is bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache

from phasergun_desktop.text.quantities import ONES
from phasergun_desktop.text.units import UNIT_PATTERN, unit_of
from phasergun_desktop.text.values import ValueKind, extract_values
from phasergun_desktop.text.words import STOP_WORDS, content_words


class Form(StrEnum):
    """How a quantity is meant; only quantities of one form can contradict each other."""

    SINGLE = "single"
    RANGE = "range"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Quantity:
    """``start`` is its first code point in the text it was found in. ``keys`` are the numbers in
    the compared unit (two for a range), ``lead`` is where its bounding words begin."""

    text: str
    start: int
    lead: int
    keys: tuple[str, ...]
    unit: str
    form: Form


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_WORDS = {word: str(number) for number, word in enumerate(ONES[:13]) if number > 1}
_FOLDED = str.maketrans("μ", "µ")
_DATE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b"
)
_AT_MOST = re.compile(
    r"(?:at most|no more than|not more than|not exceed(?:ing)?|not to exceed|less than|up to|"
    r"below|under|within|maximum(?: of)?|max\.?|≤|<|limit(?:ed to| of)?|before|by)\s*$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:at least|no less than|not less than|no fewer than|more than|greater than|exceed(?:s|ing)?|"
    r"above|over|minimum(?: of)?|min\.?|≥|>|after|first)\s*$",
    re.IGNORECASE,
)
_ROUGH = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|some|nearly|almost|~|±|\+/-|every|each|"
    r"per|next|last|further|another|additional|clause|section|step|table|figure|page|part|phase|"
    r"level|group|class|type|version|revision|no\.?|number|iso|iec|en|astm)\s*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"between\s*$", re.IGNORECASE)


@cache
def _pattern() -> re.Pattern[str]:
    # Made when it is needed: it takes 50 ms, and the window starts without it. The spaces around
    # "to" are plain so that the pattern cannot go astray on long blanks.
    return re.compile(
        rf"(?<![\w.,/-])(?:(?P<low>[-−]?{_NUMBER})[ \u00a0]?(?P<below>{UNIT_PATTERN})?[ \u00a0]?"
        rf"(?P<to>to|through|-|–|—|and|up to)[ \u00a0]?)?"
        rf"(?P<number>[-−]?{_NUMBER}|(?:{'|'.join(_WORDS)}))"
        rf"(?![\d.,]*\d)(?:[ \u00a0-]?(?P<unit>{UNIT_PATTERN})"
        rf"|[ \u00a0](?P<noun>[a-z]{{3,}})(?![\w/-]))"
    )


def quantities(text: str) -> Iterator[Quantity]:
    """Yield the quantities of ``text`` in order; rough ones ("about 5 s") are left out."""
    taken: list[tuple[int, int]] = []
    for match in _DATE.finditer(text):
        dates = [v for v in extract_values(match.group()) if v.kind is ValueKind.DATE]
        if len(dates) == 1:
            taken.append(match.span())
            form, lead = _bound(text, match.start())
            if form is Form.SINGLE:
                yield Quantity(
                    match.group(), match.start(), lead, (dates[0].key,), "date", Form.DATE
                )
    folded = text.lower().translate(_FOLDED)
    # Few letters grow in lower case; where one does, places would not hold any more.
    folded = folded if len(folded) == len(text) else text
    for match in _pattern().finditer(folded):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        found = _quantity(text, match)
        if found is not None:
            yield found


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    between = _BETWEEN.search(text, max(0, start - 12), start)
    if match["to"] == "and" and not between:
        # "660 nm and 905 nm" are two values, and neither is the one of its name.
        return None
    if match["unit"]:
        unit, factor = unit_of(match["unit"])
    else:
        stems = content_words(match["noun"])
        if match["noun"] in STOP_WORDS or not stems:
            return None
        unit, factor = stems[0], Decimal(1)
    high = _key(match["number"], factor)
    if match["low"]:
        below = unit_of(match["below"]) if match["below"] else (unit, factor)
        if below[0] != unit:
            return None
        lead = between.start() if between else start
        keys = (_key(match["low"], below[1]), high)
        return Quantity(text[start:end], start, lead, keys, unit, Form.RANGE)
    if _ROUGH.search(text, max(0, start - 16), start):
        return None
    form, lead = _bound(text, start)
    return Quantity(text[start:end], start, lead, (high,), unit, form)


def _key(number: str, factor: Decimal) -> str:
    digits = _WORDS.get(number, number).replace(",", "").replace("−", "-")
    return format((Decimal(digits) * factor).normalize(), "f")


def _bound(text: str, start: int) -> tuple[Form, int]:
    for pattern, form in ((_AT_MOST, Form.AT_MOST), (_AT_LEAST, Form.AT_LEAST)):
        match = pattern.search(text, max(0, start - 20), start)
        if match is not None and (match.start() == 0 or not text[match.start() - 1].isalpha()):
            return form, match.start()
    return Form.SINGLE, start

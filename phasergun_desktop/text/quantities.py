"""Numbers as quantities: sign, unit, bound, and the ranges that two of them make."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.units import UNIT_PATTERN, known_part, unit_of
from phasergun_desktop.text.value_model import Bound, Value, ValueKind

ONES = listed("numbers", "ones")
_TENS = listed("numbers", "tens")
_NUMBER_WORDS = (
    {word: number for number, word in enumerate(ONES)}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {
        f"{tens}-{ones}": 10 * number + one
        for number, tens in enumerate(_TENS, start=2)
        for one, ones in enumerate(ONES[1:10], start=1)
    }
)
# "Second" is a unit of time and "first" an adverb far more often than a number.
_ORDINALS = {word: number for number, word in enumerate(listed("numbers", "ordinals"), start=3)}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

_WORDS = re.compile(
    r"(?<![\w-])(?P<word>"
    + "|".join(sorted((*_NUMBER_WORDS, *_ORDINALS), key=len, reverse=True))
    + r")(?![\w])(?: (?P<large>hundred|thousand|million)\b)?"
    r"(?: ?\(\d+\))?(?:[ -](?P<unit>" + UNIT_PATTERN + r"))?"
)
_FILLER = r"(?:\s|about|approximately|a|an|the|of|is|are|be|:|=|~|\(|age|ages|total|approx\.?)*"
_SYMBOLS = {
    "≤": Bound.AT_MOST,
    "⩽": Bound.AT_MOST,
    "<=": Bound.AT_MOST,
    "=<": Bound.AT_MOST,
    "≦": Bound.AT_MOST,
    "≥": Bound.AT_LEAST,
    "⩾": Bound.AT_LEAST,
    ">=": Bound.AT_LEAST,
    "=>": Bound.AT_LEAST,
    "≧": Bound.AT_LEAST,
    "<": Bound.BELOW,
    ">": Bound.ABOVE,
    "±": Bound.PLUS_MINUS,
    "+/-": Bound.PLUS_MINUS,
    "+-": Bound.PLUS_MINUS,
    "-/+": Bound.PLUS_MINUS,
}
_SYMBOL_BEFORE = re.compile(
    "(?P<s>" + "|".join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True)) + r")\s?$"
)


@cache
def _digits() -> re.Pattern[str]:
    # Made when it is needed: its many units take a while at every start otherwise.
    return re.compile(
        r"(?<![\w.,])(?P<sign>[+−-](?=[\d.]))?"
        r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]|\.\d)"
        r"|0,\d+(?!\d|,\d)|\d+,\d{1,2}(?=\s?(?:" + UNIT_PATTERN + r"))"
        r"|\d+\.\d+|\.\d+|\d+)"
        r"(?P<power>\^-?\d{1,3}(?!\d)|e[+-]?\d{1,2}(?!\w))?"
        r"(?![a-z]*\d)"
        r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
        r"(?:[ -]?(?P<large>hundred|thousand|million|billion)\b)?"
        r"(?:\s?(?P<plus>\+)(?!\s?/?\s?\d))?"
        r"(?:(?:-|\s{0,2})(?P<unit>" + UNIT_PATTERN + r"))?"
    )


def _breaking(words: str) -> str:
    return words.replace(" ", r"\s+")


# Longest first: "not less than" is no "less than". "Exceeds" is checked after its denial. Lines of
# a source may break between the words.
_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"(?:^|[^\w])(?:{_breaking(words)}){_FILLER}$"))
    for bound, words in (
        (Bound.PLUS_MINUS, r"plus or minus|plus/minus|plus-minus|plus and minus"),
        (
            Bound.AT_MOST,
            (
                r"(?:no|not) (?:more|greater|later|longer|higher|larger|older) than|at most|up to"
                r"|(?:less|lower|fewer|smaller|below)(?: than)? or equal(?:s)?(?: to)?|maximum(?: "
                r"of)?|max\.?"
                r"|(?:no|not|never|cannot|n't)(?: to| be| ever| by)?"
                r" (?:exceed(?:s|ing)?|above|over|(?:more|greater|higher|longer) than)"
                r"|without exceeding|as (?:much|many|high|long) as|at (?:the )?latest|limited "
                r"to|at or below"
            ),
        ),
        (
            Bound.AT_LEAST,
            (
                r"(?:no|not) (?:less|fewer|lower|earlier|shorter|smaller|younger) than|at least"
                r"|(?:greater|more|higher|larger|above)(?: than)? or equal(?:s)?(?: to)?|"
                r"minimum(?: of)?"
                r"|a min\. of|(?:no|not|never)(?: be)? (?:below|under)|at or above|as (?:few|"
                r"low|little) as"
            ),
        ),
        (Bound.BELOW, r"(?:less|lower|fewer|smaller|shorter|younger|earlier) than|below|under"),
        (
            Bound.ABOVE,
            (
                r"(?:more|greater|higher|larger|longer|older|later) than|above|over|exceed(?:s|"
                r"ed|ing)?"
                r"|in excess of|beyond"
            ),
        ),
        (Bound.WITHIN, r"within"),
    )
)
_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        Bound.AT_MOST,
        re.compile(
            r"\s*(?:of age )?(?:or (?:less|fewer|lower|below|under|younger|shorter|earlier|"
            r"smaller)\b"
            r"|and (?:below|under|younger)\b|\(?max(?:imum|\.)|at most\b|at (?:the )?latest\b)"
        ),
    ),
    (
        Bound.AT_LEAST,
        re.compile(
            r"\s*(?:of age )?(?:(?:or|and) (?:more|greater|higher|above|over|older|longer|later"
            r"|larger|up|upwards?)\b|\(?minimum\b|at least\b)"
        ),
    ),
)
_MINUS_AFTER = re.compile(r"(?:^|[\s(\[=:;,/~≤≥<>±|\"'])(?<![\d%][\s])(?<!\+/)$")
_RANGE_GAP = re.compile(
    r"\s*(?:(?:up )?to|through|thru|-|\.{2,3}|and up to|to about)\s*(?:(?<=\s)\+)?"
)
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about |approximately )?$")
_BETWEEN_GAP = re.compile(r"\s*(?:and|to|-)\s*")
_SHARED_UNIT_GAP = re.compile(
    r"\s*(?:to|-|,? (?:and|or)|and|or|up to|through|and up to|,|/|x|×|by|±|\+/-)\s*(?:±)?"
)
# Which bound of the source carries which bound of the sentence.
_CARRIED: dict[Bound, frozenset[Bound]] = {
    Bound.NONE: frozenset({Bound.NONE}),
    Bound.AT_MOST: frozenset({Bound.AT_MOST, Bound.WITHIN}),
    Bound.BELOW: frozenset({Bound.BELOW}),
    Bound.AT_LEAST: frozenset({Bound.AT_LEAST}),
    Bound.ABOVE: frozenset({Bound.ABOVE}),
    Bound.PLUS_MINUS: frozenset({Bound.PLUS_MINUS}),
    Bound.WITHIN: frozenset({Bound.WITHIN, Bound.AT_MOST, Bound.PLUS_MINUS}),
}
_UPPER = frozenset({Bound.AT_MOST, Bound.BELOW, Bound.WITHIN})


@dataclass(frozen=True, slots=True)
class _Found:
    """A number in the text: ``unit`` is as written, ``number`` a decimal without sign."""

    match: re.Match[str]
    start: int
    end: int
    number: Decimal
    unit: str
    is_negative: bool = False
    is_ordinal: bool = False


def find_quantities(
    folded: str, written: str, take: Callable[[re.Match[str]], bool]
) -> list[Value]:
    """Return the numbers of ``folded`` that ``take`` gives free, and the ranges they make.

    ``written`` is the same text with its case. A unit after the second number of a range holds
    for the first too.
    """
    found = [
        _of_digits(folded, written, match) for match in _digits().finditer(folded) if take(match)
    ]
    found += [
        _of_words(written, match)
        for match in _WORDS.finditer(folded)
        # "One" is a pronoun unless it counts units.
        if (match["word"] not in ("one", "zero") or match["unit"] or match["large"]) and take(match)
    ]
    found.sort(key=lambda item: item.start)
    found = _with_shared_units(folded, found)
    values: list[Value] = []
    previous: tuple[_Found, Value] | None = None
    for item in found:
        value = _value(folded, written, item)
        if previous is not None and _is_range(folded, previous[0], item):
            low = _unbounded(written, previous)
            value = _unbounded(written, (item, value))
            values[-1] = low
            values.append(value)
            values.append(_range(written, low, value))
            previous = None
            continue
        values.append(value)
        previous = (item, value)
    return values


def bound_agrees(value: Value, other: Value, sentence: str, source: str) -> bool:
    """Whether the bound of the source's ``other`` carries that of the sentence's ``value``.

    Both texts are in even form. A source may say the bound elsewhere ("Maximum altitude: 10,745
    ft"): a number that it states plainly carries a bound when a word for it stands in the source.
    """
    bound = value.bound
    if other.bound in _CARRIED[bound]:
        return True
    if bound is Bound.NONE:
        # "In 5 seconds" is within them; "after 5 seconds" is not.
        return other.bound is Bound.WITHIN and bool(_INSIDE.search(_before(sentence, value)))
    if other.bound is not Bound.NONE or bound is Bound.PLUS_MINUS:
        return False
    if bound is Bound.WITHIN and _INSIDE.search(_before(source, other)):
        return True
    if bound in _UPPER:
        return _SAYS_UPPER.search(source) is not None
    return bool(_SAYS_LOWER.search(source) or _FROM.search(_before(source, other)))


def _before(written: str, value: Value) -> str:
    return written[max(0, value.start - _NEAR) : value.start]


_NEAR = 40
# Only words that speak of a limit: "to", "from", "over" or "more" stand anywhere.
_SAYS_UPPER = re.compile(
    r"\b(?:max|maximum|limit|limits|limited|most|upper|exceed\w*|within|below|under|range"
    r"|tolerance|deadline|ceiling|up to)\b|[≤<]",
    re.IGNORECASE,
)
_SAYS_LOWER = re.compile(
    r"\b(?:min|minimum|least|lower limit|above|range|threshold|floor|starting|older|exceed\w*)\b"
    r"|[≥>+]",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\b(?:from|over){_FILLER}$", re.IGNORECASE)
_INSIDE = re.compile(rf"\b(?:in|by)(?: only| just)?{_FILLER}$", re.IGNORECASE)


def _of_digits(folded: str, written: str, match: re.Match[str]) -> _Found:
    digits = match["number"]
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits) and not digits.startswith("0,"):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    power = match["power"] or ""
    try:
        number = Decimal(digits)
        if power.startswith("e"):
            number *= Decimal(10) ** int(power[1:])
        elif power:
            exponent = int(power[1:])
            number = number**exponent if abs(exponent) < 40 and number else number
    except (ArithmeticError, ValueError):
        number = Decimal(0)
    number *= _LARGE.get(match["large"] or "", 1)
    sign = match["sign"] or ""
    before = folded[max(0, match.start() - 20) : match.start()]
    # "20 -600", "20%-30%" are ranges, "+/-5" is neither; "at -20" is a minus, "minus 20" too.
    is_negative = sign != "+" and bool(sign) and _MINUS_AFTER.search(before) is not None
    before = before.rstrip()
    unit, end = _unit(written, match)
    if not sign and re.search(r"\b(?:minus|negative)$", before[-12:]):
        is_negative = not re.search(r"plus(?: or |/|-| and )minus$", before[-16:])
    return _Found(
        match,
        match.start("number") if sign and not is_negative else match.start(),
        end,
        number,
        unit,
        is_negative,
        bool(match["ordinal"]),
    )


def _unit(written: str, match: re.Match[str]) -> tuple[str, int]:
    """Return the unit of ``match`` with its case, and where the quantity ends: before a word that
    is a unit in another case alone."""
    if not match["unit"]:
        return "", match.end()
    start, end = match.span("unit")
    unit = known_part(written[start:end])
    if unit:
        return unit, start + len(unit)
    return "", match.start() + len(match.group()[: start - match.start()].rstrip(" \t\n-"))


def _of_words(written: str, match: re.Match[str]) -> _Found:
    word = match["word"]
    amount = _NUMBER_WORDS.get(word)
    number = Decimal(_ORDINALS[word] if amount is None else amount)
    number *= _LARGE.get(match["large"] or "", 1)
    unit, end = _unit(written, match)
    return _Found(match, match.start(), end, number, unit, is_ordinal=amount is None)


def _with_shared_units(folded: str, found: Sequence[_Found]) -> list[_Found]:
    shared = list(found)
    for index in range(len(shared) - 2, -1, -1):
        here, after = shared[index], shared[index + 1]
        if here.unit or not after.unit or here.is_ordinal:
            continue
        if _SHARED_UNIT_GAP.fullmatch(folded[here.end : after.start]):
            shared[index] = replace(here, unit=after.unit)
    return shared


def _is_range(folded: str, low: _Found, high: _Found) -> bool:
    gap = folded[low.end : high.start]
    if _RANGE_GAP.fullmatch(gap):
        return True
    between = _BETWEEN.search(folded[max(0, low.start - 30) : low.start])
    return between is not None and _BETWEEN_GAP.fullmatch(gap) is not None


def _unbounded(written: str, number: tuple[_Found, Value]) -> Value:
    item, value = number
    return replace(
        value,
        text=written[item.start : item.end].strip(),
        bound=Bound.NONE,
        start=item.start,
    )


def _range(written: str, low: Value, high: Value) -> Value:
    return Value(
        ValueKind.RANGE,
        written[low.start : high.end].strip(),
        f"{low.key}..{high.key}",
        high.unit,
        f"{low.raw}..{high.raw}",
        start=low.start,
        end=high.end,
    )


def _value(folded: str, written: str, item: _Found) -> Value:
    unit, factor = unit_of(item.unit)
    number = -item.number if item.is_negative else item.number
    try:
        key = _plain(number * factor)
    except InvalidOperation:
        key = str(number)
    bound, start = _bound(folded, item)
    if bound is Bound.NONE:
        start = item.start
    return Value(
        ValueKind.NUMBER,
        written[start : item.end].strip(),
        f"#{key}" if item.is_ordinal else key,
        unit,
        f"#{_plain(number)}" if item.is_ordinal else _plain(number),
        factor,
        bound,
        start,
        item.end,
    )


def _plain(number: Decimal) -> str:
    """Return the shortest plain form; thirteen digits are more than any document measures."""
    if number == 0:
        return "0"
    return format(+round(number, 13 - number.adjusted()).normalize(), "f")


def _bound(folded: str, item: _Found) -> tuple[Bound, int]:
    # A symbol may stand inside of the match's own sign ("+/-5"), so the text before is read.
    before = folded[max(0, item.start - 48) : item.start]
    symbol = _SYMBOL_BEFORE.search(before)
    if symbol is not None:
        return _SYMBOLS[symbol["s"]], item.start - len(before) + symbol.start()
    for bound, pattern in _BEFORE:
        word = pattern.search(before)
        if word is not None:
            start = item.start - len(before) + word.start()
            return bound, start + (not folded[start].isalnum())
    plus = item.match.groupdict().get("plus")
    if plus:
        return Bound.AT_LEAST, item.start
    after = folded[item.end : item.end + 24]
    for bound, pattern in _AFTER:
        if pattern.match(after):
            return bound, item.start
    return Bound.NONE, item.start

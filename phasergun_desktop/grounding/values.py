"""The values of a text (numbers with units, dates, identifiers, standards), made comparable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from phasergun_desktop.grounding.units import UNITS
from phasergun_desktop.grounding.words import fold


class ValueKind(StrEnum):
    """What sort of value it is."""

    NUMBER = "number"
    DATE = "date"
    IDENTIFIER = "identifier"
    STANDARD = "standard"
    CFR = "cfr"


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written (``text``) and as compared (``key``, and ``unit`` for numbers)."""

    kind: ValueKind
    text: str
    key: str
    unit: str = ""


_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_MONTHS = {
    name: index
    for index, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?P<n>{_MONTH})\.?,? (?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<n>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b"),
    re.compile(r"\b(?P<a>\d{1,2})[/.](?P<b>\d{1,2})[/.](?P<y>\d{4})\b"),
)
_STANDARD = re.compile(
    r"\b(?P<body>(?:ansi/aami |aami |ansi |bs |din |en )?(?:en |iso/tr |iso/ts |iso/iec |iso |iec "
    r"|astm |clsi |ul |aami )|astm |clsi |aami |ieee )"
    r"(?P<number>[a-z]{0,4}\d[\d-]*\d|[a-z]{1,4}\d[\da-z-]*)"
    r"(?P<edition>:\d{4}(?:\+a\d+:\d{4})*)?"
)
_CFR = re.compile(
    r"\b(?P<title>\d{1,2}) ?c\.?f\.?r\.? ?(?:parts? |§+ ?|section )?"
    r"(?P<part>\d{1,4}(?:\.\d+)?)(?P<sub>(?:\([a-z0-9]+\))*)"
)
_IDENTIFIER = re.compile(
    r"\b(?:[kp]\d{6}|den\d{6}|[a-z]{1,6}\d{0,3}(?:-[a-z]{1,5})*-(?:[a-z]{0,4}\d[\da-z]*|x{2,4})"
    r"(?:-[\da-z]+)*|[a-z]{2,5}\d{3,}[a-z\d]*)\b"
)
_UNIT = "|".join(sorted((re.escape(name) for name in UNITS), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<sign>[-−+±]|≤|≥|<|>)?\s?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?![\w]*\d)[ \u00a0-]?(?P<unit>(?:{_UNIT})(?![\w/]))?"
)
_RANGE_GAP = re.compile(r"^\s*(?:%|percent)?\s*(?:to|-|and|or|up to|,|/)\s*$")
_WORD_NUMBER = re.compile(
    rf"\b(?P<word>{'|'.join(w for w in _NUMBER_WORDS if w not in ('one', 'zero'))})\b"
    rf"(?: (?P<unit>{_UNIT})(?![\w/]))?"
)


def extract_values(text: str) -> list[Value]:
    """Return the values of ``text``, longest forms first, none counted twice.

    A unit after the second number of a range holds for the first too.
    """
    folded = fold(text)
    taken = [False] * len(folded)
    values: list[Value] = []

    def take(match: re.Match[str]) -> bool:
        if any(taken[match.start() : match.end()]):
            return False
        taken[match.start() : match.end()] = [True] * (match.end() - match.start())
        return True

    for pattern in _DATES:
        for match in pattern.finditer(folded):
            key = _date_key(match)
            if key and take(match):
                values.append(Value(ValueKind.DATE, match.group(), key))
    for match in _CFR.finditer(folded):
        if take(match):
            key = f"{match['title']} cfr {match['part']}{match['sub']}"
            values.append(Value(ValueKind.CFR, match.group(), key))
    for match in _STANDARD.finditer(folded):
        if take(match):
            body = match["body"].strip()
            key = f"{body} {match['number']}{match['edition'] or ''}"
            values.append(Value(ValueKind.STANDARD, match.group().strip(), key))
    values.extend(
        Value(ValueKind.IDENTIFIER, match.group(), match.group())
        for match in _IDENTIFIER.finditer(folded)
        if _is_identifier(match.group()) and take(match)
    )
    numbers = [match for match in _NUMBER.finditer(folded) if take(match)]
    values.extend(_numbers(folded, numbers))
    for match in _WORD_NUMBER.finditer(folded):
        if take(match):
            number = _NUMBER_WORDS[match["word"]]
            values.append(_number(match.group(), number, match["unit"] or ""))
    return values


def missing_values(sentence: str, sources: str) -> list[Value]:
    """Return the values of ``sentence`` that do not occur, normalised, in ``sources``."""
    available = extract_values(sources)
    folded_source = fold(sources)
    return [
        value
        for value in extract_values(sentence)
        if not any(_agrees(value, other, folded_source) for other in available)
        and not _stands_in(value, folded_source)
    ]


def _agrees(value: Value, other: Value, source: str) -> bool:
    if value.kind is ValueKind.CFR and other.kind is ValueKind.CFR:
        # A section carries its part: "21 CFR 820" is stated where 21 CFR 820.30 is.
        return other.key == value.key or other.key.startswith((value.key + ".", value.key + "("))
    if value.kind is ValueKind.STANDARD and other.kind is ValueKind.STANDARD:
        return other.key == value.key or other.key.startswith(value.key + ":")
    if value.kind is not ValueKind.NUMBER or other.kind is not ValueKind.NUMBER:
        return value.kind is other.kind and value.key == other.key
    if value.key != other.key:
        return False
    if not value.unit or not other.unit or value.unit == other.unit:
        # A table gives the unit in its header: it must stand somewhere in the span.
        return bool(not value.unit or other.unit or _unit_stands_in(value.unit, source))
    return False


def _unit_stands_in(unit: str, source: str) -> bool:
    return any(
        re.search(rf"(?<![\w/]){re.escape(written)}(?![\w/])", source)
        for written, (compared, _factor) in UNITS.items()
        if compared == unit
    )


def _stands_in(value: Value, source: str) -> bool:
    """An identifier written with other punctuation around it still stands in the source."""
    if value.kind not in (ValueKind.IDENTIFIER, ValueKind.STANDARD):
        return False
    return re.search(rf"(?<!\w){re.escape(value.key)}(?!\w|\.\d)", source) is not None


def _numbers(folded: str, matches: list[re.Match[str]]) -> list[Value]:
    units = [match["unit"] or "" for match in matches]
    for index in range(len(matches) - 2, -1, -1):
        gap = folded[matches[index].end() : matches[index + 1].start()]
        if not units[index] and units[index + 1] and _RANGE_GAP.match(gap):
            units[index] = units[index + 1]
    return [
        _number(match.group().strip(), (match["sign"] or "") + match["number"], unit)
        for match, unit in zip(matches, units, strict=True)
    ]


def _number(text: str, number: str, unit: str) -> Value:
    sign = "-" if number[:1] in "-−" else ""
    digits = number.lstrip("-−+±≤≥<> ").replace(",", "")
    compared, factor = UNITS.get(unit, ("", "1"))
    try:
        amount = Decimal(digits) * Decimal(factor)
    except InvalidOperation:
        return Value(ValueKind.NUMBER, text, digits, compared)
    # A hyphen before a number is a range or a dash more often than a minus: only a true minus
    # sign, or a hyphen that the text sets apart, would tell, so the sign is compared by "−" alone.
    prefix = "-" if sign and number[0] == "−" else ""
    return Value(ValueKind.NUMBER, text, prefix + format(amount.normalize(), "f"), compared)


def _date_key(match: re.Match[str]) -> str:
    groups = match.groupdict()
    year = int(groups["y"])
    if groups.get("n"):
        month, day = _MONTHS[groups["n"]], int(groups["d"])
    elif groups.get("m"):
        month, day = int(groups["m"]), int(groups["d"])
    else:
        first, second = int(groups["a"]), int(groups["b"])
        # 14/08/2026 can be read one way only; 08/07/2026 is taken in the order of the US.
        month, day = (second, first) if first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    return f"{year:04d}-{month:02d}-{day:02d}"


def _is_identifier(text: str) -> bool:
    return any(c.isdigit() for c in text) or "-x" in text

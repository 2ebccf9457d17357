"""Spells the numbers of lists in the formats that Word knows."""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# fmt: off
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_CHICAGO = "*†‡§"
_CHINESE = "〇一二三四五六七八九"
_MAX_REPEATS = 20


def spelled(count: int, number_format: str, pattern: str = "") -> str:
    """Return ``count`` (0 or more) as Word's ``number_format`` writes it; unknown ones decimal.

    ``pattern`` is the example of a custom format ("001, 002, 003, ..."): its width counts.
    """
    if number_format == "custom":
        width = len(pattern.partition(",")[0].strip())
        return str(count).zfill(min(width, 10))
    spell = _FORMATS.get(number_format)
    return str(count) if spell is None else spell(count)


def _roman(count: int) -> str:
    if not 0 < count < 4000:
        return str(count)
    text = ""
    for size, letters in _ROMAN:
        text += letters * (count // size)
        count %= size
    return text


def _letters(count: int, alphabet: str) -> str:
    """Return a, b, ... z, aa, bb, ...: after the last letter each is written twice."""
    if count < 1:
        return str(count)
    repeats, index = divmod(count - 1, len(alphabet))
    return alphabet[index] * min(repeats + 1, _MAX_REPEATS)


def _latin(count: int) -> str:
    return _letters(count, "abcdefghijklmnopqrstuvwxyz")


def _ordinal(count: int) -> str:
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10)
    return f"{count}{ending or 'th'}"


def _cardinal_words(count: int) -> str:
    if count < 20:
        return _ONES[count]
    if count < 100:
        tens, ones = divmod(count, 10)
        return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]
    if count < 1000:
        hundreds, rest = divmod(count, 100)
        words = f"{_ONES[hundreds]} hundred"
        return f"{words} {_cardinal_words(rest)}" if rest else words
    return str(count)


def _ordinal_words(count: int) -> str:
    words = _cardinal_words(count)
    start, mark, last = words.rpartition("-")
    if not mark:
        start, mark, last = words.rpartition(" ")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last}th"
    return f"{start}{mark}{last}"


def _chinese(count: int) -> str:
    if not 0 < count < 100:
        return "".join(_CHINESE[int(digit)] for digit in str(count))
    tens, ones = divmod(count, 10)
    lead = "" if not tens else "十" if tens == 1 else f"{_CHINESE[tens]}十"
    return lead + (_CHINESE[ones] if ones else "")


_FORMATS: dict[str, Callable[[int], str]] = {
    "none": lambda _: "",
    "bullet": lambda _: "",
    "decimalZero": lambda count: f"{count:02d}",
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
    "lowerLetter": _latin,
    "upperLetter": lambda count: _latin(count).upper(),
    "ordinal": _ordinal,
    "cardinalText": lambda count: _cardinal_words(count).capitalize(),
    "ordinalText": lambda count: _ordinal_words(count).capitalize(),
    "chicago": lambda count: _letters(count, _CHICAGO),
    "decimalEnclosedCircle": lambda count: chr(0x245F + count) if 1 <= count <= 20 else str(count),
    "chineseCounting": _chinese,
}

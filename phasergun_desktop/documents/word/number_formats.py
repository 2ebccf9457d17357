"""Spells the numbers of lists in the formats that documents use."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_REPEATS = 20


def spelled(count: int, number_format: str) -> str:
    """Return ``count`` (0 or more) as Word's ``number_format`` writes it; unknown ones decimal."""
    match number_format:
        case "none" | "bullet":
            return ""
        case "decimalZero":
            return f"{count:02d}"
        case "lowerRoman":
            return _roman(count)
        case "upperRoman":
            return _roman(count).upper()
        case "lowerLetter":
            return _letters(count)
        case "upperLetter":
            return _letters(count).upper()
    return str(count)


def _roman(count: int) -> str:
    if not 0 < count < 4000:
        return str(count)
    text = ""
    for size, letters in _ROMAN:
        text += letters * (count // size)
        count %= size
    return text


def _letters(count: int) -> str:
    """Return a, b, ... z, aa, bb, ...: after the last letter each is written twice."""
    if count < 1:
        return str(count)
    repeats, index = divmod(count - 1, 26)
    return chr(ord("a") + index) * min(repeats + 1, _MAX_REPEATS)

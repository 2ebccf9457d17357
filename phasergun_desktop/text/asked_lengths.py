"""How long a text shall be, as prompts say it."""

from __future__ import annotations

import re

from phasergun_desktop.text.lexicon import languages, paired


def _in_all_languages(table: str) -> dict[str, float]:
    return {
        word: amount
        for language in languages()
        for word, amount in paired("lengths", table, language).items()
    }


_UNITS = _in_all_languages("units_of_length")
_NUMBERS = _in_all_languages("amounts")
_WORD = re.compile(r"\d[\d.,]*|[^\W\d_]+", re.UNICODE)


def asked_length(text: str) -> tuple[float, int, int] | None:
    """Return the length in words that ``text`` names ("two paragraphs", "max. 120 words"), and the
    code points of what names it; None where it names none.

    Of a choice ("one or two lines") the larger counts, as the later one.
    """
    found: tuple[float, int, int] | None = None
    number: tuple[float, int] | None = None
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        value = _number(word)
        if value is not None:
            is_half = number is not None and number[0] < 1
            number = number if is_half and number else (value, match.start())
        elif word in _UNITS and number is not None:
            found = (number[0] * _UNITS[word], number[1], match.end())
            number = None
        elif word not in ("or", "oder", "ou", "short", "to"):
            number = None
    return found


def _number(word: str) -> float | None:
    if word[0].isdigit():
        digits = word.rstrip(".,").replace(",", "")
        return float(digits) if digits.replace(".", "", 1).isdigit() else None
    return _NUMBERS.get(word)

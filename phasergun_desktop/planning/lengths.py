"""How long a text shall be, as prompts say it."""

from __future__ import annotations

import re

WORDS_WITHOUT_A_LIMIT = 700
# How much longer than asked for a draft may become.
TOLERANCE = 1.2

# Words of a unit of length; English first, then the languages that prompts came in.
_UNITS: dict[str, float] = {
    **dict.fromkeys(("word", "words", "wort", "wörter", "wörtern", "worte", "mots", "palabras"), 1),
    **dict.fromkeys(("line", "lines", "zeile", "zeilen", "ligne", "lignes", "líneas"), 15),
    **dict.fromkeys(("sentence", "sentences", "satz", "sätze", "sätzen", "phrases", "frases"), 35),
    **dict.fromkeys(("paragraph", "paragraphs", "absatz", "absätze", "paragraphe"), 120),
    **dict.fromkeys(("paragraphes", "párrafo", "párrafos"), 120),
    **dict.fromkeys(("page", "pages", "seite", "seiten", "página", "páginas"), 500),
}
_NUMBERS: dict[str, float] = {
    "half": 0.5,
    "halbe": 0.5,
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "single": 1,
    "ein": 1,
    "eine": 1,
    "einen": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
    "un": 1,
    "une": 1,
    "deux": 2,
    "trois": 3,
    "una": 1,
    "dos": 2,
    "tres": 3,
}
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

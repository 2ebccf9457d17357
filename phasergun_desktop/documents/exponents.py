"""Keeps exponents, which documents set as raised text, apart from the number before: 10⁶, 5 cm².

A reader marks what is set raised, and passes the whole text to ``with_exponents``. What is no
exponent, such as the mark of a note behind a word, stands as if it were not raised, and so does
lowered text: H2O is typed so.
"""

from __future__ import annotations

import re

from phasergun_desktop.text.units import unit_of

RAISED, ENDED = "\x0e", "\x0f"
_STRETCH = re.compile(f"{RAISED}([^{RAISED}{ENDED}]*){ENDED}")
_MARKS = re.compile(f"[{RAISED}{ENDED}]")
_SIGNS = "-+−–‐‑"
_EXPONENT = re.compile(rf"\s*[{_SIGNS}]?\d{{1,3}}(?:,\d{{1,3}})*[{_SIGNS}]?\s*")
_SIGN = re.compile(f"[{_SIGNS}]")
_AS_EXPONENT = str.maketrans(f"0123456789{_SIGNS}", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁻⁻⁻⁻")
_LAST_LETTERS = re.compile(r"[^\W\d_]{1,20}$")
REACH = 21


def raised(text: str) -> str:
    """Return ``text`` marked as raised."""
    return f"{RAISED}{text}{ENDED}"


def with_exponents(text: str) -> str:
    """Return ``text`` without the marks of what is raised, exponents in raised characters."""
    if RAISED not in text:
        return text
    whole = text.replace(ENDED + RAISED, "")
    written = _STRETCH.sub(
        lambda match: exponent(match[1], whole[max(0, match.start() - REACH) : match.start()]),
        whole,
    )
    return _MARKS.sub("", written)


def exponent(text: str, before: str) -> str:
    """Return the raised ``text`` in raised characters, as many, where it is an exponent of what
    ``before`` ends with: a number, a variable, a length, or anything where it has a sign."""
    letters = _LAST_LETTERS.search(before)
    is_base = before[-1:].isdigit() or (
        letters is not None
        and (
            len(letters[0]) == 1 or unit_of(letters[0])[0] == "m" or _SIGN.search(text) is not None
        )
    )
    return text.translate(_AS_EXPONENT) if is_base and _EXPONENT.fullmatch(text) else text

"""Tells text from garbage: what a PDF gives where it does not say which character a glyph is."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from statistics import correlation

# Shares of the letters a to z in English, in per mille. Pages of English, German, French and
# Latin correlate with it by 0.76 and more, scrambled alphabets by 0.45 and less.
_USUAL = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24,
         2, 20, 1),
        strict=True,
    )
)  # fmt: skip
_MAX_ODD_SHARE = 0.3
_MIN_LETTERS = 120
_MIN_CORRELATION = 0.4
_GLYPH_NAMES = re.compile(r"\(cid:\d+\)|/g\d{1,5}\b|\bglyph\d+\b")
# Control characters, private ones, and the one that stands for none.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd-\uffff\U000f0000-\U0010ffff]")


def is_legible(text: str, unmapped: int = 0) -> bool:
    """Say whether ``text`` can be text of some language.

    ``unmapped`` counts glyphs without any character beside it. Numbers, names and short texts
    pass: only what cannot be right is rejected.
    """
    solid = "".join(text.split())
    total = len(solid) + unmapped
    if not total:
        return False
    odd = unmapped + len(_ODD.findall(solid))
    if not solid.isascii() and len(solid.encode()) > 1.5 * len(solid):
        odd += sum(1 for char in solid if unicodedata.category(char) == "Cn")
    odd += sum(len(match.group()) for match in _GLYPH_NAMES.finditer(text))
    return odd <= _MAX_ODD_SHARE * total and _has_usual_letters(solid)


def _has_usual_letters(text: str) -> bool:
    """Say whether Latin letters, if there are many, are as frequent as those of a language.

    Glyph numbers taken for characters shift or scramble the alphabet: neither the frequency
    of the letters nor the share of vowels survives that.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFD", text)
    counts = Counter(text.lower())
    found = [counts[letter] for letter in _USUAL]
    if sum(found) < _MIN_LETTERS:
        return True
    return len(set(found)) > 1 and correlation(found, [*_USUAL.values()]) >= _MIN_CORRELATION

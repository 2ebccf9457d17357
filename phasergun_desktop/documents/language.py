"""Guesses the language of a text."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_PARTS, _PART_CHARACTERS, _FEWEST_LETTERS = 3, 3000, 240
_FEWEST_WORDS, _LONG_WORD = 10, 12
_TAG = re.compile(r"(?P<language>[A-Za-z]{2,3})(?P<rest>(?:[-_][A-Za-z0-9]{2,8})*)")


def guessed_language(text: str) -> str:
    """Return the ISO 639 code of the language of ``text``, ``""`` where there is any doubt.

    Three parts of the text are judged apart by chardet, which reads encodings by the languages
    they spell; all must agree.
    """
    import chardet  # noqa: PLC0415 - loads its models

    found: set[str] = set()
    step = max(1, len(text) // _PARTS)
    length = min(step, _PART_CHARACTERS)
    for start in range(0, step * _PARTS, step):
        words = _WORD.findall(text[start : start + length])
        joined = " ".join(words)
        if len(joined) < _FEWEST_LETTERS // _PARTS:
            return ""
        # The same two headers in every row of a table speak no language. Where words are not
        # parted by spaces, there are few of them.
        if len(set(words)) < _FEWEST_WORDS and len(joined) < _LONG_WORD * len(words):
            return ""
        found.add(chardet.detect(joined.encode("utf-8"))["language"] or "")
    return found.pop() if len(found) == 1 else ""


def stated_or_guessed(stated: str, text: str) -> str:
    """Return the language of a document whose properties state ``stated``.

    A clear guess outweighs a statement: word processors state the language of their maker's
    computer. Where both agree, the statement says more ("en-GB").
    """
    match = _TAG.fullmatch(stated.strip())
    tag = ""
    if match:
        region = match["rest"].replace("_", "-")
        tag = match["language"].lower() + (region.upper() if len(region) == 3 else region)
    guess = guessed_language(text)
    return tag if not guess or tag.split("-")[0] == guess else guess

"""Clauses of a prompt that say what not to write ("no test data", "leave the predicate out")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from phasergun_desktop.planning.form_words import WORD
from phasergun_desktop.text.lexicon import languages, listed

_OPENERS = sorted(
    (phrase for code in languages() for phrase in listed("prompts", "leaving_out", code)),
    key=len,
    reverse=True,
)
_BEFORE = "|".join(listed("prompts", "before_leaving_out"))
_AFTER_ALL = "|".join(listed("prompts", "after_all"))
_OPENING = rf"(?:{'|'.join(map(re.escape, _OPENERS))})(?:(?<=['’])|(?=\s))(?!\s+(?:{_AFTER_ALL})\b)"
# From the beginning of a clause to its end, or from "leave" to "out".
_EXCLUSION = re.compile(
    rf"(?:^|[,;.:!?(\n]|\s[-–—]\s)\s*(?:(?:{_BEFORE})\s+)?"
    rf"(?P<clause>{_OPENING}(?P<what>[^,;.:!?()\n]*))(?P<end>[,;.:!?()\n]|$)"
    r"|\b(?P<around>leave\s+(?P<this>[^,;.:!?()\n]{2,60}?)\s+out)\b",
    re.IGNORECASE,
)
# A field of a form, or a question ("Without mains, how long does it run?"), asks for what it names.
_ASKING = re.compile(r":|[^.!?\n]*\?")


def without_exclusions(prompt: str, kept: Sequence[tuple[int, int]]) -> tuple[str, tuple[str, ...]]:
    """Return ``prompt`` with blanks for what it says to leave out, unless nothing would be left,
    and what that is; every other character stays in its place. Clauses that touch a span of
    ``kept`` stay."""
    text, left_out = prompt, []
    for start, end, what in _clauses(prompt):
        if not any(first < end and start < last for first, last in kept):
            text = text[:start] + " " * (end - start) + text[end:]
            left_out.append(what.strip())
    return (text, tuple(filter(None, left_out))) if WORD.search(text) else (prompt, ())


def _clauses(prompt: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    while match := _EXCLUSION.search(prompt, position):
        name = "clause" if match["clause"] is not None else "around"
        if name == "around" or not _ASKING.match(prompt, match.end(name)):
            yield *match.span(name), match["what"] or match["this"] or ""
        # What ends one clause begins the next.
        position = max(match.end(name), position + 1)

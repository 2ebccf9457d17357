"""Where the text of a prompt is cut: marks of lists, clauses, the parts of an enumeration."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phasergun_desktop.planning.form_words import begins_question, is_of_form
from phasergun_desktop.references.model import ResolvedReference

# What an item of a list in a prompt begins with; a heading has a mark of its own.
LIST_MARK = re.compile(r"\s*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
MARK = re.compile(rf"\s*#{{1,6}}\s+|{LIST_MARK.pattern}")
CLAUSE = re.compile(r"[;\n]\s*|(?<=[?!])\s+|\s[–—]\s|\s-\s")
AND = re.compile(r"\s+(?:and|und|et|y|&)\s+")
COMMA = re.compile(r",\s+(?:and\s+|or\s+|und\s+|et\s+|y\s+)?")
LABEL = re.compile(r"[^:]{2,80}:\s+")
PARENTHESES = re.compile(r"\([^()]*\)")


def cut(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return what of ``start``..``end`` stands between matches of ``pattern``, without what is
    blank."""
    spans = []
    position = start
    for match in pattern.finditer(text, start, end):
        spans.append((position, match.start()))
        position = match.end()
    spans.append((position, end))
    return [(low, high) for low, high in spans if text[low:high].strip()]


def comma_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a list. One without a comma before its "and" ends with what stands on
    either side of it, unless that is a number ("1.5 and 3 T"). What leads to a question is a part
    of that ("If it stops, what happens?")."""
    parts = cut(COMMA, text, start, end)
    begin = [begins_question(text[low:high]) for low, high in parts[:2]]
    if begin == [False, True] and text[start:end].rstrip().endswith("?"):
        parts[:2] = [(parts[0][0], parts[1][1])]
    if len(parts) < 2 or text[parts[-2][1] : parts[-1][0]].strip() != ",":
        return parts
    low, high = parts[-1]
    joint = AND.search(text, low, high)
    halves = [(low, joint.start()), (joint.end(), high)] if joint else []
    if not halves or any(is_of_form(text[start:end]) for start, end in halves):
        return parts
    return [*parts[:-1], *halves]


def shielded(prompt: str, references: Sequence[ResolvedReference]) -> str:
    """Return the prompt with references and parentheses as letters: nothing is cut inside."""
    spans = [(each.start, each.end) for each in references]
    spans += [match.span() for match in PARENTHESES.finditer(prompt)]
    text = prompt
    for start, end in spans:
        text = text[:start] + "x" * (end - start) + text[end:]
    return text


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return ``start``..``end`` without the blanks around it and the marks at its end."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + len(piece.rstrip(" \t\n,;.:"))

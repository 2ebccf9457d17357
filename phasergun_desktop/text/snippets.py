"""A passage as it is shown on one line, and its beginning where the whole would be too long."""

from __future__ import annotations

_LONGEST, _LEAST_SHARE = 200, 0.7


def one_line(text: str) -> str:
    """Return ``text`` without line breaks, a dot between the cells of a row."""
    return " ".join(text.split()).replace(" | ", " · ")


def snippet(text: str, longest: int = _LONGEST) -> str:
    """Return at most ``longest`` characters of ``text`` on one line: up to the last full stop where
    that leaves more than 70 %, else cut at a word with an ellipsis."""
    line = one_line(text)
    if len(line) <= longest:
        return line
    end = line.rfind(". ", 0, longest + 1) + 1
    return line[:end] if end > longest * _LEAST_SHARE else line[:longest].rsplit(" ", 1)[0] + " …"

"""Shows an answer while it streams: without its headings, its list of references and NOT FOUND.

What is shown is a function of the whole text alone, however it comes in pieces: ``feed`` gives out
what no further piece can take back, ``finish`` the rest.
"""

from __future__ import annotations

import re

# "## Answer", "##Answer:", "**Answer**", "Answer:"; not "Answer the phone" or "## Answers".
_GAP = r"[ \t]{0,3}"
_ANSWER = re.compile(
    rf"(?:^|\n)[ \t]*(?:#{{1,6}}{_GAP}answer(?!\w){_GAP}:?|\*\*{_GAP}answer{_GAP}:?{_GAP}\*\*:?"
    rf"|answer{_GAP}:)\s*",
    re.IGNORECASE,
)
_LIST = "(?:references|sources|citations)"
_REFERENCES = re.compile(
    rf"(?:^|\n)[ \t]*(?:#{{1,6}}{_GAP}{_LIST}(?!\w)|\*\*{_GAP}{_LIST}{_GAP}:?{_GAP}\*\*"
    rf"|{_LIST}{_GAP}:)",
    re.IGNORECASE,
)
# A line that may still become the heading of the references.
_MAY_BECOME = re.compile(
    r"(?:^|\n)\s*[#*]{0,6}[ \t]*[a-z]{0,10}[ \t]*:?[ \t]*\*{0,2}$", re.IGNORECASE
)
_NOT_FOUND = re.compile(r"\W{0,8}(?:NOT FOUND\b|(?i:not found)\W*$)")
_WORD = re.compile(r"\S+")
# So many words are waited for the heading, so many characters are held back behind it.
_MOST_WORDS, _HELD = 100, 24


def shown_text(text: str, *, expects_heading: bool) -> str:
    """Return what is shown of a whole answer; empty where it says NOT FOUND."""
    heading = _heading(text, expects_heading=expects_heading)
    shown = _before_references(text[heading.end() if heading is not None else 0 :])
    return "" if _NOT_FOUND.match(shown) else shown


class AnswerStream:
    """The text of one answer. ``expects_heading``: the model was told to begin with "## Answer",
    so that what comes before is left out."""

    def __init__(self, *, expects_heading: bool) -> None:
        self._expects = expects_heading
        self._text = ""
        self._given = 0

    def feed(self, piece: str) -> str:
        """Return what can be shown now that ``piece`` has come."""
        self._text += piece
        return self._more(self._safe())

    def finish(self) -> str:
        """Return what is left to show now that the answer is whole."""
        return self._more(shown_text(self._text, expects_heading=self._expects))

    def _more(self, shown: str) -> str:
        more = shown[self._given :]
        self._given += len(more)
        return more

    def _safe(self) -> str:
        text = self._text
        heading = _heading(text, expects_heading=self._expects)
        if heading is not None and heading.end() == len(text):
            return ""
        is_short = sum(1 for _ in _WORD.finditer(text)) <= _MOST_WORDS
        if heading is None and self._expects and is_short:
            return ""
        body = text[heading.end() if heading is not None else 0 :]
        shown = _before_references(body)
        if len(shown) < _HELD:
            return ""
        held = _MAY_BECOME.search(shown) if shown == body.strip() else None
        safe = shown[: held.start()].rstrip() if held is not None else shown
        return "" if _NOT_FOUND.match(safe) else safe


def _heading(text: str, *, expects_heading: bool) -> re.Match[str] | None:
    """Return the heading of the answer; where none was asked for, one that the text opens with."""
    found = _ANSWER.search(text)
    if found is None:
        return None
    if not expects_heading:
        return found if not text[: found.start()].strip() else None
    words = sum(1 for _ in _WORD.finditer(text[: found.end()]))
    return found if words <= _MOST_WORDS else None


def _before_references(body: str) -> str:
    found = _REFERENCES.search(body)
    return (body[: found.start()] if found is not None else body).strip()

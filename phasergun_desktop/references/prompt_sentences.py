"""Sentences of a prompt: where each begins and ends."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.text.words import word_set


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """Code points ``start``..``end`` of the prompt. ``is_item`` marks a list item,
    ``is_heading`` a Markdown heading."""

    start: int
    end: int
    is_item: bool = False
    is_heading: bool = False


_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
# Begins where a row of marks begins and gives nothing back: a page of dots is looked at once.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)")
_NEXT_WORD = re.compile(r"\S{1,40}")
_LOOK_BACK = 60  # characters in which an abbreviation or an initial is looked for
_LAST_WORD = re.compile(r"[\w.&-]+$")
_ABBREVIATIONS = word_set(
    "e.g i.e eg ie cf vs viz al ca approx incl excl resp esp dr mr mrs ms prof st inc ltd co corp "
    "dept min max temp u.s u.k e.u c.f.r a.k.a"
)
# Only before a number or a letter that counts: "No. 5", but "Is it sterile? No. Then say so."
_BEFORE_NUMBERS = word_set(
    "no nos nr fig figs sec sect art vol rev ver p pp para ch app tab eq ref pt item"
)
# A line shorter than this, that the next word would have fitted on, was ended on purpose.
_LINE_WIDTH = 72


def split_sentences(
    prompt: str, protected: Sequence[tuple[int, int]] = ()
) -> tuple[SentenceSpan, ...]:
    """Split ``prompt``; nothing inside a ``protected`` span (brackets) ends a sentence.

    Spans are in order, do not overlap, have no white space at their ends, and hold every
    character that is not white space.
    """
    spans: list[SentenceSpan] = []
    kept_whole = _Spans(protected)
    for start, end in _units(prompt, kept_whole):
        is_heading = bool(_HEADING.match(prompt, start, end))
        is_item = not is_heading and bool(_ITEM.match(prompt, start, end))
        for first, last in _in_unit(prompt, start, end, kept_whole, whole=is_heading):
            spans.append(SentenceSpan(first, last, is_item and first == start, is_heading))
    return tuple(spans)


class _Spans:
    """Spans of which it is asked for many positions which one holds it; they may be the same, but
    do not overlap otherwise."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._spans = sorted(set(spans))
        self._starts = [start for start, _ in self._spans]

    def hold(self, position: int) -> bool:
        """Whether one holds ``position``."""
        at = bisect_right(self._starts, position) - 1
        return at >= 0 and position < self._spans[at][1]

    def cut(self, position: int) -> bool:
        """Whether one begins before ``position`` and goes on after it."""
        at = bisect_left(self._starts, position) - 1
        return at >= 0 and position < self._spans[at][1]


def _units(prompt: str, protected: _Spans) -> list[tuple[int, int]]:
    """Split at empty lines, list items, headings, and lines that were ended on purpose."""
    units: list[tuple[int, int]] = []
    begin: int | None = None
    last_line = (0, 0)
    position = 0
    for line in prompt.splitlines(keepends=True):
        start, end = position, position + len(line)
        position = end
        inside = protected.cut(start)
        if not line.strip():
            if begin is not None:
                units.append((begin, last_line[1]))
            begin = None
        elif begin is None:
            begin = start
        elif not inside and _is_new_unit(prompt, last_line, (start, end)):
            units.append((begin, last_line[1]))
            begin = start
        if line.strip():
            last_line = (start, end)
    if begin is not None:
        units.append((begin, last_line[1]))
    trimmed = (_trim(prompt, start, end) for start, end in units)
    return [(start, end) for start, end in trimmed if start < end]


def _is_new_unit(prompt: str, before: tuple[int, int], line: tuple[int, int]) -> bool:
    if _ITEM.match(prompt, *line) or _HEADING.match(prompt, *line):
        return True
    if _HEADING.match(prompt, *before):
        return True
    above = prompt[before[0] : before[1]].rstrip()
    if above.endswith(":"):
        return True
    words = prompt[line[0] : line[1]].split(maxsplit=1)
    begins_anew = bool(words) and (words[0][0].isupper() or words[0][0] in "[@")
    return begins_anew and len(above) + 1 + len(words[0]) <= _LINE_WIDTH


def _in_unit(
    prompt: str, start: int, end: int, protected: _Spans, whole: bool
) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    begin = start
    if not whole:
        marker = _ITEM.match(prompt, start, end)
        search = marker.end() if marker else start
        for match in _STOP.finditer(prompt, search, end):
            if protected.hold(match.start()):
                continue
            if _ends_sentence(prompt, begin, match, end):
                spans.append(_trim(prompt, begin, match.end()))
                begin = match.end()
    spans.append(_trim(prompt, begin, end))
    return [(first, last) for first, last in spans if first < last]


def _ends_sentence(prompt: str, begin: int, match: re.Match[str], end: int) -> bool:
    next_word = _NEXT_WORD.search(prompt, match.end(), end)
    if next_word is None:
        return True
    after = next_word.group()
    first = after[0]
    if first.islower():
        return False
    if match.group()[0] != "." or match.group().startswith(".."):
        return True
    before = prompt[max(begin, match.start() - _LOOK_BACK) : match.start()]
    word_match = _LAST_WORD.search(before)
    word = word_match.group().casefold() if word_match else ""
    if word in _ABBREVIATIONS:
        return False
    if word in _BEFORE_NUMBERS:
        return not (first.isdigit() or re.match(r"[A-Z]\b", after))
    # An initial ("Dr J. Smith"), but not "phase B. Then".
    initial = re.search(r"(?:^|[A-Z][\w.]*\s+)[A-Z]$", before)
    return not (initial and first.isupper())


def _trim(prompt: str, start: int, end: int) -> tuple[int, int]:
    piece = prompt[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())

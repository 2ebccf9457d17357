"""Sentences of a prompt: where each begins and ends."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.text.sentences import sentence_spans


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
    text = prompt
    for start, end in protected:
        text = text[:start] + "X" * (end - start) + text[end:]
    for start, end in _units(prompt, sorted(set(protected))):
        is_heading = bool(_HEADING.match(prompt, start, end))
        is_item = not is_heading and bool(_ITEM.match(prompt, start, end))
        for first, last in [(start, end)] if is_heading else _in_unit(text, start, end):
            spans.append(SentenceSpan(first, last, is_item and first == start, is_heading))
    return tuple(spans)


def _units(prompt: str, protected: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Split at empty lines, list items, headings, and lines that were ended on purpose."""
    units: list[tuple[int, int]] = []
    begin: int | None = None
    last_line = (0, 0)
    position = 0
    for line in prompt.splitlines(keepends=True):
        start, end = position, position + len(line)
        position = end
        before = bisect_left(protected, (start,)) - 1
        inside = before >= 0 and start < protected[before][1]
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


def _in_unit(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentences of a unit; what goes on in small letters ("the kit (new!) is") is of the
    one before."""
    marker = _ITEM.match(text, start, end)
    begin = marker.end() if marker else start
    spans: list[tuple[int, int]] = []
    for low, high in sentence_spans(text[begin:end].replace("\n", " ")):
        goes_on = spans and text[begin + low].islower()
        first = spans.pop()[0] if goes_on else begin + low if spans else start
        spans.append((first, begin + high))
    return spans


def _trim(prompt: str, start: int, end: int) -> tuple[int, int]:
    piece = prompt[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())

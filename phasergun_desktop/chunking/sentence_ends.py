"""Places where a long text may be cut: after sentences, else after words, else anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

# A full stop counts only before a new start, so that "0.6" and "21 CFR 820.30" stay whole.
_SENTENCE_END = re.compile(r"(?<=[.!?;:])[\"')\]”’]*\s+(?=[\"'(\[“‘]?[A-Z0-9])|\n+")
_SPACE = re.compile(r"\s+")

Fits = Callable[[int, int], bool]


def sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentences of ``text[start:end]`` as spans of code points without outer space."""
    spans: list[tuple[int, int]] = []
    cursor = start
    for match in _SENTENCE_END.finditer(text, start, end):
        _append_trimmed(spans, text, cursor, match.end())
        cursor = match.end()
    _append_trimmed(spans, text, cursor, end)
    return spans


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return ``start``, ``end`` moved inwards over white space (empty spans collapse)."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def split_span(text: str, start: int, end: int, fits: Fits) -> list[tuple[int, int]]:
    """Cut ``text[start:end]`` into spans for which ``fits(start, end)`` holds.

    Sentences are packed together as long as they fit; a sentence that does not fit is cut
    after words, a word that does not fit anywhere. White space between spans is left out,
    nothing else is. A single code point is always accepted.
    """
    packed: list[tuple[int, int]] = []
    for piece in _fitting_pieces(text, start, end, fits):
        if packed and fits(packed[-1][0], piece[1]):
            packed[-1] = (packed[-1][0], piece[1])
        else:
            packed.append(piece)
    return packed


def _fitting_pieces(text: str, start: int, end: int, fits: Fits) -> Iterator[tuple[int, int]]:
    for sentence in sentence_spans(text, start, end):
        if fits(*sentence):
            yield sentence
        else:
            yield from _split_words(text, *sentence, fits)


def _split_words(text: str, start: int, end: int, fits: Fits) -> Iterator[tuple[int, int]]:
    cursor = start
    while cursor < end:
        cut = _longest_fit(text, cursor, end, fits)
        piece = trimmed(text, cursor, cut)
        if piece[0] < piece[1]:
            yield piece
        cursor = cut


def _longest_fit(text: str, start: int, end: int, fits: Fits) -> int:
    """Return the largest cut in ``(start, end]`` that fits, after a word where there is one."""
    if fits(start, end):
        return end
    low, high = start + 1, end
    while high - low > 1:
        middle = (low + high) // 2
        if fits(start, middle):
            low = middle
        else:
            high = middle
    last_space = None
    for match in _SPACE.finditer(text, start + 1, low):
        last_space = match.end()
    return last_space if last_space is not None else low


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    start, end = trimmed(text, start, end)
    if start < end:
        spans.append((start, end))

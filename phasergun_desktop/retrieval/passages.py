"""The stretches of the found chunks that are read, within a reading budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.chunking.sentence_ends import sentence_spans, trimmed
from phasergun_desktop.retrieval.model import Hit, Passage, Span

# A stretch shorter than this says nothing by itself and is not worth its source line.
_MIN_CHARACTERS = 40


@dataclass(slots=True)
class _Stretch:
    hit: Hit
    start: int
    end: int
    score: float
    heading_path: tuple[str, ...]


def select_passages(
    hits: Sequence[Hit],
    budget: int,
    *,
    measure: Callable[[str], int] = len,
    per_hit_windows: int = 2,
) -> tuple[Passage, ...]:
    """Return what is read of ``hits``: at most ``budget`` as ``measure`` counts.

    ``measure`` counts characters unless another counter (tokens) is given. The best window
    of every hit comes before the second of any; a window that is too long for what is left is
    cut after a sentence. Neighbouring windows of a chunk become one passage, and no text is
    read twice. Every passage's text is exactly ``start``..``end`` of its document. Passages
    stand in the order of the hits, those of one hit in reading order.
    """
    taken: list[_Stretch] = []
    left = budget
    for hit, span in _in_turns(hits, per_hit_windows):
        for start, end in _not_yet(taken, hit, span):
            cut = _cut(hit, start, end, left, measure)
            if cut <= start:
                continue
            taken.append(_Stretch(hit, start, cut, span.score, span.heading_path))
            left -= measure(_slice(hit, start, cut))
        if left <= 0:
            break
    order = {hit.chunk_id: place for place, hit in enumerate(hits)}
    taken.sort(key=lambda each: (order[each.hit.chunk_id], each.start))
    return tuple(_passage(each) for each in _merged(taken))


def _in_turns(hits: Sequence[Hit], per_hit_windows: int) -> Iterator[tuple[Hit, Span]]:
    for turn in range(per_hit_windows):
        for hit in hits:
            # Windows that no search scored are in the hit for reading on, not as evidence.
            if turn < len(hit.windows) and (turn == 0 or hit.windows[turn].score > 0):
                yield hit, _read_on(hit, hit.windows[turn])


def _read_on(hit: Hit, span: Span) -> Span:
    """Return ``span`` with the window behind it where it is no more than a heading: what was
    looked for stands under it."""
    behind = [each for each in hit.windows if each.start >= span.end]
    if _slice(hit, span.start, span.end).strip() not in span.heading_path or not behind:
        return span
    return replace(span, end=min(behind, key=lambda each: each.start).end)


def _not_yet(taken: Sequence[_Stretch], hit: Hit, span: Span) -> list[tuple[int, int]]:
    """Return the parts of ``span`` that no taken stretch of the same document covers."""
    parts = [(span.start, span.end)]
    for stretch in taken:
        if stretch.hit.document_id != hit.document_id:
            continue
        remaining = []
        for start, end in parts:
            if stretch.end <= start or end <= stretch.start:
                remaining.append((start, end))
                continue
            if start < stretch.start:
                remaining.append((start, stretch.start))
            if stretch.end < end:
                remaining.append((stretch.end, end))
        parts = remaining
    trimmed_parts = []
    for start, end in parts:
        first, last = trimmed(hit.text, start - hit.start, end - hit.start)
        whole = (start, end) == (span.start, span.end)
        if last > first and (whole or last - first >= _MIN_CHARACTERS):
            trimmed_parts.append((first + hit.start, last + hit.start))
    return trimmed_parts


def _cut(hit: Hit, start: int, end: int, left: int, measure: Callable[[str], int]) -> int:
    """Return where the stretch ends so that it fits into ``left``; ``start`` if nothing fits."""
    if measure(_slice(hit, start, end)) <= left:
        return end
    best = start
    for _, sentence_end in sentence_spans(hit.text, start - hit.start, end - hit.start):
        stop = sentence_end + hit.start
        if measure(_slice(hit, start, stop)) > left:
            break
        best = stop
    return best if best - start >= _MIN_CHARACTERS else start


def _merged(stretches: Sequence[_Stretch]) -> list[_Stretch]:
    merged: list[_Stretch] = []
    for stretch in stretches:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.hit.chunk_id == stretch.hit.chunk_id
            and not _slice(stretch.hit, last.end, stretch.start).strip()
        ):
            if stretch.score > last.score:
                last.score, last.heading_path = stretch.score, stretch.heading_path
            last.end = stretch.end
        else:
            merged.append(stretch)
    return merged


def _slice(hit: Hit, start: int, end: int) -> str:
    return hit.text[start - hit.start : end - hit.start]


def _passage(stretch: _Stretch) -> Passage:
    hit = stretch.hit
    return Passage(
        document_id=hit.document_id,
        file=hit.file,
        sha256=hit.sha256,
        title=hit.title,
        layer=hit.layer,
        chunk_id=hit.chunk_id,
        start=stretch.start,
        end=stretch.end,
        text=_slice(hit, stretch.start, stretch.end),
        heading_path=stretch.heading_path,
        score=stretch.score,
    )

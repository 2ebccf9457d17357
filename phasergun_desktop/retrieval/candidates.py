"""Scored windows brought together in the chunks of the profile."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from phasergun_desktop.index.records import Chunk, Window


@dataclass(frozen=True, slots=True)
class ScoredWindow:
    """A window with its fused score and what each search said of it."""

    window: Window
    score: float
    similarity: float | None = None
    bm25: float | None = None


@dataclass(slots=True)
class ChunkCandidate:
    """A chunk with the scored windows that are counted for it, best first."""

    chunk: Chunk
    windows: list[ScoredWindow] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The score of its best window."""
        return self.windows[0].score

    @property
    def similarity(self) -> float | None:
        """The best cosine of its windows, None where none has one."""
        return max((w.similarity for w in self.windows if w.similarity is not None), default=None)


def group_by_chunk(
    windows: Iterable[ScoredWindow], chunks: Mapping[int, Sequence[Chunk]]
) -> list[ChunkCandidate]:
    """Count every window for one chunk: that which holds the most of it, the first on a tie.

    Chunks overlap; a window counted for two of them would give the same find twice.
    """
    found: dict[tuple[int, int], ChunkCandidate] = {}
    for scored in windows:
        window = scored.window
        owner = owner_of(window, chunks.get(window.document_id, ()))
        if owner is None:
            continue
        chunk = chunks[window.document_id][owner]
        key = (window.document_id, owner)
        found.setdefault(key, ChunkCandidate(chunk)).windows.append(scored)
    for candidate in found.values():
        candidate.windows.sort(key=lambda each: (-each.score, each.window.start))
    return list(found.values())


def owner_of(window: Window, chunks: Sequence[Chunk]) -> int | None:
    """Return the place in ``chunks`` (in reading order) of the chunk that holds most of
    ``window``, or None where no chunk touches it."""
    best: int | None = None
    most = 0
    # Starts and ends rise: only chunks between these two places can touch the window.
    stop = bisect_right(chunks, window.end - 1, key=lambda chunk: chunk.start)
    for place in range(stop - 1, -1, -1):
        chunk = chunks[place]
        shared = min(chunk.end, window.end) - max(chunk.start, window.start)
        if shared <= 0:
            break
        if shared >= most:
            best, most = place, shared
    return best

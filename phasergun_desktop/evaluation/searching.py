"""Asks the search a question until ten documents are found, and judges what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from phasergun_desktop.evaluation.ranked import CUT, Ranking, judged
from phasergun_desktop.retrieval.model import SearchResult

# The query and how many chunks are wanted.
Search = Callable[[str, int], SearchResult]
_MOST_CHUNKS = 640


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found: documents, best first; ``ms`` is that of the search."""

    ranking: Ranking
    files: tuple[str, ...]
    ms: float


def searched(
    search: Search, query: str, gains: Mapping[str, float], *, any_is_enough: bool
) -> Searched:
    """Search for ``query`` and judge the documents found, each by its best chunk.

    A document of many chunks may hide others: it is searched again for more chunks until ten
    documents are found. The time is that of the first search.
    """
    wanted = CUT
    started = time.perf_counter()
    hits = search(query, wanted).hits
    ms = (time.perf_counter() - started) * 1000
    files = dict.fromkeys(hit.file for hit in hits)
    while len(files) < CUT and len(hits) >= wanted and wanted < _MOST_CHUNKS:
        wanted *= 4
        hits = search(query, wanted).hits
        files = dict.fromkeys(hit.file for hit in hits)
    found = tuple(files)[:CUT]
    return Searched(judged(found, gains, any_is_enough=any_is_enough), found, ms)

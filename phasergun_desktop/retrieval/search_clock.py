"""How long each stage of a search took."""

from __future__ import annotations

import time

from phasergun_desktop.retrieval.model import SearchTimings


class Clock:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End the stage ``name``."""
        now = time.perf_counter()
        self._laps[name] = (now - self._last) * 1000
        self._last = now

    def timings(self) -> SearchTimings:
        """Return what was measured; 0 for a stage that did not run."""
        return SearchTimings(
            embed_ms=self._laps.get("embed", 0.0),
            keyword_ms=self._laps.get("keyword", 0.0),
            vector_ms=self._laps.get("vector", 0.0),
            fuse_ms=self._laps.get("fuse", 0.0),
            rerank_ms=self._laps.get("rerank", 0.0),
            total_ms=(time.perf_counter() - self._start) * 1000,
        )

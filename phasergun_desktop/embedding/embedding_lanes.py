"""Embeds what nobody waits for on as many processor cores as are free for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from phasergun_desktop.embedding.embedder import Embedder, SearchEmbedder, Vector
from phasergun_desktop.embedding.shared_vectors import ProjectVectors
from phasergun_desktop.embedding.thread_priority import lower_priority
from phasergun_desktop.jobs import Event, Progress

_HEARTBEAT_S = 0.1


class EmbeddingLanes:
    """Embeds one text a run, each in one of ``cores`` threads of low priority.

    ``wanted`` returns how many of them may work now, asked before each text; with 0 nothing
    begins until it says otherwise. A vector depends on its text alone, so that the number of
    threads changes nothing but the time, and one that ``shared`` has is not made again.
    """

    def __init__(
        self,
        embedder: Embedder | SearchEmbedder,
        cores: int = 1,
        wanted: Callable[[], int] | None = None,
        shared: ProjectVectors | None = None,
    ) -> None:
        self._embedder = embedder
        self._cores = cores
        self._wanted = wanted or (lambda: cores)
        self._shared = shared

    def one_for(self, embedder: SearchEmbedder) -> EmbeddingLanes:
        """Return a single lane for ``embedder``, which works while one of these may."""
        return EmbeddingLanes(embedder, 1, self._wanted, self._shared)

    def embed(
        self, texts: Mapping[bytes, str], progress: Progress
    ) -> Generator[Event, None, dict[bytes, Vector]]:
        """Return the vectors of ``texts`` (by hash), shape (dimensions,); yields ``progress`` ten
        times a second. Closing takes effect when the texts that are read now are done."""
        known: dict[bytes, Vector] = {}
        if self._shared is not None:
            known = self._shared.found(self._embedder.identity, texts)
        vectors: dict[bytes, Vector] = {}
        # The longest first: at the end no thread is left with one that the others wait for.
        waiting = sorted(texts.keys() - known, key=lambda name: (len(texts[name]), name))
        if not waiting:
            return known
        running: dict[Future[Vector], bytes] = {}
        pool = ThreadPoolExecutor(self._cores, "embedding-lane", lower_priority)
        told = time.monotonic()
        try:
            while waiting or running:
                while waiting and len(running) < self._room():
                    name = waiting.pop()
                    running[pool.submit(self._embedder.embed, [texts[name]])] = name
                if running:
                    done, _ = wait(running, _HEARTBEAT_S, FIRST_COMPLETED)
                    for future in done:
                        vectors[running.pop(future)] = future.result()[0]
                else:
                    time.sleep(_HEARTBEAT_S)
                if time.monotonic() - told >= _HEARTBEAT_S:
                    yield progress
                    told = time.monotonic()
        finally:
            pool.shutdown(cancel_futures=True)
            if self._shared is not None:
                self._shared.keep(self._embedder.identity, vectors)
        return known | vectors

    def _room(self) -> int:
        """Return how many texts may be read or lie ready; with all cores one lies ready for each,
        so that none waits for this thread."""
        wanted = self._wanted()
        return wanted if wanted < self._cores else 2 * self._cores

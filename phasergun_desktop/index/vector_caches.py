"""The vectors of a project, as the graphs of its profiles hold them."""

from __future__ import annotations

import threading
from pathlib import Path

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.index.vector_index import DEFAULT_GRAPH, EXACT_LIMIT, VectorIndex
from phasergun_desktop.profiles.model import VectorGraphSettings
from phasergun_desktop.storage.problems import storage_errors


class VectorCaches:
    """Makes a cache for each graph that a profile wants. In a project of at most ``exact_limit``
    windows every vector is compared, and all profiles share one. Safe on any thread."""

    def __init__(
        self,
        store: IndexStore,
        folder: Path,
        *,
        identity: str,
        dimensions: int,
        exact_limit: int = EXACT_LIMIT,
    ) -> None:
        self._store = store
        self._folder = folder
        self._identity = identity
        self._dimensions = dimensions
        self._exact_limit = exact_limit
        self._lock = threading.Lock()
        self._made: dict[VectorGraphSettings, VectorCache] = {}

    def get(self, graph: VectorGraphSettings) -> VectorCache:
        """Return the cache for ``graph``."""
        if self._store.window_count() <= self._exact_limit:
            graph = DEFAULT_GRAPH
        with self._lock:
            if graph not in self._made:
                self._made[graph] = self._make(graph)
            return self._made[graph]

    def snapshot(self) -> None:
        """Write beside the database what has changed. Raises ``StorageError``."""
        for graph, cache in tuple(self._made.items()):
            folder = self._folder_of(graph)
            with storage_errors(folder):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            cache.snapshot()

    def _make(self, graph: VectorGraphSettings) -> VectorCache:
        return VectorCache(
            self._store,
            self._folder_of(graph),
            identity=self._identity,
            dimensions=self._dimensions,
            index=VectorIndex(self._dimensions, exact_limit=self._exact_limit, graph=graph),
        )

    def _folder_of(self, graph: VectorGraphSettings) -> Path:
        if graph == DEFAULT_GRAPH:
            return self._folder
        # How it is searched is not part of it.
        return self._folder / f"graph-{graph.m}-{graph.ef_construction}"

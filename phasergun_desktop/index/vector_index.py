"""Nearest vectors in memory: exact up to a size, an HNSW graph above it."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.profiles.model import VectorGraphSettings

if TYPE_CHECKING:
    import hnswlib

Ids = NDArray[np.int64]

EXACT_LIMIT = 100_000
DEFAULT_GRAPH = VectorGraphSettings()
# Below this size sorting everything costs less than asking twice (7 ms at 20,000).
_ASK_FOR_ALL = 16_000
_MIN_CAPACITY = 1_024
_MAX_SHARE_REMOVED = 0.25


class VectorIndex:
    """Unit vectors by id in hnswlib. One lock: adding beside a query is not safe there.

    Removed ids are left in place and never returned; when ``needs_rebuild`` says so the owner
    builds again from the database. hnswlib's own filter is not used: ``BFIndex`` tests it
    only against the first entries when its answer is not full yet, which loses results.
    """

    def __init__(
        self,
        dimensions: int,
        *,
        exact_limit: int = EXACT_LIMIT,
        graph: VectorGraphSettings = DEFAULT_GRAPH,
    ) -> None:
        self._dimensions = dimensions
        self._graph = graph
        self._exact_limit = exact_limit
        self._lock = threading.Lock()
        self._index: hnswlib.BFIndex | hnswlib.Index | None = None
        self._is_graph = False
        self._ids: set[int] = set()
        self._removed: set[int] = set()

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def is_exact(self) -> bool:
        """Whether every vector is compared."""
        return not self._is_graph

    def ids(self) -> frozenset[int]:
        """The ids that can be found."""
        with self._lock:
            return frozenset(self._ids)

    def removed_ids(self) -> frozenset[int]:
        """The ids that still take up room."""
        with self._lock:
            return frozenset(self._removed)

    def needs_rebuild(self, coming: int = 0) -> bool:
        """Whether ``coming`` more vectors do not fit, or too many are removed."""
        with self._lock:
            if self._index is None:
                return True
            # The library is asked: an exact index that was loaded has the room of its file,
            # whatever it was given at loading.
            total = self._index.get_current_count() + coming
            wants_graph = len(self._ids) + coming > self._exact_limit
            removed = len(self._removed) > max(_MAX_SHARE_REMOVED * total, 64)
            full = total > self._index.get_max_elements()
            return full or removed or wants_graph != self._is_graph

    def build(self, ids: Ids, vectors: Vector) -> None:
        """Replace everything. ``ids`` has shape (n,), ascending; ``vectors`` (n, dimensions).

        The graph is built by one thread in id order, so that it is the same every time.
        """
        count = len(ids)
        capacity = max(_MIN_CAPACITY, count + count // 2)
        is_graph = count > self._exact_limit
        index = _new_index(self._dimensions, capacity, self._graph if is_graph else None)
        if count:
            _add(index, ids, vectors)
        with self._lock:
            self._index, self._is_graph = index, is_graph
            self._ids = {int(each) for each in ids}
            self._removed = set()

    def add(self, ids: Ids, vectors: Vector) -> None:
        """Add vectors of new ids, shapes as in ``build``. Ask ``needs_rebuild`` before."""
        if not len(ids):
            return
        with self._lock:
            if self._index is None:
                raise RuntimeError("build() comes before add()")
            _add(self._index, ids, vectors)
            self._ids.update(int(each) for each in ids)

    def remove(self, ids: Collection[int]) -> None:
        """Forget ``ids``; unknown ones are ignored."""
        with self._lock:
            gone = self._ids.intersection(ids)
            self._ids -= gone
            self._removed |= gone

    def query(
        self, vector: Vector, limit: int, allowed: Ids | None = None
    ) -> tuple[Ids, NDArray[np.float32]]:
        """Return the ``limit`` nearest ids and their cosine similarities, best first.

        ``vector`` has shape (dimensions,) and norm 1. ``allowed`` (rising) limits the answer to
        these ids before the limit applies; the answer is shorter only where there are fewer.
        Similarities lie in -1..1; equal ones are ordered by id.
        """
        with self._lock:
            limit = min(limit, len(self._ids))
            if self._index is None or limit <= 0 or (allowed is not None and not len(allowed)):
                return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
            total = len(self._ids) + len(self._removed)
            is_all = allowed is not None and total <= _ASK_FOR_ALL
            asked = total if is_all else min(total, 2 * limit + 64)
            removed = np.fromiter(self._removed, np.int64, len(self._removed))
            while True:
                ids, similarities = self._nearest(self._index, vector, asked)
                kept = np.isin(ids, removed, invert=True)
                if allowed is not None:
                    places = np.searchsorted(allowed, ids).clip(max=len(allowed) - 1)
                    kept &= allowed[places] == ids
                if int(kept.sum()) >= limit or asked >= total:
                    return _best(ids[kept], similarities[kept], limit)
                asked = min(total, asked * 4)

    def save(self, path: Path) -> None:
        """Write hnswlib's own form to ``path`` (not atomic: the owner renames it)."""
        with self._lock:
            if self._index is None:
                raise RuntimeError("build() comes before save()")
            self._index.save_index(str(path))

    def load(
        self, path: Path, ids: Sequence[int], removed: Sequence[int], *, is_graph: bool
    ) -> None:
        """Read what ``save`` wrote; the caller has checked the file's digest."""
        import hnswlib  # noqa: PLC0415

        index: hnswlib.BFIndex | hnswlib.Index
        if is_graph:
            index = hnswlib.Index("ip", self._dimensions)
        else:
            index = hnswlib.BFIndex("ip", self._dimensions)
        index.load_index(str(path), 0)  # 0: as many as the file has room for
        held = len(ids) + len(removed)
        if index.get_current_count() != held:
            raise ValueError(f"{index.get_current_count()} vectors where {held} are recorded")
        index.set_num_threads(1)
        with self._lock:
            self._index, self._is_graph = index, is_graph
            self._ids, self._removed = set(ids), set(removed)

    def _nearest(
        self, index: hnswlib.BFIndex | hnswlib.Index, vector: Vector, count: int
    ) -> tuple[Ids, NDArray[np.float32]]:
        if self._is_graph:
            # A longer answer needs at least its own length.
            index.set_ef(max(self._graph.ef_search, count))
        labels, distances = index.knn_query(vector.reshape(1, -1), count)
        similarities: NDArray[np.float32] = 1.0 - distances[0]
        return labels[0].astype(np.int64), similarities


def _best(
    ids: Ids, similarities: NDArray[np.float32], limit: int
) -> tuple[Ids, NDArray[np.float32]]:
    order = np.lexsort((ids, -similarities))[:limit]
    return ids[order], similarities[order]


def _new_index(
    dimensions: int, capacity: int, graph: VectorGraphSettings | None
) -> hnswlib.BFIndex | hnswlib.Index:
    import hnswlib  # noqa: PLC0415

    index: hnswlib.BFIndex | hnswlib.Index
    if graph is not None:
        index = hnswlib.Index("ip", dimensions)
        index.init_index(
            capacity, M=graph.m, ef_construction=graph.ef_construction, random_seed=100
        )
    else:
        index = hnswlib.BFIndex("ip", dimensions)
        index.init_index(capacity)
    index.set_num_threads(1)
    return index


def _add(index: hnswlib.BFIndex | hnswlib.Index, ids: Ids, vectors: Vector) -> None:
    if hasattr(index, "ef_construction"):
        index.add_items(vectors, ids, num_threads=1)
    else:
        index.add_items(vectors, ids)

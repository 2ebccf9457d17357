"""Nearest vectors in memory: exact up to a size, an HNSW graph above it."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.vector_rows import Ids, Similarities, VectorRows
from phasergun_desktop.profiles.model import VectorGraphSettings

if TYPE_CHECKING:
    import hnswlib

EXACT_LIMIT = 100_000
DEFAULT_GRAPH = VectorGraphSettings()
_MAX_SHARE_REMOVED = 0.25
_NONE: Ids = np.zeros(0, dtype=np.int64)


class VectorIndex:
    """Unit vectors by id: rows up to ``exact_limit``, an HNSW graph of hnswlib above it. One lock:
    adding beside a query is not safe there.

    Ids that are removed from a graph are left in place and never returned; when ``needs_rebuild``
    says so the owner builds again from the database. hnswlib's own filter is not used: it is asked
    of every vector that is looked at, in Python.
    """

    def __init__(
        self,
        dimensions: int,
        *,
        exact_limit: int = EXACT_LIMIT,
        graph: VectorGraphSettings = DEFAULT_GRAPH,
    ) -> None:
        self._dimensions = dimensions
        self._settings = graph
        self._exact_limit = exact_limit
        self._lock = threading.Lock()
        self._rows: VectorRows | None = None
        self._graph: hnswlib.Index | None = None
        # Rising.
        self._ids, self._removed = _NONE, _NONE

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def is_exact(self) -> bool:
        """Whether every vector is compared."""
        return self._graph is None

    @property
    def ids(self) -> Ids:
        """The ids that can be found, rising."""
        return self._ids

    @property
    def removed_ids(self) -> Ids:
        """The ids that a graph still has room for, rising; rows are saved without them."""
        return _NONE if self.is_exact else self._removed

    def needs_rebuild(self, coming: int = 0) -> bool:
        """Whether ``coming`` more vectors do not fit, or too many are removed."""
        with self._lock:
            if self._rows is None and self._graph is None:
                return True
            total = len(self._ids) + len(self._removed) + coming
            wants_graph = len(self._ids) + coming > self._exact_limit
            removed = len(self._removed) > max(_MAX_SHARE_REMOVED * total, 64)
            full = self._graph is not None and total > self._graph.get_max_elements()
            return full or removed or wants_graph == (self._graph is None)

    def build(self, ids: Ids, vectors: Vector) -> None:
        """Replace everything. ``ids`` has shape (n,), ascending; ``vectors`` (n, dimensions).

        The graph is built by one thread in id order, so that it is the same every time.
        """
        rows, graph = None, None
        if len(ids) > self._exact_limit:
            graph = _new_graph(self._dimensions, len(ids) + len(ids) // 2, self._settings)
            graph.add_items(vectors, ids, num_threads=1)
        else:
            rows = VectorRows()
            rows.add(ids, vectors)
        self._replace(rows, graph, ids, _NONE)

    def add(self, ids: Ids, vectors: Vector) -> None:
        """Add vectors of new ids, above those that are there, shapes as in ``build``. Ask
        ``needs_rebuild`` before."""
        if not len(ids):
            return
        with self._lock:
            if self._graph is not None:
                self._graph.add_items(vectors, ids, num_threads=1)
            elif self._rows is not None:
                self._rows.add(ids, vectors)
            else:
                raise RuntimeError("build() comes before add()")
            self._ids = np.concatenate((self._ids, ids))

    def remove(self, ids: Collection[int]) -> None:
        """Forget ``ids``; unknown ones are ignored."""
        with self._lock:
            gone = np.intersect1d(self._ids, np.fromiter(ids, np.int64, len(ids)))
            self._ids = np.setdiff1d(self._ids, gone, assume_unique=True)
            self._removed = np.union1d(self._removed, gone)
            if self._rows is not None:
                self._rows.remove(gone)

    def query(
        self, vector: Vector, limit: int, allowed: Ids | None = None
    ) -> tuple[Ids, Similarities]:
        """Return the ``limit`` nearest ids and their cosine similarities, best first.

        ``vector`` has shape (dimensions,) and norm 1. ``allowed`` (rising) limits the answer to
        these ids before the limit applies; the answer is shorter only where there are fewer.
        Similarities lie in -1..1; equal ones are ordered by id.
        """
        with self._lock:
            limit = min(limit, len(self._ids))
            if limit <= 0 or (allowed is not None and not len(allowed)):
                return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
            if self._rows is not None:
                return self._rows.nearest(vector, limit, allowed)
            total = len(self._ids) + len(self._removed)
            asked = min(total, 2 * limit + 64)
            while True:
                ids, similarities = self._nearest(vector, asked)
                kept = np.isin(ids, self._removed, invert=True)
                if allowed is not None:
                    places = np.searchsorted(allowed, ids).clip(max=len(allowed) - 1)
                    kept &= allowed[places] == ids
                if int(kept.sum()) >= limit or asked >= total:
                    ids, similarities = ids[kept], similarities[kept]
                    order = np.lexsort((ids, -similarities))[:limit]
                    return ids[order], similarities[order]
                asked = min(total, asked * 4)

    def compare(self, vector: Vector, ids: Collection[int]) -> dict[int, float] | None:
        """Return the cosines of those of ``ids`` that are there; None where a graph has them."""
        with self._lock:
            if self._rows is None:
                return None
            found, cosines = self._rows.compare(vector, np.array(sorted(ids), dtype=np.int64))
            return dict(zip(found.tolist(), cosines.tolist(), strict=True))

    def save(self, path: Path) -> None:
        """Write the vectors by rising id, or the graph in hnswlib's own form, to ``path`` (not
        atomic: the owner renames it). Of rows, nothing is left of what is removed."""
        with self._lock:
            if self._graph is not None:
                self._graph.save_index(str(path))
            elif self._rows is not None:
                self._rows.all()[1].astype("<f4").tofile(path)
            else:
                raise RuntimeError("build() comes before save()")

    def load_graph(self, path: Path, ids: Ids, removed: Ids) -> None:
        """Read the graph that ``save`` wrote; the caller has checked the file's digest. Raises
        ValueError where it holds others than ``ids`` and ``removed``."""
        import hnswlib  # noqa: PLC0415

        graph = hnswlib.Index("ip", self._dimensions)
        graph.load_index(str(path), 0)  # 0: as many as the file has room for
        held = len(ids) + len(removed)
        if graph.get_current_count() != held:
            raise ValueError(f"{graph.get_current_count()} vectors where {held} are recorded")
        graph.set_num_threads(1)
        self._replace(None, graph, ids, removed)

    def _replace(
        self,
        rows: VectorRows | None,
        graph: hnswlib.Index | None,
        ids: Ids,
        removed: Ids,
    ) -> None:
        with self._lock:
            self._rows, self._graph = rows, graph
            self._ids, self._removed = ids, removed

    def _nearest(self, vector: Vector, count: int) -> tuple[Ids, Similarities]:
        if self._graph is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        # A longer answer needs at least its own length.
        self._graph.set_ef(max(self._settings.ef_search, count))
        labels, distances = self._graph.knn_query(vector.reshape(1, -1), count)
        similarities: Similarities = 1.0 - distances[0]
        return labels[0].astype(np.int64), similarities


def _new_graph(dimensions: int, capacity: int, settings: VectorGraphSettings) -> hnswlib.Index:
    import hnswlib  # noqa: PLC0415

    graph = hnswlib.Index("ip", dimensions)
    graph.init_index(
        capacity, M=settings.m, ef_construction=settings.ef_construction, random_seed=100
    )
    graph.set_num_threads(1)
    return graph

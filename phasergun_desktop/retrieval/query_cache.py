"""The vectors of the last questions, so that paging and typing embed nothing twice."""

from __future__ import annotations

import threading
from collections import OrderedDict

from phasergun_desktop.embedding.embedder import Embedder, Vector


class QueryVectors:
    """Embeds questions; keeps the last ``size`` vectors. Safe to use from several threads."""

    def __init__(self, embedder: Embedder, size: int = 128) -> None:
        self._embedder = embedder
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def vector(self, query: str) -> Vector:
        """Return the vector of ``query``: float32 of shape (dimensions,), norm 1."""
        with self._lock:
            if query in self._vectors:
                self._vectors.move_to_end(query)
                return self._vectors[query]
        vector: Vector = self._embedder.embed([query])[0]
        with self._lock:
            self._vectors[query] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector

"""Vectors in memory that are all compared with a query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector

Ids = NDArray[np.int64]
Similarities = NDArray[np.float32]

# A product of matrices adds up some rows in another order than others: so much they may differ.
_ERROR = 1e-5


@dataclass(slots=True)
class _Part:
    ids: Ids
    vectors: Vector
    is_kept: NDArray[np.bool_]


class VectorRows:
    """Unit vectors by rising id. Those that come later lie in parts of their own, each larger than
    the next: what is there is not copied for them."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    def add(self, ids: Ids, vectors: Vector) -> None:
        """Add vectors (n, dimensions) of ``ids`` (n,), rising and above all that are there."""
        part = _Part(ids, vectors, np.ones(len(ids), dtype=bool))
        while self._parts and len(self._parts[-1].ids) <= len(part.ids):
            before = self._parts.pop()
            part = _Part(
                np.concatenate((before.ids, part.ids)),
                np.concatenate((before.vectors, part.vectors)),
                np.concatenate((before.is_kept, part.is_kept)),
            )
        self._parts.append(part)

    def remove(self, ids: Ids) -> None:
        """Forget ``ids``, which are all there."""
        for part in self._parts:
            part.is_kept &= np.isin(part.ids, ids, invert=True)

    def all(self) -> tuple[Ids, Vector]:
        """Return all that are there."""
        kept = [(part.ids[part.is_kept], part.vectors[part.is_kept]) for part in self._parts]
        return np.concatenate([one for one, _ in kept]), np.concatenate([one for _, one in kept])

    def nearest(
        self, vector: Vector, limit: int, allowed: Ids | None = None
    ) -> tuple[Ids, Similarities]:
        """Return the ``limit`` (at least 1) nearest of ``allowed`` (rising) and their cosines, best
        first; equal ones by id."""
        ids = np.concatenate([part.ids for part in self._parts])
        cosines = np.concatenate([part.vectors @ vector for part in self._parts])
        is_wanted = np.concatenate([part.is_kept for part in self._parts])
        if allowed is not None:
            is_allowed = np.zeros(len(ids), dtype=bool)
            is_allowed[_places(ids, allowed)] = True
            is_wanted &= is_allowed
        rows = np.flatnonzero(is_wanted)
        if len(rows) > limit:
            least = np.partition(cosines[rows], len(rows) - limit)[len(rows) - limit]
            rows = rows[cosines[rows] >= least - _ERROR]
        found, cosines = self.compare(vector, ids[rows])
        order = np.lexsort((found, -cosines))[:limit]
        return found[order], cosines[order]

    def compare(self, vector: Vector, ids: Ids) -> tuple[Ids, Similarities]:
        """Return those of ``ids`` (rising) that are there, and their cosines: the same for equal
        vectors, wherever they lie."""
        found = [np.zeros(0, dtype=np.int64)]
        cosines = [np.zeros(0, dtype=np.float32)]
        for part in self._parts:
            rows = _places(part.ids, ids)
            rows = rows[part.is_kept[rows]]
            found.append(part.ids[rows])
            cosines.append(np.einsum("ij,j->i", part.vectors[rows], vector))
        return np.concatenate(found), np.concatenate(cosines)


def _places(ids: Ids, wanted: Ids) -> Ids:
    """Return the places in ``ids`` of those of ``wanted`` that are there; both rise."""
    if not len(ids):
        return np.zeros(0, dtype=np.int64)
    near: Ids = np.searchsorted(ids, wanted).clip(max=len(ids) - 1)
    found: Ids = near[ids[near] == wanted]
    return found

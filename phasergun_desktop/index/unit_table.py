"""All units of an index as arrays, and the file that keeps them."""

from __future__ import annotations

import zipfile
from collections.abc import Collection
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.paths import private_file
from phasergun_desktop.storage.problems import storage_errors

# Of so many units the vectors are made at once: they stay in the processor's cache.
_BLOCK = 1024


@dataclass(frozen=True, slots=True, eq=False)
class UnitTable:
    """All units of an index, ordered by document and place. The arrays have one entry a unit.

    ``start`` and ``end`` are code points of the document's text, ``words`` how many words it
    has; units of a document that have the same headings and lead-in have the same number in
    ``sections``. ``steps`` (n, dimensions) times ``scales`` (n,) are the vectors, of norm 1; zeros
    of a unit that has none. ``by_id`` are the places by rising id.
    """

    unit_ids: NDArray[np.int64]
    documents: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    words: NDArray[np.int32]
    sections: NDArray[np.int32]
    steps: NDArray[np.int8]
    scales: NDArray[np.float32]
    by_id: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", np.argsort(self.unit_ids).astype(np.int32))

    def __len__(self) -> int:
        return len(self.unit_ids)

    def rows_of(self, documents: Collection[int]) -> NDArray[np.int64]:
        """Return the places in the table of the units of ``documents``."""
        wanted = np.fromiter(documents, np.int64, len(documents))
        return np.flatnonzero(np.isin(self.documents, wanted))

    def places_of(self, unit_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places in the table of the units ``unit_ids``, rising; others are left out."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        near = np.searchsorted(self.unit_ids, unit_ids, sorter=self.by_id)
        places = self.by_id[near.clip(max=len(self) - 1)].astype(np.int64)
        return np.sort(places[self.unit_ids[places] == unit_ids])

    def vectors(self, rows: NDArray[np.int64]) -> Vector:
        """Return the vectors at ``rows`` as float32 of shape (len(rows), dimensions)."""
        made: Vector = self.steps[rows].astype(np.float32) * self.scales[rows, None]
        return made

    def cosines(self, rows: NDArray[np.int64], vectors: Vector) -> NDArray[np.float32]:
        """Return the cosines of the units at ``rows`` to ``vectors``, shape (n, dimensions), as
        (n, len(rows)): zeros where no unit has a vector."""
        made = np.zeros((len(vectors), len(rows)), dtype=np.float32)
        if not self.steps.shape[1]:
            return made
        turned = np.ascontiguousarray(vectors.T)
        for first in range(0, len(rows), _BLOCK):
            # The last block is as long as the others: units that are alike have one cosine.
            start = max(0, min(first, len(rows) - _BLOCK))
            block = rows[start : start + _BLOCK]
            made[:, start : start + _BLOCK] = (self.vectors(block) @ turned).T
        return made

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the arrays that a table is made of."""
        return tuple(each.name for each in fields(cls) if each.init)

    def with_changed(self, kept: Collection[int], changed: UnitTable) -> UnitTable:
        """Return the units of the documents ``kept`` and those of ``changed``, other documents."""
        rows = self.rows_of(kept)
        documents = np.concatenate((self.documents[rows], changed.documents))
        order = np.argsort(documents, kind="stable")
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        # Documents of both may have had sections of one number.
        sections = changed.sections + self.sections.max(initial=-1) + 1
        made = {
            name: np.concatenate((getattr(self, name)[rows], getattr(changed, name)))[order]
            for name in self.names()
            if name not in ("sections", "steps")
        }
        made["sections"] = np.concatenate((self.sections[rows], sections))[order]
        steps = np.zeros(
            (len(order), max(self.steps.shape[1], changed.steps.shape[1])), dtype=np.int8
        )
        # A block at a time: there is not always room for the largest array three times.
        if self.steps.shape[1]:
            for first in range(0, len(rows), _BLOCK):
                block = rows[first : first + _BLOCK]
                steps[places[first : first + len(block)]] = self.steps[block]
        if changed.steps.shape[1]:
            steps[places[len(rows) :]] = changed.steps
        return UnitTable(**made, steps=steps)


def save_table(path: Path, table: UnitTable, made_of: str) -> None:
    """Write ``table``, which is that of ``made_of`` (an index, its version, an embedder), to
    ``path``: the old file or the new one is there. Raises ``StorageError``."""
    # One name for all: what was left by a process that was killed is written over.
    temporary = path.with_name(f"{path.name}.tmp")
    with storage_errors(path):
        try:
            private_file(temporary)
            with temporary.open("wb") as stream:
                np.savez(
                    stream,
                    made_of=np.array(made_of),
                    **{name: getattr(table, name) for name in UnitTable.names()},
                )
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def load_table(path: Path) -> tuple[str, UnitTable] | None:
    """Return what ``save_table`` wrote, ``made_of`` first; None where it is not there or damaged
    (zip keeps a checksum of each array)."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            table = UnitTable(**{name: stored[name] for name in UnitTable.names()})
            return str(stored["made_of"]), table
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile):
        return None

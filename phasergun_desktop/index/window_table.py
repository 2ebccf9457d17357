"""All windows of an index as arrays: what searches restrict, count and score them by."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.rows import as_bytes
from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.index.stored_vectors import version_of
from phasergun_desktop.kept_values import KeptValues
from phasergun_desktop.storage.problems import damaged_error

_KEPT_SCOPES = 8


@dataclass(frozen=True, slots=True)
class WindowTable:
    """The windows of one version of an index, by rising id. The arrays have an entry a window;
    ``words`` is how many words keyword search has of it, title, headings and tags included."""

    version: int
    ids: NDArray[np.int64]
    documents: NDArray[np.int64]
    words: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class WindowTables:
    """Reads the table anew when the index has another version. Safe on any thread."""

    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._table: WindowTable | None = None
        self._scopes: KeptValues[frozenset[int], NDArray[np.bool_]] = KeptValues(_KEPT_SCOPES)

    def table(self) -> WindowTable:
        """Return the windows of the index as this thread reads it now."""
        with self._store.reading() as connection:
            version = version_of(connection)
            with self._lock:
                if self._table is not None and self._table.version == version:
                    return self._table
            windows = connection.execute("SELECT window_id, document_id FROM windows").fetchall()
            sizes = connection.execute("SELECT id, sz FROM window_words_docsize").fetchall()
            # FTS5's own: how many rows there are, and how many words in each column.
            (totals,) = connection.execute(
                "SELECT ifnull(CAST(max(block) AS BLOB), x'') FROM window_words_data WHERE id = 1"
            ).fetchone()
            ids, documents = np.array(windows, dtype=np.int64).reshape(len(windows), 2).T
            order = np.argsort(ids)
            words = np.zeros(len(ids), dtype=np.int64)
            if sizes:
                named = np.array([row[0] for row in sizes], dtype=np.int64)
                counts = word_counts([as_bytes(row[1]) for row in sizes])
                # A wrong number would change scores, and nothing else would show it.
                if len(sizes) + counts.sum() != word_counts([totals])[0]:
                    raise damaged_error(Path(INDEX_FILE))
                words[places_of(ids[order], named)] = counts
        table = WindowTable(version, ids[order], documents[order], words)
        with self._lock:
            self._table = table
        return table

    def allowed(self, documents: Collection[int]) -> NDArray[np.bool_]:
        """Return for each window of the table whether it is of ``documents``; the last few answers
        are kept."""
        table = self.table()
        key = frozenset(documents)

        def made() -> NDArray[np.bool_]:
            return np.isin(table.documents, np.fromiter(key, np.int64, len(key)))

        return self._scopes.get(key, made, table.version)


def places_of(ids: NDArray[np.int64], named: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places in ``ids`` (rising) of ``named``. Raises ``StorageDamagedError`` where one
    is not there, as in a damaged list of words."""
    places = np.searchsorted(ids, named)
    if not np.array_equal(ids.take(places, mode="clip") if len(ids) else ids, named):
        raise damaged_error(Path(INDEX_FILE))
    return places


def word_counts(sizes: Sequence[bytes]) -> NDArray[np.int64]:
    """Return how many tokens each row of an FTS5 table has, of all columns together. ``sizes``
    holds for each row, as FTS5 stores it, a number a column: big-endian groups of seven bits, of
    which all but the last have the eighth bit set."""
    data = np.frombuffer(b"".join(sizes), dtype=np.uint8)
    goes_on = np.append(data >= 128, False)
    places = np.zeros(len(data) + 1, dtype=np.int64)
    # How many groups of its number follow each byte: texts of many thousand words have two.
    while not np.array_equal(further := np.where(goes_on[:-1], places[1:] + 1, 0), places[:-1]):
        places[:-1] = further
    values = (data & 127).astype(np.int64) << (7 * places[:-1])
    ends = np.cumsum([len(each) for each in sizes], dtype=np.int64)
    sums = np.append(0, np.cumsum(values))[np.append(0, ends)]
    counts: NDArray[np.int64] = np.diff(sums)
    return counts

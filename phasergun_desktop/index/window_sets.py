"""The windows of documents, kept in memory as long as their document stays the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.rows import PlacedWindow

_KEPT_WINDOWS = 30_000


class WindowSets:
    """Gives windows with the blocks they start in. Safe to use from several threads."""

    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int, int], tuple[PlacedWindow, ...]] = OrderedDict()
        self._count = 0

    def of_document(self, document_id: int) -> tuple[PlacedWindow, ...]:
        """Return the windows of a document in reading order; empty for an unknown one."""
        key = (document_id, *self._store.writing(document_id))
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        windows = self._store.placed_windows(document_id)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = windows
                self._count += len(windows)
            while self._count > _KEPT_WINDOWS and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._count -= len(oldest)
        return windows

    def named(self, window_ids: Collection[int]) -> dict[int, PlacedWindow]:
        """Return the windows ``window_ids``; unknown ones are left out."""
        found: dict[int, PlacedWindow] = {}
        for document_id in self._store.documents_of(window_ids):
            for placed in self.of_document(document_id):
                if placed.window.window_id in window_ids:
                    found[placed.window.window_id] = placed
        return found

"""What others want of a sync while it runs: another look at the folder, some files first."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from phasergun_desktop.sync.folder_scan import ScannedFile


class SyncWishes:
    """Wishes are made on any thread; the sync takes them between two documents."""

    def __init__(self) -> None:
        self._are_new = threading.Event()
        self._first: frozenset[str] = frozenset()

    @property
    def are_new(self) -> bool:
        """Whether something was wished for since ``take``."""
        return self._are_new.is_set()

    def take(self) -> None:
        """Note that the folder is looked at now, and read in the order that is wanted now."""
        self._are_new.clear()

    def look_again(self) -> None:
        """Look at the folder again: something has changed in it."""
        self._are_new.set()

    def put_first(self, files: frozenset[str]) -> None:
        """Read ``files`` before all others."""
        if not files <= self._first:
            self._first |= files
            self._are_new.set()

    def in_order(
        self, files: Iterable[ScannedFile], noticed: Mapping[str, int]
    ) -> list[ScannedFile]:
        """Return ``files`` as they are to be read: those that somebody waits for, then those that
        were ``noticed`` last (the number of the look at the folder, 0 for an earlier sync)."""
        first = self._first
        return sorted(
            files,
            key=lambda each: (each.file not in first, -noticed.get(each.file, 0), each.file),
        )

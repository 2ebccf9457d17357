"""Drafts and settings in memory, for tests of the window."""

from __future__ import annotations

import threading
from collections.abc import Callable

from phasergun_desktop.drafts.draft_store import DraftStore, DraftSummary
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import StorageError
from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.store import SettingsStore


class FakeDraftStore(DraftStore):
    """Drafts in memory; ``fails`` makes saving raise, ``saves`` counts it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drafts: dict[str, Draft] = {}
        self._thrown: set[str] = set()
        self.saves = 0
        self.fails = False

    def save(self, draft: Draft) -> None:
        if self.fails:
            raise StorageError("Disk full", "There is no room left.", "Free some space.")
        self.put(draft)
        self.saves += 1

    def put(self, draft: Draft) -> None:
        with self._lock:
            self._drafts.pop(draft.draft_id, None)
            self._drafts[draft.draft_id] = draft

    def load(self, draft_id: str) -> Draft:
        with self._lock:
            return self._drafts[draft_id]

    def list(self) -> tuple[DraftSummary, ...]:
        with self._lock:
            drafts = tuple(self._drafts.values())
        return tuple(
            DraftSummary(
                d.draft_id,
                d.title,
                d.status,
                d.modified,
                False,
                sum(bool(unit.problems) for unit in d.units),
                "2026-01-02T03:04:05+00:00" if d.draft_id in self._thrown else "",
            )
            for d in reversed(drafts)
        )

    def throw_away(self, draft_id: str) -> None:
        self._thrown.add(draft_id)

    def put_back(self, draft_id: str) -> None:
        self._thrown.discard(draft_id)

    def empty_trash(self) -> None:
        for draft_id in self._thrown:
            self.delete(draft_id)

    def delete(self, draft_id: str) -> None:
        with self._lock:
            self._drafts.pop(draft_id, None)

    def latest(self) -> Draft | None:
        with self._lock:
            there = [d for key, d in self._drafts.items() if key not in self._thrown]
            return there[-1] if there else None


class FakeSettings(SettingsStore):
    """Settings in memory."""

    def __init__(self) -> None:
        self.settings = Settings()

    def change(self, edit: Callable[[Settings], Settings]) -> Settings:
        self.save(edit(self.load()))
        return self.load()

    def load(self) -> Settings:
        return self.settings

    def save(self, settings: Settings) -> None:
        self.settings = settings

"""The wish to stop, set on one thread and read on another."""

from __future__ import annotations

import threading


class StopFlag:
    """Set once, never cleared; a job reads it as often as it likes."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask the job to stop."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether the job was asked to stop."""
        return self._event.is_set()

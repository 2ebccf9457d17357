"""Tells that something in a folder has changed, after a moment of quiet; never what."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

QUIET_S = 1.0
# A folder that never rests is looked at all the same.
_LONGEST_WAIT_S = 15.0
_POLLING_S = 5.0
# Opening and reading are events too; the sync reads, and would call itself for ever.
_CHANGES = frozenset({"created", "deleted", "modified", "moved", "closed"})

_log = logging.getLogger(__name__)


class FolderWatch:
    """Watches ``root`` from ``start()`` to ``stop()``.

    ``on_change`` is called on a thread of the watch, ``quiet_s`` after the last change. Where
    the system's own notices are not to be had (network disks, too many folders) the folder is
    looked at every few seconds.
    """

    def __init__(
        self,
        root: Path,
        on_change: Callable[[], None],
        *,
        quiet_s: float = QUIET_S,
        use_polling: bool = False,
    ) -> None:
        self._root = root
        self._on_change = on_change
        self._quiet_s = quiet_s
        self._use_polling = use_polling
        self._condition = threading.Condition()
        self._last_change: float | None = None
        self._first_change = 0.0
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._observer: BaseObserver | None = None

    @property
    def is_polling(self) -> bool:
        """Whether the folder is looked at every few seconds instead of being notified."""
        return self._use_polling

    def start(self) -> None:
        """Begin to watch; a folder that cannot be watched is reported in the log only."""
        if self._thread is not None:
            return
        self._observer = self._started_observer()
        self._thread = threading.Thread(target=self._run, name="folder-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch and its threads; no call of ``on_change`` begins afterwards."""
        with self._condition:
            self._is_stopped = True
            self._condition.notify_all()
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def notice(self) -> None:
        """Note a change, as the system's own notices do."""
        now = time.monotonic()
        with self._condition:
            if self._last_change is None:
                self._first_change = now
            self._last_change = now
            self._condition.notify_all()

    def _started_observer(self) -> BaseObserver | None:
        from watchdog.observers import Observer  # noqa: PLC0415
        from watchdog.observers.polling import PollingObserver  # noqa: PLC0415

        if not self._use_polling:
            observer = self._try(Observer())
            if observer is not None:
                return observer
            self._use_polling = True
        return self._try(PollingObserver(timeout=_POLLING_S))

    def _try(self, observer: BaseObserver) -> BaseObserver | None:
        from watchdog.events import FileSystemEventHandler  # noqa: PLC0415

        watch = self

        class Handler(FileSystemEventHandler):
            """Hands every change on."""

            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type in _CHANGES:
                    watch.notice()

        try:
            observer.schedule(Handler(), str(self._root), recursive=True)
            observer.start()
        except OSError as error:
            _log.warning("the folder cannot be watched: %s", error.strerror)
            return None
        return observer

    def _run(self) -> None:
        while self._wait_for_quiet():
            self._on_change()

    def _wait_for_quiet(self) -> bool:
        """Return True after a change and a moment of quiet, False when stopped."""
        with self._condition:
            while not self._is_stopped:
                if self._last_change is None:
                    self._condition.wait()
                    continue
                now = time.monotonic()
                due = min(self._last_change + self._quiet_s, self._first_change + _LONGEST_WAIT_S)
                if now >= due:
                    self._last_change = None
                    return True
                self._condition.wait(due - now)
            return False

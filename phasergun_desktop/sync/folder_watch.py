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
# How long a disk that is connected again may go unnoticed.
_LOOK_S = 5.0
# A disk that does not answer must not hold up who closes a project.
_STOP_S = 2.0
# Opening and reading are events too; the sync reads, and would call itself for ever.
_CHANGES = frozenset({"created", "deleted", "modified", "moved", "closed"})

_log = logging.getLogger(__name__)


class FolderWatch:
    """Watches ``root`` from ``start()`` to ``stop()``.

    ``on_change`` is called on a thread of the watch, ``quiet_s`` after the last change. Where
    the system's own notices are not to be had (network disks, too many folders) the folder is
    looked at every few seconds. A folder that goes away, comes back or is another one now (its
    disk is disconnected and connected again) is a change, and is watched anew.
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
        self._is_polling = False
        self._identity: tuple[int, int] | None = None
        self._condition = threading.Condition()
        self._last_change: float | None = None
        self._first_change = 0.0
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._observer: BaseObserver | None = None

    @property
    def is_polling(self) -> bool:
        """Whether the folder is looked at every few seconds instead of being notified."""
        return self._is_polling

    def start(self) -> None:
        """Begin to watch; a folder that cannot be watched is reported in the log only."""
        if self._thread is not None:
            return
        self._watch_root()
        self._thread = threading.Thread(target=self._run, name="folder-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch and its threads; no call of ``on_change`` begins afterwards."""
        with self._condition:
            self._is_stopped = True
            self._condition.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_STOP_S)
        self._end_observer()

    def notice(self) -> None:
        """Note a change, as the system's own notices do."""
        now = time.monotonic()
        with self._condition:
            if self._last_change is None:
                self._first_change = now
            self._last_change = now
            self._condition.notify_all()

    def _watch_root(self) -> None:
        from watchdog.observers import Observer  # noqa: PLC0415
        from watchdog.observers.polling import PollingObserver  # noqa: PLC0415

        self._identity = _identity(self._root)
        self._observer = None if self._use_polling else self._try(Observer())
        self._is_polling = self._observer is None
        if self._observer is None:
            self._observer = self._try(PollingObserver(timeout=_POLLING_S))

    def _end_observer(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            # It waits for its threads, which a disk that does not answer holds.
            end = threading.Thread(target=_end, args=(observer,), name="watch-end", daemon=True)
            end.start()
            end.join(_STOP_S)

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
        while not self._is_stopped:
            if self._wait_for_quiet():
                self._on_change()
            elif _identity(self._root) != self._identity:
                self._end_observer()
                self._watch_root()
                self.notice()

    def _wait_for_quiet(self) -> bool:
        """Return True after a change and a moment of quiet, False when stopped or when a while
        has passed without a change."""
        with self._condition:
            if self._last_change is None:
                self._condition.wait(_LOOK_S)
            while not self._is_stopped and self._last_change is not None:
                now = time.monotonic()
                due = min(self._last_change + self._quiet_s, self._first_change + _LONGEST_WAIT_S)
                if now >= due:
                    self._last_change = None
                    return True
                self._condition.wait(due - now)
            return False


def _end(observer: BaseObserver) -> None:
    observer.stop()
    observer.join()


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells the folder from another one at the same place; None if there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

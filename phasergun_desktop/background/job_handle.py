"""One submitted job as the window's thread sees it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.jobs import Event, Job

COALESCE_MS = 40
# Thousands of events at once must not keep the window from answering.
_LONGEST_DELIVERY_S = 0.02

MakeJob = Callable[[threading.Event], Job[Any]]


class Ending(StrEnum):
    """How a job ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a job: its result, its exception or None."""

    ending: Ending
    value: object = None


class JobHandle(QObject):
    """Signals of one job. It lives on the thread that submitted, so slots run there.

    Order of signals: ``started``, any number of ``event_received``, then exactly one of
    ``succeeded``, ``failed``, ``cancelled``, then ``finished``. Events are delivered in
    batches at most every 40 ms, one signal per event; a batch that takes its receivers longer
    than 20 ms goes on when the window has answered. A job that was cancelled before its
    turn gives ``cancelled`` and ``finished`` alone.
    """

    started = Signal()
    event_received = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()

    # Emitted by the worker; a queued connection carries it to the handle's own thread.
    _woken = Signal()

    def __init__(
        self, make_job: MakeJob, parent: QObject, *, ends_itself: bool, must_run: bool
    ) -> None:
        super().__init__(parent)
        self.must_run = must_run
        self._make_job = make_job
        self._ends_itself = ends_itself
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._events: deque[Event] = deque()
        self._has_started = False
        self._started_sent = False
        self._outcome: Outcome | None = None
        self._wake_pending = False
        self._done = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    @property
    def is_done(self) -> bool:
        """Whether ``finished`` was emitted; safe to ask at any time."""
        return self._done

    @property
    def is_stopping(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask the job to stop; returns at once, also when the job is long over."""
        self._stop.set()

    # Called on the worker's thread -----------------------------------------------------

    def run_job(self) -> None:
        """Run the job to its end on the calling thread and post what happens."""
        if self._stop.is_set():
            self._post_outcome(Outcome(Ending.CANCELLED))
            return
        with self._lock:
            self._has_started = True
            self._wake()
        try:
            outcome = self._drive(self._make_job(self._stop))
        except Cancelled:
            outcome = Outcome(Ending.CANCELLED)
        except BaseException as error:  # noqa: BLE001 - a panic of Rust code is no Exception
            outcome = Outcome(Ending.FAILED, error)
        self._post_outcome(outcome)

    def _drive(self, job: Job[Any]) -> Outcome:
        while True:
            try:
                event = next(job)
            except StopIteration as stop:
                return Outcome(Ending.SUCCEEDED, stop.value)
            with self._lock:
                self._events.append(event)
                self._wake()
            if self._stop.is_set() and not self._ends_itself:
                # Closing here, on the worker, runs the job's own ``finally`` and rolls back.
                job.close()
                return Outcome(Ending.CANCELLED)

    def _post_outcome(self, outcome: Outcome) -> None:
        with self._lock:
            self._outcome = outcome
            self._wake()

    def _wake(self) -> None:
        """Emit ``_woken`` unless that was done. The caller holds the lock: whoever sees the
        outcome may delete this handle, so the worker's last emit must be over by then."""
        if not self._wake_pending:
            self._wake_pending = True
            self._woken.emit()

    # Called on the handle's thread -----------------------------------------------------

    def deliver_now(self) -> None:
        """Deliver what has come so far before this returns, where no event loop will."""
        self._on_woken()
        while self._timer.isActive():
            self._timer.stop()
            self._deliver()

    def _on_woken(self) -> None:
        with self._lock:
            self._wake_pending = False
            over = self._outcome is not None
            waiting = bool(self._events)
            begins = self._has_started and not self._started_sent
            if begins:
                self._started_sent = True
        if begins:
            self.started.emit()
        if over:
            self._timer.stop()
            self._deliver()
        elif waiting and not self._timer.isActive():
            self._timer.start(COALESCE_MS)

    def _deliver(self) -> None:
        until = time.monotonic() + _LONGEST_DELIVERY_S
        while True:
            with self._lock:
                outcome = self._outcome
                event = self._events.popleft() if self._events else None
            if event is None:
                break
            self.event_received.emit(event)
            if time.monotonic() >= until:
                self._timer.start(0)
                return
        if outcome is None or self._done:
            return
        self._done = True
        if outcome.ending is Ending.SUCCEEDED:
            self.succeeded.emit(outcome.value)
        elif outcome.ending is Ending.FAILED:
            self.failed.emit(outcome.value)
        else:
            self.cancelled.emit()
        self.finished.emit()

"""One thread with one queue of jobs; jobs of a runner never overlap."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread

from phasergun_desktop.background.job_handle import JobHandle, MakeJob
from phasergun_desktop.jobs import Job


class _Worker(QThread):
    """Takes one handle after the other; None ends the thread."""

    def __init__(self, jobs: queue.SimpleQueue[JobHandle | None], parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs

    def run(self) -> None:
        """Work until None comes."""
        while (handle := self._jobs.get()) is not None:
            handle.run_job()


class JobRunner(QObject):
    """Runs jobs one after the other on a thread of its own, in the order of submission."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: queue.SimpleQueue[JobHandle | None] = queue.SimpleQueue()
        self._handles: list[JobHandle] = []
        self._is_closed = False
        self._worker = _Worker(self._jobs, self)
        self._worker.setObjectName(name)
        self._worker.start()

    @property
    def name(self) -> str:
        """What this runner is for."""
        return str(self._worker.objectName())

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or waits."""
        return bool(self._handles)

    def submit(
        self, make_job: MakeJob, *, ends_itself: bool = False, must_run: bool = False
    ) -> JobHandle:
        """Queue the job that ``make_job`` builds on the worker, with the flag that stops it.

        A cancelled job is closed at its next event; with ``ends_itself`` it is left to
        return by itself, since its partial result is wanted. One that ``must_run`` has its turn
        even when everything else is cancelled: what it writes is nowhere else.
        """
        handle = JobHandle(make_job, self, ends_itself=ends_itself, must_run=must_run)
        self._handles.append(handle)
        # A bound method of a QObject on this thread: the slot runs here, not on the worker.
        handle.finished.connect(self._on_finished)
        if self._is_closed:
            handle.cancel()
        self._jobs.put(handle)
        return handle

    def submit_call(self, call: Callable[[], Any], *, must_run: bool = False) -> JobHandle:
        """Queue a plain function; its result is the result of the job. See ``submit``."""

        def make_job(_stop: threading.Event) -> Job[Any]:
            yield from ()  # makes this a generator
            return call()

        return self.submit(make_job, must_run=must_run)

    def cancel_all(self) -> None:
        """Ask every job that runs or waits to stop, but for those that must run."""
        for handle in self._handles:
            if not handle.must_run:
                handle.cancel()

    def shutdown(self, timeout_ms: int) -> bool:
        """Cancel all, let the thread do what must be done and end, wait; False if it is late
        (it goes on)."""
        if not self._is_closed:
            self._is_closed = True
            self.cancel_all()
            self._jobs.put(None)
        return self._worker.wait(timeout_ms)

    def _on_finished(self) -> None:
        for handle in [one for one in self._handles if one.is_done]:
            self._handles.remove(handle)
            handle.deleteLater()

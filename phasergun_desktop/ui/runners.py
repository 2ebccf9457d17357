"""The four threads of the window, each with its own queue of jobs."""

from __future__ import annotations

from PySide6.QtCore import QObject

from phasergun_desktop.background.job_runner import JobRunner

SHUTDOWN_MS = 8000


class Runners:
    """``indexing`` alone writes the index, ``answering`` alone uses the language model, and
    ``interactive`` is for what the writer waits for: plans, searches, pages, saves. ``models`` is
    for what may take minutes beside the writing: fetching, checking and reaching models, and
    copying files into a project."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.indexing = JobRunner("indexing", parent)
        self.answering = JobRunner("answering", parent)
        self.interactive = JobRunner("interactive", parent)
        self.models = JobRunner("models", parent)

    @property
    def every(self) -> tuple[JobRunner, ...]:
        """All of them."""
        return (self.indexing, self.answering, self.interactive, self.models)

    def shutdown(self) -> tuple[str, ...]:
        """Stop everything and wait; return the names of those that are late."""
        for runner in self.every:
            runner.shutdown(0)
        return tuple(runner.name for runner in self.every if not runner.shutdown(SHUTDOWN_MS))

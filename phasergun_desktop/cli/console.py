"""What the command line prints, and where: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import Event, Job, Progress, run_to_end

ResultT = TypeVar("ResultT")
_PROGRESS_EVERY_S = 5.0
_LAST_EVENTS = ("complete", "error")


class Console:
    """Prints for one command. ``stop_requested`` is set by Ctrl-C while ``can_stop``."""

    def __init__(self, *, wants_json: bool, streams: bool = False) -> None:
        self.wants_json = wants_json
        self.streams = streams
        self.stop_requested = False
        self.can_stop = False
        self._result: dict[str, object] | None = None
        self._warnings: list[str] = []
        self._last_progress = 0.0
        self._line_is_open = False

    def result(self, value: dict[str, object]) -> None:
        """Keep the one JSON object of this command, in place of an earlier one.

        It is printed by ``print_result``, when nothing can go wrong any more.
        """
        self._result = value

    def print_result(self) -> None:
        """Print the object of ``result``, if there is one."""
        if self._result is not None:
            told = self._with_warnings(self._result)
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
        sys.stdout.flush()

    def stream(self, event: str, **fields: object) -> None:
        """Print one JSON line; the last one has the warnings."""
        if event in _LAST_EVENTS:
            fields = self._with_warnings(fields)
        sys.stdout.write(json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def say(self, text: str = "") -> None:
        """Print a line of the result for people."""
        self._end_line()
        sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Print a remark that is not part of the result."""
        self._end_line()
        sys.stderr.write(text + "\n")

    def warn(self, text: str) -> None:
        """Print a warning, with ``--json`` as one of the ``warnings`` of the result."""
        if self.wants_json or self.streams:
            self._warnings.append(text)
        else:
            self.note(f"warning: {text}")

    def problem(self, error: PhaserGunError) -> None:
        """Print one sentence with its remedy."""
        self.note(f"{error.title}: {error.message} {error.remedy}".strip())

    def run(self, job: Job[ResultT], on_event: Callable[[Event], None] | None = None) -> ResultT:
        """Run ``job``, showing its progress; Ctrl-C closes it and raises KeyboardInterrupt. Where
        ``on_event`` shows what the job does instead, Ctrl-C asks it to stop."""
        self.can_stop = True
        try:
            return run_to_end(job, on_event or self._show_or_stop)
        finally:
            self.can_stop = False
            job.close()
            self._end_line()

    def _show_or_stop(self, event: Event) -> None:
        if self.stop_requested:
            raise KeyboardInterrupt
        self.progress(event)

    def progress(self, event: Event) -> None:
        """Show how far a job is: a line that renews itself on a terminal, else one now and then."""
        if not isinstance(event, Progress):
            return
        now = time.monotonic()
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{_in_words(event)[:110]}")
            sys.stderr.flush()
            self._line_is_open = True
        elif self._last_progress == 0.0:
            # Whatever ends within this time needs no progress.
            self._last_progress = now
        elif now - self._last_progress > _PROGRESS_EVERY_S:
            self._last_progress = now
            sys.stderr.write(_in_words(event) + "\n")

    def _with_warnings(self, value: dict[str, object]) -> dict[str, object]:
        if not self._warnings:
            return value
        own = value.get("warnings", [])
        told = [*self._warnings, *(own if isinstance(own, list) else [])]
        return {**value, "warnings": list(dict.fromkeys(told))}

    def _end_line(self) -> None:
        if self._line_is_open:
            sys.stderr.write("\r\x1b[K")
            self._line_is_open = False


def _in_words(event: Progress) -> str:
    if not event.total:
        return f"{event.what} {event.detail}".rstrip()
    if event.unit == "bytes":
        count = f"{event.done / 1e6:,.0f} of {event.total / 1e6:,.0f} MB"
    else:
        count = f"{event.done} of {event.total} {event.unit}".rstrip()
    return f"{event.what} {count} {event.detail}".rstrip()

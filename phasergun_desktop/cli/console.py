"""What the command line prints, and where: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
import time
from typing import TypeVar

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import Event, Job, Progress

ResultT = TypeVar("ResultT")


class Console:
    """Prints for one command. ``stop_requested`` is set by Ctrl-C while ``can_stop``."""

    def __init__(self, *, wants_json: bool, streams: bool = False) -> None:
        self.wants_json = wants_json
        self.streams = streams
        self.stop_requested = False
        self.can_stop = False
        self._last_progress = 0.0
        self._line_is_open = False

    def result(self, value: dict[str, object]) -> None:
        """Print the one JSON object of this command."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def stream(self, event: str, **fields: object) -> None:
        """Print one JSON line."""
        sys.stdout.write(json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def say(self, text: str = "") -> None:
        """Print a line of the result for people."""
        self._end_line()
        sys.stdout.write(text + "\n")

    def write(self, text: str) -> None:
        """Print a piece of text that streams."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print a remark that is not part of the result."""
        self._end_line()
        sys.stderr.write(text + "\n")

    def problem(self, error: PhaserGunError) -> None:
        """Print one sentence with its remedy."""
        self.note(f"{error.title}: {error.message} {error.remedy}".strip())

    def run(self, job: Job[ResultT]) -> ResultT:
        """Run ``job``, showing its progress; Ctrl-C closes it and raises KeyboardInterrupt."""
        try:
            while True:
                try:
                    event = next(job)
                except StopIteration as stop:
                    result: ResultT = stop.value
                    return result
                self.progress(event)
        finally:
            job.close()
            self._end_line()

    def progress(self, event: Event) -> None:
        """Show how far a job is: a line that renews itself on a terminal, else one now and then."""
        if not isinstance(event, Progress):
            return
        of = f" of {event.total}" if event.total else ""
        count = f" {event.done}{of} {event.unit}".rstrip() if event.total else ""
        text = f"{event.what}{count} {event.detail}".rstrip()
        now = time.monotonic()
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text[:110]}")
            sys.stderr.flush()
            self._line_is_open = True
        elif now - self._last_progress > 5:
            self._last_progress = now
            sys.stderr.write(text + "\n")

    def _end_line(self) -> None:
        if self._line_is_open:
            sys.stderr.write("\r\x1b[K")
            self._line_is_open = False

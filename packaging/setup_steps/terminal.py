"""What the set-up says while it works: one line per step, with progress that overwrites itself."""

from __future__ import annotations

import shutil
import sys
import time

# Where lines cannot be overwritten (a log), progress is said only this often.
QUIET_SECONDS = 15.0


class SetupError(Exception):
    """A step failed; ``message`` is one sentence, ``remedy`` says what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def megabytes(size_bytes: float) -> str:
    """A size for people: ``3.2 MB`` or ``412 MB``."""
    size = size_bytes / 1e6
    return f"{size:.1f} MB" if size < 10 else f"{size:,.0f} MB"


def duration(seconds: float) -> str:
    """A time for people: ``7 s`` or ``4 min 05 s``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


class Rate:
    """Bytes a second over the last few seconds."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, int]] = []

    def text(self, done_bytes: int) -> str:
        """Note ``done_bytes`` and return e.g. ``12.1 MB/s`` ("" before anything is known)."""
        now = time.monotonic()
        self._seen = [(at, done) for at, done in self._seen if now - at < 5.0]
        self._seen.append((now, done_bytes))
        start, first = self._seen[0]
        if now - start < 0.5 or done_bytes <= first:
            return ""
        return f"{megabytes((done_bytes - first) / (now - start))}/s"


class Terminal:
    """Writes steps and their progress to standard output."""

    def __init__(self) -> None:
        self._live = sys.stdout.isatty()
        self._said = time.monotonic()
        self._shown = False

    def progress(self, text: str) -> None:
        """Show how far the present step is; on a screen the line is overwritten."""
        now = time.monotonic()
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            sys.stdout.write("\r\x1b[K  " + text[: width - 2])
            sys.stdout.flush()
            self._shown = True
        elif now - self._said >= QUIET_SECONDS:
            self._said = now
            print("  " + text, flush=True)

    def say(self, text: str) -> None:
        """Write one line that stays."""
        if self._shown:
            sys.stdout.write("\r\x1b[K")
            self._shown = False
        self._said = time.monotonic()
        print(text, flush=True)

    def done(self, text: str) -> None:
        """Write the line of a step that is complete."""
        self.say(f"✓ {text}" if _can_write("✓") else f"ok: {text}")

    def warn(self, text: str) -> None:
        """Write a line that the user should read."""
        self.say(f"! {text}")


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True

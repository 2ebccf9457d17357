"""Running another program: its output in a log, its progress on the screen, Ctrl-C respected."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from setup_steps.terminal import Rate, SetupError, Terminal, duration, megabytes

POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Command:
    """One program to run. ``remedy`` is what the user can do when it fails.

    ``watched`` is a folder into which the program downloads: its growth is the progress.
    """

    title: str
    words: Sequence[str]
    log: Path
    remedy: str
    folder: Path | None = None
    environment: Mapping[str, str] | None = None
    watched: Path | None = None


def _bytes_below(folder: Path) -> int:
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(base) / name).stat().st_size
    return total


def last_words(log: Path) -> str:
    """The line of a log that says most about why a program failed."""
    try:
        text = log.read_text("utf-8", errors="replace")
    except OSError:
        return "it said nothing"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    full = [line for line in lines if "No space left" in line]
    return (full or errors or lines or ["it said nothing"])[-1][:200]


def run(command: Command, terminal: Terminal) -> float:
    """Run to the end and return the seconds it took. Raises ``SetupError``."""
    command.log.parent.mkdir(parents=True, exist_ok=True)
    started, rate = time.monotonic(), Rate()
    with command.log.open("wb") as output:
        try:
            process = subprocess.Popen(
                list(command.words),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=command.folder,
                env={**os.environ, **(command.environment or {})},
                # A group of its own, so that the compilers it starts can be ended with it.
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise SetupError(f"{command.words[0]} cannot be started.", command.remedy) from error
        try:
            while process.poll() is None:
                parts = [command.title]
                if command.watched is not None:
                    size = _bytes_below(command.watched)
                    parts += [megabytes(size), rate.text(size)]
                parts.append(duration(time.monotonic() - started))
                terminal.progress(", ".join(part for part in parts if part))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
        finally:
            _end(process)
    if process.returncode != 0:
        raise SetupError(
            f"{command.title} failed: {last_words(command.log)}",
            f"{command.remedy} The whole output is in {command.log}.",
        )
    return time.monotonic() - started


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program that still runs, with everything that it has started."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""Reads documents in a warm child process, which a bad file can hang or kill without harm."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

from phasergun_desktop.documents.codec import Json, from_json, loads
from phasergun_desktop.documents.isolated.child import CHILD_ARGUMENT
from phasergun_desktop.documents.isolated.frames import read_frame, write_frame
from phasergun_desktop.documents.isolated.isolation import DEFAULT_MEMORY_BYTES
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.protocol import (
    PageImage,
    ReadingOptions,
    ReadingProgress,
    ReadingTools,
)
from phasergun_desktop.errors import DocumentError, DocumentProblem

_START_SECONDS = 60.0
_STOP_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How long and how large a file may be read: ``seconds`` plus ``seconds_per_mb`` each MB."""

    seconds: float = 60.0
    seconds_per_mb: float = 1.0
    memory_bytes: int = DEFAULT_MEMORY_BYTES

    def for_size(self, size_bytes: int) -> float:
        """Return the time in seconds that a file of ``size_bytes`` gets."""
        return self.seconds + self.seconds_per_mb * size_bytes / 1_048_576


def child_command(memory_bytes: int) -> list[str]:
    """Return the command that starts the child: a module, or the frozen program itself.

    A frozen program must hand ``--document-child`` on to ``documents.isolated.child.main``.
    """
    start = [sys.executable]
    if getattr(sys, "frozen", False):
        start.append(CHILD_ARGUMENT)
    else:
        # -P: a module in the current folder must not take the place of one of ours.
        start.extend(["-P", "-m", "phasergun_desktop.documents.isolated.child"])
    return [*start, "--memory-bytes", str(memory_bytes)]


class ChildProcessReader:
    """A DocumentReader with one child process, started on first use and again after a crash.

    Safe to call from several threads; calls wait for one another. Use one instance for
    indexing and another for page images, so that a page never waits for a long document.
    """

    def __init__(
        self, limits: ReadingLimits | None = None, tools: ReadingTools | None = None
    ) -> None:
        self._limits = limits or ReadingLimits()
        self._tools = tools or ReadingTools()
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """The id of the running child, None while there is none."""
        child = self._child
        return child.process_id if child is not None else None

    def warm(self) -> None:
        """Start the child now, so that the first document does not wait for it."""
        with self._lock:
            self._running_child()

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``. Raises DocumentError with a sentence and a remedy.

        ``on_progress`` is called on this thread.
        """
        request: Json = {"request": "parse", "path": str(path), **_sent(options)}
        with self._lock:
            _, payload = self._ask(request, path, on_progress)
            try:
                return from_json(loads(payload))
            except (ValueError, IndexError, RecursionError) as error:
                self._drop_child()
                raise _stopped(path) from error

    def render_page(
        self, path: Path, page: int, scale: float, options: ReadingOptions | None = None
    ) -> PageImage:
        """Render page ``page`` (from 1) at ``scale`` pixels per point. Raises DocumentError."""
        request: Json = {"request": "render", "path": str(path), **_sent(options)}
        request.update(page=page, scale=scale)
        with self._lock:
            header, payload = self._ask(request, path)
        width, height = header.get("width"), header.get("height")
        if not isinstance(width, float) or not isinstance(height, float):
            raise _stopped(path)
        return PageImage(payload, width, height)

    def close(self) -> None:
        """End the child, also in the middle of a document; the reader is of no use afterwards."""
        self._closed = True
        child = self._child
        if child is not None:
            # Without the lock: a thread that waits for an answer holds it and is woken by this.
            child.stop()
        with self._lock:
            self._drop_child()

    def _ask(
        self,
        request: Json,
        path: Path,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> tuple[Json, bytes]:
        del on_progress
        child = self._running_child()
        try:
            size = path.stat().st_size
        except OSError:
            size = 0  # the child says in its own sentence why the file cannot be opened
        seconds = self._limits.for_size(size)
        try:
            answer = child.ask(request, seconds)
        except TimeoutError as error:
            self._drop_child()
            raise DocumentError(
                "Reading took too long",
                f"{path.name} was not read within {seconds:.0f} seconds.",
                "Open it in its own program and save it again, or split it.",
            ) from error
        if answer is None:
            self._drop_child()
            raise _stopped(path)
        header, payload = answer
        if header.get("ok") is not True:
            title, message, remedy = (
                str(header.get(name, "")) for name in ("title", "message", "remedy")
            )
            raise DocumentError(title, message, remedy, _problem(header.get("problem")))
        return header, payload

    def _running_child(self) -> _Child:
        if self._closed:
            raise DocumentError("Reader closed", "The reader of documents was closed.", "")
        if self._child is None or not self._child.is_alive():
            self._drop_child()
            self._child = _Child(self._limits.memory_bytes)
            if not self._child.wait_until_ready(_START_SECONDS):
                self._drop_child()
                raise DocumentError(
                    "Reader did not start",
                    "The process that reads documents could not be started.",
                    "Start the application again; if it stays, reinstall it.",
                )
        return self._child

    def _drop_child(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None


class _Child:
    """One child process and the thread that takes its answers."""

    def __init__(self, memory_bytes: int) -> None:
        package_root = str(Path(__file__).resolve().parents[3])
        environment = dict(os.environ)
        if not getattr(sys, "frozen", False):
            known = environment.get("PYTHONPATH")
            parts = [package_root, *([known] if known else [])]
            environment["PYTHONPATH"] = os.pathsep.join(parts)
        # numpy and friends reserve memory per thread; one is enough for a parser.
        environment.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            child_command(memory_bytes),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._stdin = cast("BinaryIO", self._process.stdin)
        self._answers: queue.SimpleQueue[tuple[Json, bytes] | None] = queue.SimpleQueue()
        self._stop_lock = threading.Lock()
        self._thread = threading.Thread(
            target=_collect, args=(self._process.stdout, self._answers), daemon=True
        )
        self._thread.start()
        # Without a reference to self: an unused child can be collected, and then ends too.
        self._end = weakref.finalize(self, _kill, self._process)

    @property
    def process_id(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def wait_until_ready(self, seconds: float) -> bool:
        try:
            return self._answers.get(timeout=seconds) is not None
        except queue.Empty:
            return False

    def ask(self, request: Json, seconds: float) -> tuple[Json, bytes] | None:
        """Send a request; None where the child died. Raises TimeoutError."""
        try:
            write_frame(self._stdin, request)
        except (OSError, ValueError):
            return None
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None

    def stop(self) -> None:
        """Kill the process and wait for it; nothing of it is worth keeping."""
        with self._stop_lock:
            self._end()
            self._thread.join(_STOP_SECONDS)


def _collect(
    stream: IO[bytes] | None, answers: queue.SimpleQueue[tuple[Json, bytes] | None]
) -> None:
    """Put the child's messages into ``answers``; None when it ends or says nonsense."""
    while stream is not None:
        try:
            frame = read_frame(cast("BinaryIO", stream))
        except (ValueError, OSError):
            frame = None
        answers.put(frame)
        if frame is None:
            return


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a child for good: kill, reap, close the pipes."""
    if process.poll() is None:
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                continue  # what was still unwritten has no reader any more


def _stopped(path: Path) -> DocumentError:
    return DocumentError(
        "Reading stopped",
        f"Reading {path.name} ended unexpectedly; the file is damaged or too large.",
        "Open it in its own program and save it again.",
    )


def _problem(value: object) -> DocumentProblem:
    try:
        return DocumentProblem(str(value or ""))
    except ValueError:
        return DocumentProblem.OTHER


def _sent(options: ReadingOptions | None) -> Json:
    found = options or ReadingOptions()
    return {"languages": found.languages, "passwords": list(found.passwords)}

"""Reads documents in a warm child process, which a bad file can hang or kill without harm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.document_codec import Json, encoded, from_bytes
from phasergun_desktop.documents.document_reader import (
    PageImage,
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.isolated.isolation import DEFAULT_MEMORY_BYTES
from phasergun_desktop.documents.isolated.process import Child, TimeLeft
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import DocumentError, DocumentProblem

_START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How long and how large a file may be read: ``seconds`` plus ``seconds_per_mb`` each MB.

    A page whose text is recognised brings ``seconds_per_recognised_page`` of its own, which
    lapse when the next page begins.
    """

    seconds: float = 60.0
    seconds_per_mb: float = 1.0
    seconds_per_recognised_page: float = 60.0
    memory_bytes: int = DEFAULT_MEMORY_BYTES

    def for_size(self, size_bytes: int) -> float:
        """Return the time in seconds that a file of ``size_bytes`` gets."""
        return self.seconds + self.seconds_per_mb * size_bytes / 1_048_576


class ChildProcessReader:
    """A DocumentReader with one child process, started on first use and again after a crash.

    Safe to call from several threads; calls wait for one another. Use one instance for
    indexing and another for page images, so that a page never waits for a long document.
    """

    def __init__(self, limits: ReadingLimits | None = None, tesseract: str = "") -> None:
        self._limits = limits or ReadingLimits()
        self._tesseract = tesseract
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._closed = False

    def use_tesseract(self, tesseract: str) -> None:
        """Use the program at this path (empty: none) from the next document on."""
        # Where nothing changes, a document that is still being read holds nobody up.
        if tesseract != self._tesseract:
            with self._lock:
                self._tesseract = tesseract
                self._drop_child()

    @property
    def process_id(self) -> int | None:
        """The id of the running child, None while there is none."""
        child = self._child
        return child.process_id if child is not None else None

    @property
    def isolation(self) -> frozenset[str]:
        """What keeps the child apart here, as ``isolate`` names it; empty while there is none."""
        child = self._child
        return child.isolation if child is not None else frozenset()

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
        with self._lock:
            _, payload = self._ask({"request": "parse"}, path, options, on_progress)
            try:
                return from_bytes(payload)
            except (ValueError, IndexError, RecursionError) as error:
                self._replace_child()
                raise _stopped(path) from error

    def render_page(
        self, path: Path, page: int, scale: float, options: ReadingOptions | None = None
    ) -> PageImage:
        """Render page ``page`` (from 1) at ``scale`` pixels per point. Raises DocumentError."""
        request: Json = {"request": "render", "page": page, "scale": scale}
        with self._lock:
            header, payload = self._ask(request, path, options)
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
        options: ReadingOptions | None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> tuple[Json, bytes]:
        child = self._running_child()
        try:
            size = path.stat().st_size
        except OSError:
            size = 0  # the child says in its own sentence why the file cannot be opened
        seconds = self._limits.for_size(size)
        time_left = TimeLeft(seconds, self._limits.seconds_per_recognised_page)
        try:
            sent = {"path": str(path.absolute()), "options": encoded(options or ReadingOptions())}
            answer = child.ask({**request, **sent}, time_left, on_progress)
        except TimeoutError as error:
            self._replace_child()
            raise _too_slow(path, seconds, time_left) from error
        if answer is None:
            if self._closed:
                raise _closed()
            self._replace_child()
            raise _stopped(path)
        header, payload = answer
        if header.get("ok") is not True:
            if header.get("spent") is True:
                self._replace_child()
            title, message, remedy = (
                str(header.get(name, "")) for name in ("title", "message", "remedy")
            )
            raise DocumentError(title, message, remedy, _problem(header.get("problem")))
        return header, payload

    def _running_child(self) -> Child:
        if self._closed:
            raise _closed()
        if self._child is None or not self._child.is_alive():
            self._drop_child()
            self._child = self._start()
        if not self._child.wait_until_ready(_START_SECONDS):
            self._drop_child()
            if self._closed:
                raise _closed()
            raise DocumentError(
                "Reader did not start",
                "The process that reads documents could not be started.",
                "Start the application again; if it stays, reinstall it.",
                DocumentProblem.UNREACHABLE,
            )
        return self._child

    def _start(self) -> Child:
        try:
            return Child(self._limits.memory_bytes, self._tesseract)
        except OSError as error:
            raise DocumentError(
                "Reader did not start",
                "The process that reads documents could not be started"
                f" ({error.strerror or 'system error'}).",
                "Close other programs or make room on the disk, then try again.",
                DocumentProblem.UNREACHABLE,
            ) from error

    def _replace_child(self) -> None:
        """End the child and start another, which gets ready while nobody waits for it."""
        self._drop_child()
        if not self._closed:
            with suppress(DocumentError):
                self._child = self._start()

    def _drop_child(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None


def _stopped(path: Path) -> DocumentError:
    return DocumentError(
        "Reading stopped",
        f"Reading {path.name} ended unexpectedly; the file is damaged or too large.",
        "Open it in its own program and save it again.",
        DocumentProblem.DAMAGED,
    )


def _closed() -> DocumentError:
    return DocumentError(
        "Reader closed", "The reader of documents was closed.", "", DocumentProblem.UNREACHABLE
    )


def _too_slow(path: Path, seconds: float, time_left: TimeLeft) -> DocumentError:
    where = f"{path.name} was not read within {seconds:.0f} seconds."
    if time_left.page:
        where = f"Recognising the text of {path.name} took too long (page {time_left.page})."
    return DocumentError(
        "Reading took too long",
        where,
        "Open it in its own program and save it again, or split it.",
        DocumentProblem.TOO_SLOW,
    )


def _problem(value: object) -> DocumentProblem:
    try:
        return DocumentProblem(str(value or ""))
    except ValueError:
        return DocumentProblem.OTHER

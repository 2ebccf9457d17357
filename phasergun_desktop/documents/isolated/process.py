"""One child process: started, asked while its document has time left, and ended with everything
that it has started."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from phasergun_desktop.documents.document_codec import Json
from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.documents.isolated.child import CHILD_ARGUMENT
from phasergun_desktop.documents.isolated.messages import read_frame, write_frame
from phasergun_desktop.documents.isolated.scratch import Scratch
from phasergun_desktop.paths import child_start

# Even a child that a document has taken over cannot ask for more.
MAX_PAGES = 5_000
_STOP_SECONDS = 2.0
_ORDERLY_SECONDS = 0.5
# What the child and its programs may know of the user's environment: no keys, no session.
_PASSED_ON = (
    "PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "HOME", "TZ",
    "PYTHONHOME", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE",
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS",
    "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
)  # fmt: skip

Answer = tuple[Json, bytes]


class TimeLeft:
    """The clock of one document, in seconds.

    A page that is recognised has ``page_seconds`` of its own, used before the document's
    ``seconds``; what the page does not use lapses. There are as many such pages as the document
    has, ``MAX_PAGES`` at most.
    """

    def __init__(
        self, seconds: float, page_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._page_seconds = page_seconds
        self._clock = clock
        self._since = clock()
        self._allowance = 0.0
        self._recognised = 0
        self._page = 0

    @property
    def page(self) -> int:
        """The page that is being recognised, 0 where it is none."""
        return self._page

    def now(self) -> float:
        """Return how long to wait for the next word of the child; 0 or less: no longer."""
        return self._seconds + self._allowance - (self._clock() - self._since)

    def note(self, progress: ReadingProgress) -> None:
        """Begin another page."""
        now = self._clock()
        self._seconds -= max(0.0, now - self._since - self._allowance)
        self._since, self._allowance, self._page = now, 0.0, 0
        if progress.recognised:
            self._page = progress.page
            self._recognised += 1
            if self._recognised <= min(progress.pages, MAX_PAGES):
                self._allowance = self._page_seconds


def child_command(memory_bytes: int, tesseract: str, scratch: str = "") -> list[str]:
    """Return the command that starts the child: a module, or the frozen program itself.

    A frozen program must hand ``--document-child`` on to ``documents.isolated.child.main``.
    """
    start = child_start(CHILD_ARGUMENT, "phasergun_desktop.documents.isolated.child")
    start.extend(["--memory-bytes", str(memory_bytes)])
    for name, value in (("--scratch", scratch), ("--tesseract", tesseract)):
        if value:
            start.append(f"{name}={value}")
    return start


def child_environment() -> dict[str, str]:
    """Return what the child gets of this process's environment, and what makes it find us."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if not getattr(sys, "frozen", False):
        package_root = str(Path(__file__).resolve().parents[3])
        known = os.environ.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([package_root, *([known] if known else [])])
    # numpy and friends reserve memory per thread; one is enough for a parser. The file names in
    # a document's folder are UTF-8, also where the desktop's language is not set.
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT"), "1")
    return {**environment, **one_thread, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


class Child:
    """One child process, its scratch folder, and the thread that takes its answers.

    It is starting when the constructor returns. Raises OSError where it cannot be started.
    """

    def __init__(self, memory_bytes: int, tesseract: str) -> None:
        scratch = Scratch()
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                child_command(memory_bytes, tesseract, str(scratch.path)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=scratch.path,
                env=child_environment(),
                # A group of its own, by which the programs that it starts are ended with it.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            scratch.remove()
            raise
        self._stdin = cast("BinaryIO", self._process.stdin)
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._ready: Json | None = None
        self._stop_lock = threading.Lock()
        self._thread = threading.Thread(
            target=_collect,
            args=(self._process.stdout, self._answers),
            name="document-child",
            daemon=True,
        )
        self._thread.start()
        # Without a reference to self: an unused child can be collected, and then ends too.
        self._end = weakref.finalize(self, _end, self._process, scratch)

    @property
    def process_id(self) -> int:
        """The id of the process that reads; its group has the id of the one that was started."""
        found = (self._ready or {}).get("process")
        return found if isinstance(found, int) else self._process.pid

    @property
    def isolation(self) -> frozenset[str]:
        """What keeps the process apart, as ``isolate`` names it; empty until it is ready."""
        found = (self._ready or {}).get("isolation")
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def wait_until_ready(self, seconds: float) -> bool:
        """Wait until the parsers are loaded; False where it ends or takes longer."""
        if self._ready is None:
            try:
                answer = self._answers.get(timeout=seconds)
            except queue.Empty:
                return False
            self._ready = None if answer is None else answer[0]
        return self._ready is not None

    def ask(
        self,
        request: Json,
        time_left: TimeLeft,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> Answer | None:
        """Send a request and wait for its answer; None where the child died.

        ``on_progress`` is called on this thread. Raises TimeoutError.
        """
        try:
            write_frame(self._stdin, request)
        except (OSError, ValueError):
            return None
        while True:
            seconds = time_left.now()
            if seconds <= 0:
                raise TimeoutError
            try:
                answer = self._answers.get(timeout=seconds)
            except queue.Empty:
                raise TimeoutError from None
            progress = None if answer is None else _progress_in(answer[0])
            if progress is None:
                return answer
            time_left.note(progress)
            if on_progress is not None:
                on_progress(progress)

    def stop(self) -> None:
        """Kill the process and what it has started; nothing of it is worth keeping."""
        with self._stop_lock:
            self._end()
            self._thread.join(_STOP_SECONDS)


def _progress_in(header: Json) -> ReadingProgress | None:
    if header.get("progress") is not True:
        return None
    page, pages = header.get("page"), header.get("pages")
    if not isinstance(page, int) or not isinstance(pages, int):
        page = pages = 0
    return ReadingProgress(page, pages, header.get("recognised") is True)


def _collect(stream: IO[bytes] | None, answers: queue.SimpleQueue[Answer | None]) -> None:
    """Put the child's messages into ``answers``; None when it ends or says nonsense."""
    while stream is not None:
        try:
            frame = read_frame(cast("BinaryIO", stream))
        except (ValueError, OSError):
            frame = None
        answers.put(frame)
        if frame is None:
            return


def _end(process: subprocess.Popen[bytes], scratch: Scratch) -> None:
    """End a child for good: kill it with its group, reap it, close the pipes, remove its files.

    On Windows the job that the child has made ends what it started.
    """
    if sys.platform == "win32":
        with suppress(OSError):
            process.kill()
    else:
        # A program may have left the group; while the child lives it can be found.
        others = _descendants(process.pid) if process.poll() is None else []
        # Politely first: a child in two parts ends in order then, any other one at once.
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_ORDERLY_SECONDS)
        # Also where the child itself is dead: a program that it started may not be.
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        for each in others:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was still unwritten has no reader any more
                stream.close()
    scratch.remove()


def _descendants(process_id: int) -> list[int]:
    """Return the ids of the children of ``process_id``, of their children, and so on. Not for
    Windows, where a job object ends what belongs together."""
    import psutil  # noqa: PLC0415 - needed at the end only

    with suppress(psutil.Error):
        return [each.pid for each in psutil.Process(process_id).children(recursive=True)]
    return []

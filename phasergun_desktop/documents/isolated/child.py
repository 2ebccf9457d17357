"""The process that reads documents: takes requests from stdin, answers on stdout."""

from __future__ import annotations

import argparse
import faulthandler
import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from phasergun_desktop.documents.document_codec import Json, decoded, encoded, to_bytes
from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.isolated.isolation import (
    DEFAULT_MEMORY_BYTES,
    isolate,
    separate,
)
from phasergun_desktop.documents.isolated.messages import read_frame, write_frame
from phasergun_desktop.errors import DocumentError, DocumentProblem

# The first argument of a frozen build that asks for this process instead of the window.
CHILD_ARGUMENT = "--document-child"
# The parent ends a document in time; this is for a child whose parent was killed meanwhile.
_LONGEST_SILENCE_S = 3600.0

Request = tuple[Json, bytes]
Report = Callable[[ReadingProgress], None]


def main(arguments: list[str] | None = None) -> int:
    """Answer requests until stdin ends, which it does when the parent is gone."""
    parser = argparse.ArgumentParser(prog="phasergun-document-child")
    parser.add_argument("--memory-bytes", type=int, default=DEFAULT_MEMORY_BYTES)
    parser.add_argument("--scratch", default="")
    parser.add_argument("--tesseract", default="")
    options = parser.parse_args(arguments)
    # No thread runs yet. What tesseract writes in between is private too.
    os.umask(0o077)
    apart = separate()
    source, answers = _take_streams()
    _load_parsers()
    _use_scratch(options.scratch)
    limits = isolate(
        options.memory_bytes,
        programs=[options.tesseract],
        writable=[Path(options.scratch)] if options.scratch else [],
    )
    # Deep but finite: recursion in a parser ends as an error, not as a crash.
    sys.setrecursionlimit(2_000)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, requests, options.scratch), daemon=True).start()
    effects: list[object] = [*apart, *limits]
    write_frame(answers, {"ready": True, "process": _process_id(), "isolation": effects})

    def report(progress: ReadingProgress) -> None:
        _watch_for_silence()
        write_frame(answers, {"progress": True, **encoded(progress)})

    while True:
        header, _ = requests.get()
        _watch_for_silence()
        answer, payload = _answer(header, options.tesseract, report)
        faulthandler.cancel_dump_traceback_later()
        try:
            write_frame(answers, answer, payload)
        except OSError:
            return 0


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for us alone: what a library prints must not mix with answers."""
    source = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return source, answers


def _process_id() -> int:
    """Return the id of this process as others see it: in a space of its own it is another."""
    try:
        return int(Path("/proc/self").readlink().name)
    except (OSError, ValueError):
        return os.getpid()


def _load_parsers() -> None:
    """Load the native parsers while nothing is asked yet, and before rights are taken away."""
    import pdfplumber.table  # noqa: F401, PLC0415
    import PIL.PngImagePlugin  # noqa: F401, PLC0415
    import pypdfium2.raw  # noqa: F401, PLC0415

    import phasergun_desktop.documents.parser  # noqa: PLC0415
    import phasergun_desktop.documents.pdf.page_rendering  # noqa: F401, PLC0415


def _use_scratch(scratch: str) -> None:
    """Keep temporary files, also those of the programs, where the parent removes them."""
    if scratch:
        tempfile.tempdir = scratch
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP", "HOME", "USERPROFILE"), scratch))


def _listen(source: BinaryIO, requests: queue.SimpleQueue[Request], scratch: str) -> None:
    """Hand requests on; end the process when the parent is gone, even while parsing."""
    while True:
        try:
            frame = read_frame(source)
        except (ValueError, OSError):
            frame = None
        if frame is None:
            _end(scratch)
        else:
            requests.put(frame)


def _end(scratch: str) -> None:
    """End this process and the programs that it has started; nobody else removes its files."""
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
    # In a space of its own the kernel does it. Else only where the group is ours: whoever starts
    # the child otherwise is not to be ended.
    if sys.platform != "win32" and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _watch_for_silence() -> None:
    """End this process, even from inside native code, if it is not heard of for an hour."""
    # It tells where it was; file 1 leads nowhere (see _take_streams).
    faulthandler.dump_traceback_later(_LONGEST_SILENCE_S, exit=True, file=1)


def _answer(header: Json, tesseract: str, report: Report) -> Request:
    try:
        return _perform(header, tesseract, report)
    except Exception as error:  # noqa: BLE001 - the boundary of one document
        # Whatever a parser raises ends this file alone.
        told = error if isinstance(error, DocumentError) else _told(error)
        return {
            "ok": False,
            "title": told.title,
            "message": told.message,
            "remedy": told.remedy,
            "problem": told.problem.value,
            # What is left of a process without memory is not fit for another document.
            "spent": isinstance(error, MemoryError),
        }, b""


def _told(error: Exception) -> DocumentError:
    """Return what the user is told of an error that no parser has a sentence for."""
    if isinstance(error, MemoryError):
        return DocumentError(
            "Too large to read",
            "Reading the file takes more memory than is allowed.",
            "Split it into several files.",
            DocumentProblem.TOO_LARGE,
        )
    if isinstance(error, RecursionError):
        return DocumentError(
            "Damaged file",
            "The file is nested too deeply.",
            "Save it again from its source.",
            DocumentProblem.DAMAGED,
        )
    # A number of the system's tells that the disk was full or away; what libraries say of damaged
    # content has none.
    if isinstance(error, OSError) and error.errno is not None:
        return DocumentError(
            "Unreadable file",
            f"The file could not be read to its end ({error.strerror}).",
            "Make room on the disk and check the connection to it.",
            DocumentProblem.UNREACHABLE,
        )
    return DocumentError(
        "Damaged file",
        f"The file cannot be read; it seems to be damaged ({type(error).__name__}).",
        "Open it in the program it comes from and save it again.",
        DocumentProblem.DAMAGED,
    )


def _perform(header: Json, tesseract: str, report: Report) -> Request:
    path = Path(str(header.get("path", "")))
    options = decoded(header.get("options"), ReadingOptions)
    match header.get("request"):
        case "parse":
            from phasergun_desktop.documents.parser import parse_file  # noqa: PLC0415

            return {"ok": True}, to_bytes(parse_file(path, options, tesseract, report))
        case "render":
            from phasergun_desktop.documents.pdf.page_rendering import render_page_image  # noqa: PLC0415

            page, scale = header.get("page"), header.get("scale")
            if not isinstance(page, int) or not isinstance(scale, int | float):
                raise DocumentError("No page image", "The request is not valid.", "")
            image = render_page_image(path, page, float(scale), passwords=options.passwords)
            return {"ok": True, "width": image.width, "height": image.height}, image.png
        case _:
            raise DocumentError("Unknown request", "The request is not known.", "")


if __name__ == "__main__":
    sys.exit(main())

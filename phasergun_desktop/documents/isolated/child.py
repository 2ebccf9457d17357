"""The process that reads documents: takes requests from stdin, answers on stdout."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from phasergun_desktop.documents.codec import Json, dumps, to_json
from phasergun_desktop.documents.isolated.frames import read_frame, write_frame
from phasergun_desktop.documents.isolated.isolation import DEFAULT_MEMORY_BYTES, isolate
from phasergun_desktop.errors import DocumentError, DocumentProblem

# The first argument of a frozen build that asks for this process instead of the window.
CHILD_ARGUMENT = "--document-child"

Request = tuple[Json, bytes]


def main(arguments: list[str] | None = None) -> int:
    """Answer requests until stdin ends, which it does when the parent is gone."""
    parser = argparse.ArgumentParser(prog="phasergun-document-child")
    parser.add_argument("--memory-bytes", type=int, default=DEFAULT_MEMORY_BYTES)
    options = parser.parse_args(arguments)
    source, answers = _take_streams()
    _load_parsers()
    isolate(options.memory_bytes)
    # Deep but finite: recursion in a parser ends as an error, not as a crash.
    sys.setrecursionlimit(2_000)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    write_frame(answers, {"ready": True})
    while True:
        header, _ = requests.get()
        answer, payload = _answer(header)
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


def _load_parsers() -> None:
    """Load the native parsers while nothing is asked yet, and before rights are taken away."""
    import pdfplumber.table  # noqa: F401, PLC0415
    import PIL.PngImagePlugin  # noqa: F401, PLC0415
    import pypdfium2.raw  # noqa: F401, PLC0415

    import phasergun_desktop.documents.parser  # noqa: PLC0415
    import phasergun_desktop.documents.pdf.rendering  # noqa: F401, PLC0415


def _listen(source: BinaryIO, requests: queue.SimpleQueue[Request]) -> None:
    """Hand requests on; end the process when the parent is gone, even while parsing."""
    while True:
        try:
            frame = read_frame(source)
        except (ValueError, OSError):
            frame = None
        if frame is None:
            os._exit(0)
        requests.put(frame)


def _answer(header: Json) -> Request:
    try:
        return _perform(header)
    except DocumentError as error:
        return _failure(error.title, error.message, error.remedy, error.problem), b""
    except MemoryError:
        return _failure(
            "Too large to read",
            "Reading the file takes more memory than is allowed.",
            "Split it into several files.",
        ), b""
    except RecursionError:
        return _failure(
            "Damaged file", "The file is nested too deeply.", "Save it again from its source."
        ), b""
    except Exception as error:  # noqa: BLE001 - the boundary of one document
        # Whatever a parser raises ends this file alone.
        detail = type(error).__name__
        return _failure(
            "Damaged file",
            f"The file cannot be read; it seems to be damaged ({detail}).",
            "Open it in the program it comes from and save it again.",
        ), b""


def _perform(header: Json) -> Request:
    path = Path(str(header.get("path", "")))
    match header.get("request"):
        case "parse":
            from phasergun_desktop.documents.parser import parse_file  # noqa: PLC0415

            return {"ok": True}, dumps(to_json(parse_file(path)))
        case "render":
            from phasergun_desktop.documents.pdf.rendering import render_page_image  # noqa: PLC0415

            page, scale = header.get("page"), header.get("scale")
            if not isinstance(page, int) or not isinstance(scale, int | float):
                raise DocumentError("No page image", "The request is not valid.", "")
            image = render_page_image(path, page, float(scale))
            return {"ok": True, "width": image.width, "height": image.height}, image.png
        case _:
            raise DocumentError("Unknown request", "The request is not known.", "")


def _failure(
    title: str, message: str, remedy: str, problem: DocumentProblem = DocumentProblem.OTHER
) -> Json:
    return {
        "ok": False,
        "title": title,
        "message": message,
        "remedy": remedy,
        "problem": problem.value,
    }


if __name__ == "__main__":
    sys.exit(main())

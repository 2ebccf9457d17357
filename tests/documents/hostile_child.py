"""The child process with a parser that does what the document says, for tests of its limits."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.documents import parser
from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.isolated import child
from phasergun_desktop.documents.model import DocumentMetadata, ParsedDocument

_AF_INET, _STREAM = 2, 1
_SEIZE = 0x4206  # looks into a process without stopping it


def act(
    path: Path,
    options: ReadingOptions | None = None,
    tesseract: str = "",
    report: Callable[[ReadingProgress], None] | None = None,
) -> ParsedDocument:
    """Do what the first word of the file says; return what came of it as a document."""
    assert options is not None
    assert report is not None
    word, _, rest = path.read_text("utf-8").partition(" ")
    text = ""
    match word:
        case "abort":
            os.abort()
        case "crash":
            ctypes.string_at(0)
        case "exit":
            os._exit(0)
        case "nonsense":
            os.write(4, b"x" * 4096)
            os.write(5, b"x" * 4096)
            time.sleep(60)
        case "sleep":
            time.sleep(3600)
        case "busy":
            # Holds the interpreter: no other thread of this process gets a turn.
            re.match(r"(a+)+$", "a" * 64 + "b")
        case "eat":
            hoard = []
            while True:
                hoard.append(bytes(50_000_000))
        case "program":
            # In a session of its own, as the helpers of a program might be.
            subprocess.Popen([tesseract, "3600"], start_new_session=True)
            if rest == "crash":
                ctypes.string_at(0)
            time.sleep(3600)
        case "pages":
            text = _recognise(*(float(each) for each in rest.split()), report=report)
        case "tried":
            text = _try(Path(rest))
        case "options":
            text = f"{options.languages} {' '.join(options.passwords)}"
        case _:
            text = f"{word} {rest}".strip()
    metadata = DocumentMetadata(title=os.environ.get("HOME", ""))
    return ParsedDocument("txt", "text/plain", text, (), metadata, "")


def _recognise(
    pages: float, seconds: float, recognised: float, *, report: Callable[[ReadingProgress], None]
) -> str:
    for page in range(1, int(pages) + 1):
        report(ReadingProgress(page, int(pages), recognised=bool(recognised)))
        time.sleep(seconds)
    return "all pages"


def _try(folder: Path) -> str:
    """Return what is possible from here that should not be."""
    libc = ctypes.CDLL(None, use_errno=True)
    possible = []
    try:
        (folder / "written.txt").write_text("x", "utf-8")
        possible.append("write")
    except OSError:
        pass
    try:
        subprocess.run(["/bin/true"], check=False)
        possible.append("start")
    except OSError:
        pass
    # Not through Python, which an audit hook guards.
    if libc.socket(_AF_INET, _STREAM, 0) >= 0:
        possible.append("socket")
    if libc.kill(ctypes.c_int(int(folder.name)), 0) == 0:
        possible.append("signal")
    if libc.ptrace(_SEIZE, int(folder.name), None, None) == 0:
        possible.append("trace")
    return " ".join(possible)


if __name__ == "__main__":
    parser.parse_file = act
    sys.exit(child.main())

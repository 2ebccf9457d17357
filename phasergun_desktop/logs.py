"""The log file of the program itself: rotated, without text of documents, quiet about itself."""

from __future__ import annotations

import copy
import errno
import logging
import traceback
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.paths import private_file, private_folder

LOG_FILE = "phasergun.log"
_MAX_BYTES = 2_000_000
_KEPT_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
_PACKAGE = Path(__file__).resolve().parent
# Of an endless recursion the beginning and the end tell all.
_OUTERMOST_FRAMES, _INNERMOST_FRAMES = 20, 20
_LONGEST_CHAIN = 20


def traceback_without_text(error: BaseException) -> str:
    """Return where ``error`` and its causes came about, without what they say.

    Messages of exceptions quote what was being read (``JSONDecodeError``, ``KeyError``, SQLite's
    "Could not decode to UTF-8 column … with text …"), and that is the user's. Only what no input
    can choose is told: types, places in the program, the titles of our own errors, the system's
    words for an error number.
    """
    parts = [_one_error(each, link) for each, link in _with_causes(error)]
    return "\n".join(reversed(parts))


def _with_causes(error: BaseException) -> Iterator[tuple[BaseException, str]]:
    """Yield ``error``, its cause, the cause's cause, each with the words that lead to the next."""
    seen: set[int] = set()
    link = ""
    found: BaseException | None = error
    while found is not None and id(found) not in seen and len(seen) < _LONGEST_CHAIN:
        seen.add(id(found))
        yield found, link
        if found.__cause__ is not None:
            found, link = found.__cause__, "\nThis was the cause of:\n"
        elif not found.__suppress_context__:
            found, link = found.__context__, "\nWhile this was handled, there was:\n"
        else:
            found = None


def _one_error(error: BaseException, link: str) -> str:
    frames = [
        f"  File {_place(frame.f_code.co_filename)}, line {line}, in {frame.f_code.co_qualname}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    left_out = len(frames) - _OUTERMOST_FRAMES - _INNERMOST_FRAMES
    if left_out > 0:
        frames[_OUTERMOST_FRAMES:-_INNERMOST_FRAMES] = [f"  … {left_out} more …"]
    lines = ["Traceback (most recent call last):", *frames, _name_of(error)]
    if isinstance(error, BaseExceptionGroup):
        for number, each in enumerate(error.exceptions[:_LONGEST_CHAIN], start=1):
            lines += [f"  Part {number}:", traceback_without_text(each)]
    return "\n".join(lines) + link


def _place(file: str) -> str:
    """Return a program file without the folders that name the user."""
    path = Path(file)
    if path.is_relative_to(_PACKAGE.parent):
        return path.relative_to(_PACKAGE.parent).as_posix()
    return "/".join(path.parts[-3:])


def _name_of(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__
    if kind.__module__ != "builtins":
        name = f"{kind.__module__}.{name}"
    if isinstance(error, PhaserGunError):
        return f"{name}: {error.title}"
    if isinstance(error, OSError) and error.errno is not None:
        # The name of a file can be text of a document that was taken for one.
        return f"{name}: {errno.errorcode.get(error.errno, error.errno)}"
    return name


class _WithoutText(logging.Formatter):
    """Writes what our own code says in fixed words, and of errors where they came about.

    What a library says is its own affair and may quote anything: of it only the place is kept.
    """

    def format(self, record: logging.LogRecord) -> str:
        # Another handler may have put the whole traceback into the record already.
        bare = copy.copy(record)
        bare.exc_text = bare.stack_info = None
        if not record.name.startswith((_PACKAGE.name, "__main__")):
            place = _place(record.pathname)
            bare.msg = "a message of a library, which is not kept (%s:%d)"
            bare.args = (place, record.lineno)
        elif isinstance(record.args, tuple):
            bare.args = tuple(
                _name_of(each) if isinstance(each, BaseException) else each for each in record.args
            )
        return super().format(bare)

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's name
        error = ei[1] if isinstance(ei, tuple) else None
        return traceback_without_text(error) if isinstance(error, BaseException) else ""


class _QuietFileHandler(RotatingFileHandler):
    """A full disk or a file kept open by another process must not disturb the writer's work."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        del record

    def close(self) -> None:
        # What is still unwritten is written first.
        with suppress(OSError):
            super().close()

    def _open(self) -> TextIOWrapper:
        private_file(Path(self.baseFilename))
        return super()._open()


def start_logging(folder: Path, *, level: int = logging.INFO) -> logging.Handler:
    """Send the program's log to ``folder`` and return the handler for ``stop_logging``.

    Text of documents is logged at DEBUG only, and DEBUG is never the default. Where the folder
    cannot be written the log goes nowhere: the product works without it.
    """
    handler: logging.Handler
    try:
        private_folder(folder)
        handler = _QuietFileHandler(
            folder / LOG_FILE, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(_WithoutText(_FORMAT))
    # On the handler too: a library may log at DEBUG through the root logger.
    handler.setLevel(level)
    root = logging.getLogger()
    root.addHandler(handler)
    if root.level == logging.NOTSET or root.level > level:
        root.setLevel(level)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    """Detach and close a handler of ``start_logging``."""
    logging.getLogger().removeHandler(handler)
    handler.close()

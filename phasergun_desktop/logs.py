"""The log file of the program itself: rotated, quiet about its own troubles."""

from __future__ import annotations

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_FILE = "phasergun.log"
_MAX_BYTES = 2_000_000
_KEPT_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


class _QuietFileHandler(RotatingFileHandler):
    """A full disk or a file kept open by another process must not disturb the writer's work."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        del record

    def close(self) -> None:
        # What is still unwritten is written first.
        with suppress(OSError):
            super().close()


def start_logging(folder: Path, *, level: int = logging.INFO) -> logging.Handler:
    """Send the program's log to ``folder`` and return the handler for ``stop_logging``.

    Text of documents is logged at DEBUG only, and DEBUG is never the default. Where the folder
    cannot be written the log goes nowhere: the product works without it.
    """
    handler: logging.Handler
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = _QuietFileHandler(
            folder / LOG_FILE, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
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

"""The program's own log: written, no document text by default, and never in the way."""

from __future__ import annotations

import errno
import json
import logging
import sqlite3
from io import StringIO
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.logs import LOG_FILE, start_logging, stop_logging, traceback_without_text


def test_info_is_written_and_debug_is_not(tmp_path: Path) -> None:
    handler = start_logging(tmp_path / "logs")
    try:
        logging.getLogger("phasergun_desktop.test").info("indexed %d files", 3)
        logging.getLogger("phasergun_desktop.test").debug("confidential text")
    finally:
        stop_logging(handler)
    text = (tmp_path / "logs" / LOG_FILE).read_text("utf-8")
    assert "indexed 3 files" in text
    assert "confidential" not in text


def test_a_place_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    handler = start_logging(tmp_path / "file")
    try:
        logging.getLogger("phasergun_desktop.test").warning("still here")
    finally:
        stop_logging(handler)


def _logged(tmp_path: Path, error: BaseException, *, name: str = "phasergun_desktop.test") -> str:
    handler = start_logging(tmp_path / "logs")
    # As a second handler would: it keeps the whole traceback in the record.
    other = logging.StreamHandler(StringIO())
    other.setFormatter(logging.Formatter("%(message)s"))
    logging.getLogger().handlers.insert(0, other)
    try:
        logging.getLogger(name).error("It failed: %s", error, exc_info=error)
    finally:
        logging.getLogger().removeHandler(other)
        stop_logging(handler)
    return (tmp_path / "logs" / LOG_FILE).read_text("utf-8")


class _NamedError(StorageError):
    """One of our own, whose message names what it is about."""


def _raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        try:
            if cause is not None:
                raise cause
        finally:
            raise error
    except type(error) as raised:
        raised.add_note("Zebramark note")
        return raised


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("Zebramark"), "KeyError"),
        (json.JSONDecodeError("Zebramark", "Zebramark", 0), "json.decoder.JSONDecodeError"),
        (UnicodeDecodeError("utf-8", b"Zebramark", 0, 1, "Zebramark"), "UnicodeDecodeError"),
        (sqlite3.OperationalError("with text 'Zebramark'"), "sqlite3.OperationalError"),
        (FileNotFoundError(errno.ENOENT, "Zebramark", "Zebramark.md"), "FileNotFoundError: ENOENT"),
        (OSError("Zebramark"), "OSError"),
        (_NamedError("Disk full", "Zebramark", "Zebramark"), "_NamedError: Disk full"),
        (ExceptionGroup("Zebramark", [ValueError("Zebramark")]), "ValueError"),
    ],
)
@pytest.mark.parametrize("cause", [None, ValueError("Zebramark")])
def test_errors_are_logged_without_what_they_say(
    tmp_path: Path, error: BaseException, told: str, cause: BaseException | None
) -> None:
    raised = _raised(error, cause)
    text = _logged(tmp_path, raised)
    assert "zebramark" not in text.lower()
    assert told in text
    assert "tests/test_logs.py, line" in text
    assert "in _raised" in text
    assert ("While this was handled" in text) is (cause is not None)
    assert "zebramark" not in traceback_without_text(raised).lower()


def test_a_library_that_quotes_what_it_reads_is_not_quoted(tmp_path: Path) -> None:
    text = _logged(tmp_path, ValueError("Zebramark"), name="library.of.others")
    assert "zebramark" not in text.lower()
    assert "library.of.others" in text


def test_an_endless_recursion_is_short(tmp_path: Path) -> None:
    def again(text: str) -> str:
        return again(f"{text}Zebramark")

    with pytest.raises(RecursionError) as raised:
        again("")
    text = _logged(tmp_path, raised.value)
    assert "RecursionError" in text
    assert len(text.splitlines()) < 60

"""The program's own log: written, no document text by default, and never in the way."""

from __future__ import annotations

import logging
from pathlib import Path

from phasergun_desktop.logs import LOG_FILE, start_logging, stop_logging


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

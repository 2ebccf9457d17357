"""Bombs: each ends its file alone, with a sentence, and the next document is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.errors import DocumentError
from tests.documents.hostile_files import QUICK, SLOW

_SECONDS = 20.0


@pytest.fixture
def reader() -> Iterator[ChildProcessReader]:
    made = ChildProcessReader(ReadingLimits(seconds=_SECONDS, seconds_per_mb=0.0))
    yield made
    made.close()


@pytest.mark.parametrize(("make", "suffix"), QUICK, ids=lambda each: getattr(each, "__name__", ""))
def test_a_bomb_ends_alone(
    reader: ChildProcessReader, tmp_path: Path, make: Callable[[Path], None], suffix: str
) -> None:
    _survives(reader, tmp_path, make, suffix)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "suffix"), SLOW, ids=lambda each: getattr(each, "__name__", ""))
def test_a_large_bomb_ends_alone(
    reader: ChildProcessReader, tmp_path: Path, make: Callable[[Path], None], suffix: str
) -> None:
    _survives(reader, tmp_path, make, suffix)


def _survives(
    reader: ChildProcessReader, folder: Path, make: Callable[[Path], None], suffix: str
) -> None:
    bomb, text = folder / f"bomb{suffix}", folder / "next.txt"
    make(bomb)
    text.write_text("the next document", "utf-8")
    reader.warm()
    started = time.monotonic()
    try:
        # A part of it may be of use.
        said = reader.parse(bomb).text
    except DocumentError as error:
        said = error.message if error.title else ""
    assert said
    # What another file says may not be in it.
    assert "root:" not in said
    assert time.monotonic() - started < _SECONDS + 5
    assert reader.parse(text).text == "the next document"
    assert reader.process_id is not None
    # Neither a program nor a second child is left.
    child = psutil.Process(reader.process_id)
    assert child.children(recursive=True) == []
    assert child.memory_info().rss < 1 << 30

"""Memory that is free goes back to the system."""

from __future__ import annotations

import sys

import psutil
import pytest

from phasergun_desktop.workspace.free_memory import give_back_memory

_PIECE, _PIECES = 64_000, 800


@pytest.mark.skipif(sys.platform != "linux", reason="other allocators return it by themselves")
def test_what_was_freed_below_something_that_is_used_goes_back() -> None:
    process = psutil.Process()
    pieces = [bytes([1]) * _PIECE for _ in range(_PIECES)]
    last = pieces[-1]
    del pieces
    before = process.memory_info().rss
    give_back_memory()
    assert before - process.memory_info().rss > _PIECE * _PIECES / 2
    assert len(last) == _PIECE

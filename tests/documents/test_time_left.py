"""The clock of one document."""

from __future__ import annotations

from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.documents.isolated.process import MAX_PAGES, TimeLeft


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def recognised(page: int, pages: int) -> ReadingProgress:
    return ReadingProgress(page, pages, recognised=True)


def test_a_recognised_page_brings_time_that_lapses() -> None:
    clock = Clock()
    left = TimeLeft(10, 60, clock)
    clock.now = 4
    assert left.now() == 6
    left.note(recognised(1, 3))
    assert (left.now(), left.page) == (66, 1)
    clock.now = 9
    left.note(recognised(2, 3))
    assert left.now() == 66
    # A page that takes longer uses the document's own time.
    clock.now = 9 + 62
    assert left.now() == 4
    left.note(ReadingProgress(3, 3))
    assert (left.now(), left.page) == (4, 0)


def test_other_pages_bring_nothing() -> None:
    clock = Clock()
    left = TimeLeft(10, 60, clock)
    for page in range(1, 10):
        clock.now = float(page)
        left.note(ReadingProgress(page, 9))
    assert left.now() == 1


def test_no_more_pages_than_there_are() -> None:
    clock = Clock()
    left = TimeLeft(10, 60, clock)
    for _ in range(2):
        left.note(recognised(1, 2))
    assert left.now() == 70
    left.note(recognised(1, 2))
    assert left.now() == 10
    left = TimeLeft(10, 60, clock)
    for _ in range(MAX_PAGES):
        left.note(recognised(1, 10**9))
    assert left.now() == 70
    left.note(recognised(1, 10**9))
    assert left.now() == 10

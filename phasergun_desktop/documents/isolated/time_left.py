"""How long a document may still be read."""

from __future__ import annotations

import time
from collections.abc import Callable

from phasergun_desktop.documents.document_reader import ReadingProgress

# Even a child that a document has taken over cannot ask for more.
MAX_PAGES = 5_000


class TimeLeft:
    """The clock of one document, in seconds.

    A page that is recognised has ``page_seconds`` of its own, used before the document's
    ``seconds``; what the page does not use lapses. There are as many such pages as the document
    has, ``MAX_PAGES`` at most.
    """

    def __init__(
        self, seconds: float, page_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._page_seconds = page_seconds
        self._clock = clock
        self._since = clock()
        self._allowance = 0.0
        self._recognised = 0
        self._page = 0

    @property
    def page(self) -> int:
        """The page that is being recognised, 0 where it is none."""
        return self._page

    def now(self) -> float:
        """Return how long to wait for the next word of the child; 0 or less: no longer."""
        return self._seconds + self._allowance - (self._clock() - self._since)

    def note(self, progress: ReadingProgress) -> None:
        """Begin another page."""
        now = self._clock()
        self._seconds -= max(0.0, now - self._since - self._allowance)
        self._since, self._allowance, self._page = now, 0.0, 0
        if progress.recognised:
            self._page = progress.page
            self._recognised += 1
            if self._recognised <= min(progress.pages, MAX_PAGES):
                self._allowance = self._page_seconds

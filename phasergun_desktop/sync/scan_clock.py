"""When a folder is looked at though nothing has told of a change."""

from __future__ import annotations

import time
from collections.abc import Callable

SCAN_EVERY_S = 600.0
TICK_S = 10.0
_ASLEEP_S = 60.0


class ScanClock:
    """Notices of changes get lost, and none come while the machine sleeps: a folder is looked at
    every ten minutes and after each sleep.

    ``now`` returns seconds of the clock on the wall, which alone goes on in every sleep.
    """

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._asked = self._looked = now()

    def is_due(self) -> bool:
        """Say whether to look at the folder now; asked every ``TICK_S``."""
        asked, self._asked = self._asked, self._now()
        # Also where the clock was set.
        has_slept = not 0 <= self._asked - asked <= _ASLEEP_S
        if has_slept or self._asked - self._looked >= SCAN_EVERY_S:
            self._looked = self._asked
            return True
        return False

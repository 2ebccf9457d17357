"""How much of the machine background work may take."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

TYPING_S = 3.0
_POWER_EVERY_S = 30.0


class Pace:
    """Background work has all ``cores``, one while the writer types or the machine runs on its
    battery, none while ``is_generating``: a language model on this machine writes then.

    ``is_on_battery`` is asked every half minute; ``now`` returns seconds.
    """

    def __init__(
        self,
        cores: int,
        *,
        is_generating: Callable[[], bool],
        is_on_battery: Callable[[], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cores = cores
        self._is_generating = is_generating
        self._is_on_battery = is_on_battery
        self._now = now
        self._typed_at = float("-inf")
        self._asked_at = float("-inf")
        self._has_battery_alone = False

    def typed(self) -> None:
        """Note that the writer has typed something; on any thread."""
        self._typed_at = self._now()

    def lanes(self) -> int:
        """Return how many threads may work now."""
        if self._is_generating():
            return 0
        now = self._now()
        if now - self._asked_at >= _POWER_EVERY_S:
            self._asked_at = now
            self._has_battery_alone = self._is_on_battery()
        return 1 if self._has_battery_alone or now - self._typed_at < TYPING_S else self.cores


def available_cores() -> int:
    """Return on how many processor cores this process may run."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1

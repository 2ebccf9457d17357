"""What was asked a while ago: vectors of queries and results, so that nothing is done twice."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

VECTORS_KEPT_S = 3600.0
RESULTS_KEPT_S = 300.0

ValueT = TypeVar("ValueT")


class QueryCache(Generic[ValueT]):
    """Keeps the last ``size`` values for ``seconds``, and none once the index has another version.
    Safe to use from several threads. ``clock`` gives seconds."""

    def __init__(
        self, seconds: float, size: int = 128, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._size = size
        self._clock = clock
        self._lock = threading.Lock()
        self._version = -1
        self._kept: OrderedDict[Hashable, tuple[float, ValueT]] = OrderedDict()

    def get(self, key: Hashable, version: int, make: Callable[[], ValueT]) -> ValueT:
        """Return the value of ``key`` for ``version`` of the index, made by ``make`` where none is
        kept."""
        now = self._clock()
        with self._lock:
            if version != self._version:
                self._kept.clear()
                self._version = version
            found = self._kept.get(key)
            if found is not None and now - found[0] < self._seconds:
                self._kept.move_to_end(key)
                return found[1]
        value = make()
        with self._lock:
            if version == self._version:
                self._kept[key] = (now, value)
                while len(self._kept) > self._size:
                    self._kept.popitem(last=False)
        return value

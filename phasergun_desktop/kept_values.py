"""The last values of what takes long to make, kept so that nothing is done twice."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class KeptValues(Generic[KeyT, ValueT]):
    """Keeps the values that were used last: as many as weigh ``most`` together, at least one, each
    for ``seconds``, and none once another version is asked for. Safe to use from several threads.

    ``weigh`` gives the weight of a value (each counts 1 without it), ``clock`` seconds.
    """

    def __init__(
        self,
        most: int,
        weigh: Callable[[ValueT], int] = lambda _: 1,
        *,
        seconds: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._weigh = weigh
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._version: object = None
        self._kept: OrderedDict[KeyT, tuple[float, ValueT]] = OrderedDict()
        self._weight = 0

    def get(self, key: KeyT, make: Callable[[], ValueT], version: object = None) -> ValueT:
        """Return the value of ``key`` for ``version`` of what it is made of, made by ``make`` where
        none is kept."""
        value = self.peek(key, version)
        if value is None:
            value = make()
            self.put(key, value, version)
        return value

    def peek(self, key: KeyT, version: object = None) -> ValueT | None:
        """Return the value of ``key`` for ``version``; None where none is kept."""
        with self._lock:
            if version != self._version:
                self._kept.clear()
                self._version, self._weight = version, 0
            since, value = self._kept.get(key, (-math.inf, None))
            if value is None or self._clock() - since >= self._seconds:
                return None
            self._kept.move_to_end(key)
            return value

    def put(self, key: KeyT, value: ValueT, version: object = None) -> None:
        """Keep ``value``, unless another version was asked for since ``peek``."""
        with self._lock:
            if version != self._version:
                return
            if key in self._kept:
                self._weight -= self._weigh(self._kept.pop(key)[1])
            self._kept[key] = (self._clock(), value)
            self._weight += self._weigh(value)
            while self._weight > self._most and len(self._kept) > 1:
                _, (_, oldest) = self._kept.popitem(last=False)
                self._weight -= self._weigh(oldest)

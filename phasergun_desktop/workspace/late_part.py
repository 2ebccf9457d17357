"""A part that is made when it is first needed, once, whichever thread asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

PartT = TypeVar("PartT")


class LatePart(Generic[PartT]):
    """Calls ``make`` at the first ``get``."""

    def __init__(self, make: Callable[[], PartT]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: PartT | None = None

    def get(self) -> PartT:
        """Return the part."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

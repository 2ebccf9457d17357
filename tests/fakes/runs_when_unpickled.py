"""A pickle that does something."""

from __future__ import annotations

from pathlib import Path


class RunsWhenUnpickled:
    """Makes the file ``path`` when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self._path), "w")

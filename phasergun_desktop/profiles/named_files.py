"""Files that are known by their name: those of the product and the user's own."""

from __future__ import annotations

import os
import re
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class NamedFiles:
    """YAML files of two folders. One of the user's outranks the product's of the same name; the
    user's folder may be absent."""

    def __init__(self, shipped: Path, user: Path) -> None:
        self._shipped = shipped
        self._user = user

    def names(self) -> tuple[str, ...]:
        """Return the names of all files, sorted."""
        found = {
            path.stem
            for folder in (self._shipped, self._user)
            if folder.is_dir()
            for path in folder.glob("*.yaml")
            if _NAME.fullmatch(path.stem)
        }
        return tuple(sorted(found))

    def is_own(self, name: str) -> bool:
        """Whether the file of ``name`` is the user's."""
        path = self.path(name)
        return path is not None and path.parent == self._user

    def own_path(self, name: str) -> Path | None:
        """Return where the user's file of ``name`` belongs, None where that is no name."""
        return self._user / f"{name}.yaml" if _NAME.fullmatch(name) else None

    def path(self, name: str) -> Path | None:
        """Return the file of ``name``, None where there is none or it is no name at all."""
        if _NAME.fullmatch(name):
            for folder in (self._user, self._shipped):
                path = folder / f"{name}.yaml"
                # What is no file is told when it is read.
                if os.path.lexists(path):
                    return path
        return None

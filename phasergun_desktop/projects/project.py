"""A project: a folder of the user and the name that the product keeps it under."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import StorageError


@dataclass(frozen=True, slots=True)
class Project:
    """``root`` is the resolved folder, ``project_id`` a UUID that stays when it is renamed;
    ``not_kept`` says why it is one for now only, where nothing can be written."""

    root: Path
    project_id: str
    name: str
    not_kept: StorageError | None = None

"""A project: a folder of the user and the name that the product keeps it under."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Project:
    """``root`` is the resolved folder, ``project_id`` a UUID that stays when it is renamed."""

    root: Path
    project_id: str
    name: str

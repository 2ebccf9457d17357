"""What a sync tells while it runs, and its result."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.index.records import FileRecord
from phasergun_desktop.jobs import Event


@dataclass(frozen=True, slots=True)
class FileChanged(Event):
    """A file has a new state."""

    record: FileRecord


@dataclass(frozen=True, slots=True)
class FileRemoved(Event):
    """A file is no longer in the folder (``file`` is its old name when it was renamed)."""

    file: str


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The folder after a sync: ``indexed`` + ``failed`` + ``skipped`` + ``pending`` files.

    ``changed`` files were read, ``removed`` ones are gone, ``renamed`` ones have a new name;
    ``embedded`` counts the windows that the embedder read. ``warnings`` are sentences on
    categories.yaml, on folders that could not be read and, in ``mended`` too, on damage to the
    index.
    """

    indexed: int
    failed: int
    skipped: int
    removed: int
    cancelled: bool
    seconds: float
    pending: int = 0
    changed: int = 0
    renamed: int = 0
    embedded: int = 0
    warnings: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

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
    index. ``outdated`` documents are as another version has made them: making them anew takes
    ``outdated_s`` seconds, which nobody has allowed yet.
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
    outdated: int = 0
    outdated_s: float = 0.0

    @property
    def asks(self) -> str:
        """The sentence that asks whether what is outdated is to be made anew; empty where nothing
        is."""
        if not self.outdated:
            return ""
        minutes = max(1, round(self.outdated_s / 60))
        return (
            f"Documents that an earlier version of PhaserGun, or other settings, read: "
            f"{self.outdated:,}. Reading them anew takes about {minutes} "
            f"minute{'s' * (minutes > 1)}, beside your work; read the folder again for it (F5, or "
            "“phasergun index”)."
        )

"""What is known of each project, kept beside its drafts: the record of the folder it belongs to."""

from __future__ import annotations

import json
import logging
import os
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from phasergun_desktop.activity.anchor import anchor_beside
from phasergun_desktop.errors import StorageError
from phasergun_desktop.projects.fingerprint import Fingerprint
from phasergun_desktop.storage.atomic_files import write_own_file
from phasergun_desktop.storage.small_files import parse_json, read_small_file

RECORD_FILE = "project.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RegisteredProject:
    """A project that was opened once. ``last_opened`` is ISO 8601 in UTC; ``is_listed`` is False
    once it was forgotten; ``revision`` counts the changes of this record."""

    root: Path
    project_id: str
    name: str
    last_opened: str
    fingerprint: Fingerprint = field(default_factory=Fingerprint)
    is_listed: bool = True
    revision: int = 0

    @property
    def exists(self) -> bool:
        """Whether the folder is there now."""
        return self.root.is_dir()


class ProjectRecords:
    """One file for each project, in the folder of its drafts and log: whoever has these has the
    folder's name too. Records are never deleted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> dict[str, RegisteredProject]:
        """Return every readable record by the project's id."""
        try:
            names = sorted(path.name for path in self._folder.iterdir())
        except OSError:
            return {}
        found = (self._read(name) for name in names)
        return {each.project_id: each for each in found if each is not None}

    def write(self, project: RegisteredProject) -> None:
        """Write the record of ``project``. Raises ``StorageError``."""
        path = self._folder / project.project_id / RECORD_FILE
        write_own_file(path, json.dumps(project_to_json(project), indent=1) + "\n")

    def logged_entries(self, project: RegisteredProject) -> int:
        """Return how many entries the activity log of ``project`` had when it was written last."""
        return anchor_beside(self._folder / project.project_id / RECORD_FILE).read().entries

    def _read(self, name: str) -> RegisteredProject | None:
        path = self._folder / name / RECORD_FILE
        try:
            found = project_from_json(parse_json(read_small_file(path)))
        except FileNotFoundError:
            return None
        except (StorageError, ValueError, KeyError) as error:
            _log.warning("A record of a project was not used: %s", type(error).__name__)
            return None
        # A folder that was copied by hand has the record of another project.
        return found if found.project_id == name else None


def project_to_json(project: RegisteredProject) -> dict[str, object]:
    """Return what is kept of ``project``."""
    return {
        "root": str(project.root),
        "id": project.project_id,
        "name": project.name,
        "last_opened": project.last_opened,
        "device": project.fingerprint.device,
        "inode": project.fingerprint.inode,
        "files": sorted(project.fingerprint.files),
        "listed": project.is_listed,
        "revision": project.revision,
    }


def project_from_json(found: object) -> RegisteredProject:
    """Return the project; raises ``ValueError`` or ``KeyError`` for anything else."""
    if not isinstance(found, dict) or not isinstance(found.get("files", []), list):
        raise ValueError("not a project")
    if b"\0" in os.fsencode(str(found["root"])):
        raise ValueError("not a name of a folder")
    files = found.get("files", [])
    return RegisteredProject(
        root=Path(str(found["root"])),
        # The id becomes the name of a folder: nothing but a UUID may pass.
        project_id=str(uuid.UUID(str(found["id"]))),
        name=str(found["name"]),
        last_opened=str(found["last_opened"]),
        fingerprint=Fingerprint(
            int(str(found.get("device", 0))),
            int(str(found.get("inode", 0))),
            frozenset(str(item) for item in files),
        ),
        is_listed=found.get("listed", True) is not False,
        revision=int(str(found.get("revision", 0))),
    )

"""Which folders are projects of this user, and under which id each is kept."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from phasergun_desktop.errors import ProjectError, StorageError
from phasergun_desktop.projects.fingerprint import Fingerprint, take_fingerprint
from phasergun_desktop.projects.folder_tree import unreadable_folder
from phasergun_desktop.projects.project import Project
from phasergun_desktop.storage.atomic_files import move_aside, write_atomically
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.small_files import UnusableFileError, parse_json, read_small_file

_LOG = logging.getLogger(__name__)
_FORMAT = 1
_SAME_FOLDER_LIKENESS = 0.5
_CANDIDATE_LIKENESS = 0.6
_LOCK_WAIT_S = 5.0
# Four thousand projects with the fingerprints of their files.
_MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class RegisteredProject:
    """A project that was opened once. ``last_opened`` is ISO 8601 in UTC."""

    root: Path
    project_id: str
    name: str
    last_opened: str
    fingerprint: Fingerprint = field(default_factory=Fingerprint)

    @property
    def exists(self) -> bool:
        """Whether the folder is there now."""
        return self.root.is_dir()


class ProjectRegistry:
    """The mapping of folders to ids, a JSON file in the user's data folder.

    Nothing is written into the project folder, so a folder that was moved is known again by
    its place on the disk and its files, or because the user says so (``relink``). Every
    change reads the file again under a lock: several windows may be open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock_path = path.with_name(path.name + ".lock")
        self._thread_lock = threading.Lock()

    def known(self) -> tuple[RegisteredProject, ...]:
        """Return all projects, last opened first."""
        return tuple(sorted(self._read(), key=lambda each: each.last_opened, reverse=True))

    def find(self, root: Path) -> RegisteredProject | None:
        """Return what is known of ``root``, without changing anything."""
        return _find(self._read(), _resolve(root))

    def open(self, root: Path) -> Project:
        """Return the project of ``root`` and note it as opened now; a new folder gets an id.

        A folder that was renamed or moved on its disk keeps its id. Raises ``ProjectError``
        when the folder is missing or unreadable.
        """
        folder = _resolve(root)
        try:
            with os.scandir(folder):
                pass
        except OSError as error:
            raise unreadable_folder(folder, error) from error
        fingerprint = take_fingerprint(folder)
        with self._changing() as entries:
            entry = _find(entries, folder) or _moved(entries, fingerprint)
            if entry is None:
                entry = RegisteredProject(folder, str(uuid.uuid4()), "", "")
            else:
                entries.remove(entry)
            entry = replace(
                entry,
                root=folder,
                name=folder.name or str(folder),
                last_opened=datetime.now(UTC).isoformat(timespec="microseconds"),
                fingerprint=fingerprint,
            )
            entries.append(entry)
        return Project(entry.root, entry.project_id, entry.name)

    def moved_candidates(self, root: Path) -> tuple[RegisteredProject, ...]:
        """Return missing projects that ``root`` looks like, the likest first: to be offered to
        the user for ``relink``, since a copy of a template looks alike too."""
        fingerprint = take_fingerprint(_resolve(root))
        scored = [
            (each.fingerprint.likeness(fingerprint), each)
            for each in self._read()
            if not each.exists
        ]
        likely = [pair for pair in scored if pair[0] >= _CANDIDATE_LIKENESS]
        return tuple(each for _, each in sorted(likely, key=lambda pair: -pair[0]))

    def relink(self, old_root: Path, new_root: Path) -> Project:
        """Say that the project of ``old_root`` is now in ``new_root``; its id stays.

        An id that ``new_root`` may have had is given up. Raises ``ProjectError`` when
        ``old_root`` is unknown or ``new_root`` is not a folder.
        """
        old, new = _resolve(old_root), _resolve(new_root)
        if not new.is_dir():
            raise unreadable_folder(new, FileNotFoundError())
        with self._changing() as entries:
            entry = _find(entries, old)
            if entry is None:
                raise ProjectError(
                    "Project not known",
                    f"{old} was never opened as a project.",
                    "Open the folder where the project is now.",
                )
            entries[:] = [each for each in entries if _key(each.root) not in (_key(old), _key(new))]
            moved = replace(
                entry, root=new, name=new.name or str(new), fingerprint=take_fingerprint(new)
            )
            entries.append(moved)
        return Project(moved.root, moved.project_id, moved.name)

    def forget(self, root: Path) -> str | None:
        """Take ``root`` off the list; return its id, or None if it was not known."""
        folder = _resolve(root)
        with self._changing() as entries:
            entry = _find(entries, folder)
            if entry is None:
                return None
            entries.remove(entry)
        return entry.project_id

    @contextmanager
    def _changing(self) -> Iterator[list[RegisteredProject]]:
        lock = ProjectLock(self._lock_path)
        with self._thread_lock:
            deadline = time.monotonic() + _LOCK_WAIT_S
            while not lock.acquire():
                if time.monotonic() > deadline:
                    raise StorageError(
                        "List of projects busy",
                        "Another window keeps the list of projects busy.",
                        "Close the other window, then try again.",
                    )
                time.sleep(0.01)
            with lock:
                entries = self._read(repair=True)
                before = list(entries)
                yield entries
                if entries != before:
                    write_atomically(self._path, _to_json(entries))

    def _read(self, repair: bool = False) -> list[RegisteredProject]:
        try:
            content = read_small_file(self._path, _MOST_BYTES)
        except FileNotFoundError:
            return []
        except UnusableFileError as error:
            raise StorageError(
                "List of projects not readable", f"{self._path} {error.why}.", error.remedy
            ) from error
        try:
            return _from_json(content)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            # The ids could be wanted again: the damaged file is kept under another name.
            if repair:
                aside = move_aside(self._path)
                _LOG.warning("The list of projects was damaged; it is kept as %s", aside.name)
            return []


def _find(entries: list[RegisteredProject], root: Path) -> RegisteredProject | None:
    return next((each for each in entries if _key(each.root) == _key(root)), None)


def _moved(entries: list[RegisteredProject], fingerprint: Fingerprint) -> RegisteredProject | None:
    """The one missing project that is this very folder under another name.

    Likeness alone is not enough: two projects begun from one template look the same, and one
    project must never see the other's drafts. An inode alone is not either: it is used again.
    """
    found = [
        each
        for each in entries
        if each.fingerprint.is_same_folder(fingerprint)
        and each.fingerprint.likeness(fingerprint) >= _SAME_FOLDER_LIKENESS
        and not each.exists
    ]
    return found[0] if len(found) == 1 else None


def _resolve(root: Path) -> Path:
    try:
        return root.expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        # A loop of links, an unknown "~user", a zero byte in the name.
        raise ProjectError(
            "Project folder not readable",
            "This name does not lead to a folder.",
            "Choose the folder that holds the project.",
        ) from error


def _key(root: Path) -> str:
    return os.path.normcase(root)


def _to_json(entries: list[RegisteredProject]) -> str:
    projects = [
        {
            "root": str(each.root),
            "id": each.project_id,
            "name": each.name,
            "last_opened": each.last_opened,
            "device": each.fingerprint.device,
            "inode": each.fingerprint.inode,
            "files": sorted(each.fingerprint.files),
        }
        for each in entries
    ]
    return json.dumps({"format": _FORMAT, "projects": projects}, indent=1) + "\n"


def _from_json(content: bytes) -> list[RegisteredProject]:
    found = parse_json(content)
    if not isinstance(found, dict):
        raise ValueError("not a list of projects")
    return [
        RegisteredProject(
            root=Path(str(each["root"])),
            # The id becomes the name of a folder: nothing but a UUID may pass.
            project_id=str(uuid.UUID(str(each["id"]))),
            name=str(each["name"]),
            last_opened=str(each["last_opened"]),
            fingerprint=Fingerprint(
                int(each.get("device", 0)),
                int(each.get("inode", 0)),
                frozenset(str(item) for item in each.get("files", [])),
            ),
        )
        for each in found["projects"]
    ]

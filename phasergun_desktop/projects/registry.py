"""Which folders are projects of this user, and under which id each is kept."""

from __future__ import annotations

import json
import logging
import os
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from phasergun_desktop.errors import ProjectError, StorageError
from phasergun_desktop.projects.fingerprint import Fingerprint, take_fingerprint
from phasergun_desktop.projects.folder_tree import unreadable_folder
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.project_records import (
    ProjectRecords,
    RegisteredProject,
    project_from_json,
    project_to_json,
)
from phasergun_desktop.storage.atomic_files import move_aside, write_atomically
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import from_os_error
from phasergun_desktop.storage.small_files import (
    UnreadableFileError,
    UnusableFileError,
    parse_json,
    read_small_file,
)

_LOG = logging.getLogger(__name__)
_FORMAT = 1
_SAME_FOLDER_LIKENESS = 0.5
_CANDIDATE_LIKENESS = 0.6
# Below this, and with another inode, a folder is another one that was made at the same place.
_OTHER_FOLDER_LIKENESS = 0.1
_FEWEST_FILES_TO_TELL = 3
_LOCK_WAIT_S = 5.0
RECORDS_FOLDER = "projects"
# Four thousand projects with the fingerprints of their files.
_MOST_BYTES = 20_000_000


class ProjectRegistry:
    """The mapping of folders to ids: a JSON file in the user's data folder, and the same in the
    folder of each project's drafts, so that either can be lost.

    Nothing is written into the project folder, so a folder that was moved is known again by
    its place on the disk and its files, or because the user says so (``relink``). Every
    change reads the files again under a lock: several windows may be open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._records = ProjectRecords(path.with_name(RECORDS_FOLDER))
        self._lock_path = path.with_name(path.name + ".lock")
        self._thread_lock = threading.Lock()

    def known(self) -> tuple[RegisteredProject, ...]:
        """Return all projects that were not forgotten, last opened first, one for each folder."""
        listed = [each for each in self._read() if each.is_listed]
        by_folder: dict[str, RegisteredProject] = {}
        for each in sorted(listed, key=lambda each: each.last_opened, reverse=True):
            by_folder.setdefault(_key(each.root), each)
        return tuple(by_folder.values())

    def find(self, root: Path) -> RegisteredProject | None:
        """Return what is known of ``root``, forgotten or not, without changing anything."""
        folder = _resolve(root)
        return self._find(self._read(), folder, take_fingerprint(folder))

    def open(self, root: Path, *, as_new: bool = False, is_aside: bool = False) -> Project:
        """Return the project of ``root`` and note it as opened now, unless it is opened ``aside``
        of the one in view; a new folder gets an id, and so does any folder ``as_new``.

        A folder that was renamed or moved on its disk keeps its id, and one that was forgotten
        has it again. Raises ``ProjectError`` when the folder is missing or unreadable.
        """
        folder = _readable_folder(root)
        fingerprint = take_fingerprint(folder)
        with self._changing() as entries:
            entry = None if as_new else self._find(entries, folder, fingerprint)
            if entry is None:
                entry = RegisteredProject(folder, str(uuid.uuid4()), "", "")
            else:
                entries.remove(entry)
            _unlist(entries, folder)
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            entry = replace(
                entry,
                root=folder,
                name=_name(folder),
                last_opened=(entry.last_opened if is_aside else "") or now,
                fingerprint=fingerprint,
                is_listed=True,
                revision=entry.revision + 1,
            )
            entries.append(entry)
        return Project(entry.root, entry.project_id, entry.name)

    def look_up(self, root: Path, problem: StorageError) -> Project:
        """Return the project of ``root`` where ``problem`` keeps the list from being written; a
        folder that is not known has an id for now only. Raises ``ProjectError`` as ``open``."""
        folder = _readable_folder(root)
        entry = self._find(self._read(), folder, take_fingerprint(folder))
        if entry is None:
            return Project(folder, str(uuid.uuid4()), _name(folder), problem)
        return Project(folder, entry.project_id, _name(folder))

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

        An id that ``new_root`` may have had is taken off the list. Raises ``ProjectError`` when
        ``old_root`` is unknown or ``new_root`` is not a folder.
        """
        old, new = _resolve(old_root), _resolve(new_root)
        if not new.is_dir():
            raise unreadable_folder(new, FileNotFoundError())
        with self._changing() as entries:
            entry = self._find(entries, old, Fingerprint())
            if entry is None:
                raise ProjectError(
                    "Project not known",
                    f"{old} was never opened as a project.",
                    "Open the folder where the project is now.",
                )
            entries.remove(entry)
            _unlist(entries, new)
            moved = replace(
                entry,
                root=new,
                name=_name(new),
                fingerprint=take_fingerprint(new),
                is_listed=True,
                revision=entry.revision + 1,
            )
            entries.append(moved)
        return Project(moved.root, moved.project_id, moved.name)

    def forget(self, root: Path) -> tuple[str, ...]:
        """Take ``root`` off the list; return its id, or those of several records of this folder.

        What is known of it stays, so that opening the folder again finds its drafts.
        """
        folder = _resolve(root)
        with self._changing() as entries:
            return _unlist(entries, folder)

    def _find(
        self, entries: list[RegisteredProject], folder: Path, fingerprint: Fingerprint
    ) -> RegisteredProject | None:
        """Return the entry of ``folder``: the one that has moved here, or that of its place.

        Of several, that which resembles the folder; else the one on the list, with most work.
        """
        at_place = [
            each
            for each in entries
            if _key(each.root) == _key(folder) and _may_be(each.fingerprint, fingerprint)
        ]
        moved = _moved(entries, fingerprint)
        is_at_place = any(each.fingerprint.is_same_folder(fingerprint) for each in at_place)
        if not at_place or (moved is not None and not is_at_place):
            return moved
        return max(
            at_place,
            key=lambda each: (
                each.fingerprint.is_same_folder(fingerprint)
                or each.fingerprint.likeness(fingerprint) >= _SAME_FOLDER_LIKENESS,
                each.is_listed,
                self._records.logged_entries(each),
                each.last_opened,
            ),
        )

    @contextmanager
    def _changing(self) -> Iterator[list[RegisteredProject]]:
        lock = ProjectLock(self._lock_path)
        with self._thread_lock:
            if not lock.wait(_LOCK_WAIT_S):
                raise StorageError(
                    "List of projects busy",
                    "Another window keeps the list of projects busy.",
                    "Close the other window, then try again.",
                )
            with lock:
                listed = self._read_list(repair=True)
                recorded = self._records.read()
                entries = _merged(listed, recorded)
                yield entries
                # Those of a list that an older version wrote have no record yet.
                for each in entries:
                    if recorded.get(each.project_id) != each:
                        self._records.write(each)
                if entries != listed:
                    write_atomically(self._path, _to_json(entries))

    def _read(self) -> list[RegisteredProject]:
        return _merged(self._read_list(), self._records.read())

    def _read_list(self, repair: bool = False) -> list[RegisteredProject]:
        try:
            content = read_small_file(self._path, _MOST_BYTES)
        except FileNotFoundError:
            return []
        except UnreadableFileError as error:
            if repair:
                # What cannot be read must not be replaced.
                raise from_os_error(error.cause, self._path) from error
            _LOG.warning("The list of projects cannot be read: %s", type(error.cause).__name__)
            return []
        except UnusableFileError:
            content = b""
        try:
            return _from_json(content)
        except (ValueError, KeyError, TypeError):
            # The ids could be wanted again: the damaged file is kept under another name.
            if repair:
                aside = move_aside(self._path)
                _LOG.warning("The list of projects was damaged; it is kept as %s", aside.name)
            return []


def _merged(
    listed: list[RegisteredProject], recorded: dict[str, RegisteredProject]
) -> list[RegisteredProject]:
    """Return every project once, by the later of its two forms: the list or the record may have
    been lost, or brought back from a backup."""
    merged = dict(recorded)
    for each in listed:
        record = recorded.get(each.project_id)
        if record is None or each.revision > record.revision:
            merged[each.project_id] = each
    return sorted(merged.values(), key=lambda each: each.project_id)


def _unlist(entries: list[RegisteredProject], folder: Path) -> tuple[str, ...]:
    """Take the entries of ``folder`` off the list; they stay known. Return their ids."""
    ids = []
    for place, each in enumerate(entries):
        if each.is_listed and _key(each.root) == _key(folder):
            entries[place] = replace(each, is_listed=False, revision=each.revision + 1)
            ids.append(each.project_id)
    return tuple(ids)


def _may_be(known: Fingerprint, found: Fingerprint) -> bool:
    """Whether the folder at a project's place can be the project's own.

    Only a folder with another inode and other files is not: one project must never see the
    other's drafts. A disk that is not connected leaves an empty folder.
    """
    if not known.inode or not found.inode or known.is_same_folder(found):
        return True
    if min(len(known.files), len(found.files)) < _FEWEST_FILES_TO_TELL:
        return True
    return known.likeness(found) >= _OTHER_FOLDER_LIKENESS


def _moved(entries: list[RegisteredProject], fingerprint: Fingerprint) -> RegisteredProject | None:
    """The one project that is this very folder under another name.

    Likeness alone is not enough: two projects begun from one template look the same, and one
    project must never see the other's drafts. An inode alone is not either: it is used again.
    """
    found = [
        each
        for each in entries
        if each.fingerprint.is_same_folder(fingerprint)
        and each.fingerprint.likeness(fingerprint) >= _SAME_FOLDER_LIKENESS
        and _has_left(each)
    ]
    return found[0] if len(found) == 1 else None


def _has_left(project: RegisteredProject) -> bool:
    """Whether the folder of ``project`` is no longer at its place; another one may be."""
    try:
        status = project.root.stat()
    except OSError:
        return True
    return (status.st_dev, status.st_ino) != (project.fingerprint.device, project.fingerprint.inode)


def _readable_folder(root: Path) -> Path:
    folder = _resolve(root)
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        raise unreadable_folder(folder, error) from error
    return folder


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


def _name(folder: Path) -> str:
    return folder.name or str(folder)


def _to_json(entries: list[RegisteredProject]) -> str:
    projects = [project_to_json(each) for each in entries]
    return json.dumps({"format": _FORMAT, "projects": projects}, indent=1) + "\n"


def _from_json(content: bytes) -> list[RegisteredProject]:
    found = parse_json(content)
    if not isinstance(found, dict):
        raise ValueError("not a list of projects")
    return [project_from_json(each) for each in found["projects"]]

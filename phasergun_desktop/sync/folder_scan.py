"""What is in a project folder now, in an order that does not depend on the disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.convention import FolderConvention, classify
from phasergun_desktop.projects.folder_tree import read_convention, unreadable_folder
from phasergun_desktop.projects.layers import Layer

NOT_REACHED = "the file cannot be read"


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file as it lies on the disk. ``skip_reason`` says why it is not read, empty for one that
    is; one that is hidden (``problem``) has its layer all the same, others that are not read have
    none. ``file`` is relative to the project, with ``/``."""

    file: str
    layer: Layer | None
    skip_reason: str
    size: int
    mtime_ns: int
    problem: DocumentProblem = DocumentProblem.OTHER

    def record(
        self,
        state: FileState,
        reason: str = "",
        problem: DocumentProblem = DocumentProblem.OTHER,
        sha256: str = "",
    ) -> FileRecord:
        """Return what the index has of the file in ``state``."""
        return FileRecord(
            self.file, self.layer, state, reason, self.size, self.mtime_ns, sha256, problem
        )


@dataclass(frozen=True, slots=True)
class FolderScan:
    """All files, sorted by name; ``unreadable`` are folders that could not be looked into,
    ``disks`` those where another disk begins."""

    files: tuple[ScannedFile, ...]
    unreadable: tuple[str, ...] = ()
    disks: tuple[str, ...] = ()

    def may_be_unreachable(self, file: str) -> bool:
        """Whether ``file`` lies in a folder that could not be read, so may still be there."""
        return any(file.startswith(f"{folder}/") for folder in self.unreadable)


def scan_folder(root: Path) -> FolderScan:
    """List every file below ``root``. Raises ``ProjectError`` when ``root`` is unreadable.

    Links to folders are not followed, links that leave the project are not read: what a
    project holds must not depend on what lies outside of it. Both are listed as skipped.
    """
    convention = read_convention(root)
    scanner = _Scanner(root, convention)
    files = sorted(scanner.walk(), key=lambda each: each.file)
    return FolderScan(tuple(files), tuple(sorted(scanner.unreadable)), tuple(sorted(scanner.disks)))


class _Scanner:
    """One walk over a folder."""

    def __init__(self, root: Path, convention: FolderConvention) -> None:
        self._root = root
        self._real_root = root.resolve()
        self._convention = convention
        self.unreadable: list[str] = []
        self.disks: list[str] = []

    def walk(self) -> Iterator[ScannedFile]:
        """Yield the files in any order; a stack, since folders may be nested very deeply."""
        folders = [("", self._real_root.stat().st_dev)]
        while folders:
            folder, disk = folders.pop()
            for entry in self._entries(folder):
                relative = f"{folder}/{entry.name}" if folder else entry.name
                if _is_folder(entry):
                    its_disk = _disk_of(entry) or disk
                    if its_disk != disk:
                        self.disks.append(_storable(relative))
                    folders.append((relative, its_disk))
                elif (found := self._file(entry, relative)) is not None:
                    yield found

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._root / folder) as entries:
                return list(entries)
        except OSError as error:
            if not folder:
                raise unreadable_folder(self._root, error) from error
            self.unreadable.append(_storable(folder))
            return []

    def _file(self, entry: os.DirEntry[str], relative: str) -> ScannedFile | None:
        """Return the file; None when it has gone since its folder was listed."""
        name = _storable(relative)
        if name != relative:
            return ScannedFile(name, None, "the file name cannot be read; rename the file", 0, 0)
        reason = self._link_problem(entry)
        try:
            found = entry.stat()
        except FileNotFoundError:
            return ScannedFile(name, None, reason, 0, 0) if reason else None
        except OSError:
            return ScannedFile(name, None, reason or NOT_REACHED, 0, 0)
        if not reason and not stat.S_ISREG(found.st_mode):
            reason = "not a regular file"
        if reason:
            return ScannedFile(name, None, reason, found.st_size, found.st_mtime_ns)
        placement = classify(PurePosixPath(relative), self._convention)
        reason = "" if placement.skip_reason is None else placement.skip_reason.value
        return ScannedFile(name, placement.layer, reason, found.st_size, found.st_mtime_ns)

    def _link_problem(self, entry: os.DirEntry[str]) -> str:
        if not entry.is_symlink():
            return ""
        target = Path(os.path.realpath(entry.path))
        if not target.is_relative_to(self._real_root):
            return "a link to a place outside the project; copy the file here to use it"
        if target.is_dir():
            return "a link to a folder; links to folders are not followed"
        return "" if target.exists() else "a link to a file that is not there"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not entry.is_junction()  # type: ignore[attr-defined,unused-ignore]
    except AttributeError:
        # Junctions (Windows) are told apart from Python 3.12 on.
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _disk_of(entry: os.DirEntry[str]) -> int:
    """Return the number of the disk that a folder lies on, 0 where it is not known (Windows)."""
    try:
        return entry.stat(follow_symlinks=False).st_dev
    except OSError:
        return 0


def _storable(name: str) -> str:
    """Return ``name`` without the bytes that are no text on this file system."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

"""Copies files and folders into a folder of the project, whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.storage.problems import from_os_error
from phasergun_desktop.storage.small_files import is_inside, open_ordinary

# Small enough that even over a slow connection a copy can be stopped between two.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileCopy:
    """A file and where its copy is to be."""

    source: Path
    target: Path

    @property
    def is_there(self) -> bool:
        """Whether a file of this name is there already."""
        return os.path.lexists(self.target)

    @property
    def name_key(self) -> str:
        """What two targets share that are one file where capitals make no difference."""
        return str(self.target).casefold()


@dataclass(frozen=True, slots=True)
class CopyPlan:
    """What is to be copied, which of the targets are there already, and how many files are left
    out because their folder leads out of the project."""

    copies: tuple[FileCopy, ...]
    there: frozenset[Path]
    outside: int


def plan_copies(sources: Iterable[Path], folder: Path, root: Path) -> Job[CopyPlan]:
    """Return the copies that bring ``sources`` into ``folder`` of the project ``root``; folders
    with what is in them, under their own names.

    Hidden files, links and what is no ordinary file are left out, and so is what lies there
    already. Raises ``ProjectError`` for a folder that would be copied into itself.
    """
    if not is_inside(folder, root):
        raise ProjectError(
            "Nothing copied",
            f"{folder.name} leads to a place outside the project.",
            "Choose another folder of the project.",
        )
    made: dict[str, FileCopy] = {}
    outside = 0
    for source in sources:
        if source.is_dir() and is_inside(folder, source):
            raise ProjectError(
                "Nothing copied",
                f"{folder.name} lies inside of {source.name}.",
                "Choose the files in it, not the folder.",
            )
        for place, files in _found(source):
            yield Progress("Looking", len(made), None, "files", place.name)
            target = folder / place.relative_to(source.parent)
            # The project may have a link under the name of a folder that is dropped.
            if not is_inside(target, root):
                outside += len(files)
                continue
            for file in files:
                copy = FileCopy(file, target / file.name)
                if file.resolve() != copy.target.resolve():
                    # Two of one name, from different folders, are both wanted.
                    copy = beside(copy, made) if copy.name_key in made else copy
                    made[copy.name_key] = copy
    copies = tuple(made.values())
    return CopyPlan(copies, frozenset(one.target for one in copies if one.is_there), outside)


def beside(copy: FileCopy, taken: Container[str] = ()) -> FileCopy:
    """Return the copy under a name that is free and whose key is not ``taken``:
    ``report (2).pdf``."""
    number, free = 2, copy
    while free.is_there or free.name_key in taken:
        name = f"{copy.target.stem} ({number}){copy.target.suffix}"
        free = FileCopy(copy.source, copy.target.with_name(name))
        number += 1
    return free


def copy_files(copies: tuple[FileCopy, ...], replaced: frozenset[Path] = frozenset()) -> Job[int]:
    """Copy them, each whole or not at all; only targets in ``replaced`` are replaced. Return how
    many. Raises ``StorageError``."""
    planned = frozenset(one.name_key for one in copies)
    for done, copy in enumerate(copies):
        progress = Progress("Copying", done, len(copies), "files", copy.target.name)
        yield progress
        half = copy.target.with_name(f".{copy.target.name[:40]}.{secrets.token_hex(8)}.tmp")
        try:
            copy.target.parent.mkdir(parents=True, exist_ok=True)
            with open_ordinary(copy.source) as source, half.open("xb") as file:
                while block := source.read(_BLOCK):
                    file.write(block)
                    yield progress
            shutil.copystat(copy.source, half)
            # A file may have come while the writer was asked, or while this one was copied.
            is_new = copy.target not in replaced and copy.is_there
            half.replace(beside(copy, planned).target if is_new else copy.target)
        except OSError as error:
            raise from_os_error(error, copy.target) from error
        finally:
            # Still there when it failed, or was stopped.
            with suppress(OSError):
                half.unlink(missing_ok=True)
    return len(copies)


def _found(source: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Yield every folder of ``source`` with the files in it that are wanted, or the file itself."""
    if not source.is_dir():
        if _is_wanted(source):
            yield source.parent, [source]
        return
    for name, folders, files in os.walk(source):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        place = Path(name)
        yield place, [path for one in sorted(files) if _is_wanted(path := place / one)]


def _is_wanted(path: Path) -> bool:
    is_ours = path.name.startswith((".", "~$"))
    return path.is_file() and not path.is_symlink() and not is_ours

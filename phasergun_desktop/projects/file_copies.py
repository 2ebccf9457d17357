"""Copies files and folders into a folder of the project, whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.storage.problems import from_os_error
from phasergun_desktop.storage.small_files import is_inside


@dataclass(frozen=True, slots=True)
class FileCopy:
    """A file and where its copy is to be."""

    source: Path
    target: Path

    @property
    def is_there(self) -> bool:
        """Whether a file of this name is there already."""
        return os.path.lexists(self.target)


def plan_copies(sources: Iterable[Path], folder: Path, root: Path) -> tuple[FileCopy, ...]:
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
    found: list[FileCopy] = []
    for source in sources:
        if source.is_dir():
            if is_inside(folder, source):
                raise ProjectError(
                    "Nothing copied",
                    f"{folder.name} lies inside of {source.name}.",
                    "Choose the files in it, not the folder.",
                )
            found += [
                FileCopy(file, folder / source.name / file.relative_to(source))
                for file in _files_below(source)
            ]
        elif _is_wanted(source):
            found.append(FileCopy(source, folder / source.name))
    made: dict[Path, FileCopy] = {}
    for one in found:
        if one.source.resolve() != one.target.resolve():
            # Two of one name, from different folders, are both wanted.
            copy = beside(one, frozenset(made)) if one.target in made else one
            made[copy.target] = copy
    return tuple(made.values())


def beside(copy: FileCopy, taken: frozenset[Path] = frozenset()) -> FileCopy:
    """Return the copy under a name that is free: ``report (2).pdf``."""
    number, target = 2, copy.target
    while os.path.lexists(target) or target in taken:
        target = copy.target.with_name(f"{copy.target.stem} ({number}){copy.target.suffix}")
        number += 1
    return FileCopy(copy.source, target)


def copy_files(copies: tuple[FileCopy, ...]) -> Job[int]:
    """Copy them, each whole or not at all; what has a target's name is replaced. Return how many.
    Raises ``StorageError``."""
    for done, copy in enumerate(copies):
        yield Progress("Copying", done, len(copies), "files", copy.target.name)
        half = copy.target.with_name(f".{copy.target.name[:40]}.{secrets.token_hex(8)}.tmp")
        try:
            copy.target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(copy.source, half)
            half.replace(copy.target)
        except OSError as error:
            with suppress(OSError):
                half.unlink(missing_ok=True)
            raise from_os_error(error, copy.target) from error
    return len(copies)


def _files_below(folder: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        yield from (path for one in sorted(files) if _is_wanted(path := Path(name) / one))


def _is_wanted(path: Path) -> bool:
    is_ours = path.name.startswith((".", "~$"))
    return path.is_file() and not path.is_symlink() and not is_ours

"""The convention's folders on the disk: making them, finding them, recognising them."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.convention import (
    CATEGORIES_FILE,
    LAYER_FOLDERS,
    PROMPT_FOLDER,
    PROMPT_NAMES,
    FolderConvention,
    find_convention,
    is_passed_over,
    name_key,
)


def read_convention(root: Path) -> FolderConvention:
    """Look at the folders directly in ``root``. Raises ``ProjectError`` when unreadable."""
    try:
        with os.scandir(root) as entries:
            folders = [entry for entry in entries if entry.is_dir()]
            return find_convention(one.name for one in folders if not _holds_prompts_only(one))
    except OSError as error:
        raise unreadable_folder(root, error) from error


def create_project_tree(root: Path) -> None:
    """Make the folders of the convention in ``root``; what is there already is kept.

    Raises ``ProjectError`` when a folder cannot be made.
    """
    wanted = [folder for _, folder in LAYER_FOLDERS]
    try:
        root.mkdir(parents=True, exist_ok=True)
        for folder in [*wanted, PROMPT_FOLDER]:
            find_folder(root, folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(
            "Project not made",
            f"The folders of the project could not be made in {root} "
            f"({error.strerror or type(error).__name__}).",
            "Choose a place that you may write to.",
        ) from error


def find_folder(root: Path, relative: PurePosixPath) -> Path:
    """Return the folder that ``relative`` means in ``root``, whatever case its names have.

    Where a part is absent the convention's own spelling is used for it and what follows.
    """
    folder = root
    for part in relative.parts:
        folder = _child(folder, part)
    return folder


def prompt_folder(root: Path) -> Path:
    """Return ``Context/Prompt`` of the project; it may be absent."""
    return find_folder(root, PROMPT_FOLDER)


def categories_file(root: Path) -> Path:
    """Return ``Procedures/categories.yaml`` of the project; it may be absent."""
    return find_folder(root, CATEGORIES_FILE)


def unreadable_folder(root: Path, error: OSError) -> ProjectError:
    """Return the sentence for a project folder that cannot be read."""
    if isinstance(error, FileNotFoundError):
        what = f"The folder {root} is not there any more."
        remedy = "Connect the disk that holds it, or choose the folder where it is now."
    elif isinstance(error, NotADirectoryError):
        what = f"{root} is a file, not a folder."
        remedy = "Choose the folder that holds the project."
    else:
        what = f"The folder {root} cannot be read ({error.strerror or type(error).__name__})."
        remedy = "Check that you may open the folder, then try again."
    return ProjectError("Project folder not readable", what, remedy)


def require_content(root: Path) -> None:
    """Raise ``ProjectError`` where the project folder is entirely empty, as the place is where a
    disk or a network folder shows when it is connected."""
    if is_bare(root):
        raise ProjectError(
            "Project folder empty",
            f"There is nothing in {root} any more; what was read of it is kept.",
            "Connect the disk that holds it, or put the documents back.",
        )


def is_bare(folder: Path) -> bool:
    """Whether there is such a folder, with nothing in it."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def _holds_prompts_only(folder: os.DirEntry[str]) -> bool:
    """Whether it is a ``Context`` made for the prompts of a plain folder: it must not leave the
    other files out of the index."""
    if name_key(folder.name) != "context":
        return False
    try:
        names = [one.name for one in Path(folder.path).iterdir() if not is_passed_over(one.name)]
    except OSError:
        return False
    return bool(names) and all(name_key(name) in PROMPT_NAMES for name in names)


def _child(folder: Path, part: str) -> Path:
    exact = folder / part
    if exact.exists():
        return exact
    key = name_key(part)
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError:
        return exact
    return next((folder / name for name in names if name_key(name) == key), exact)

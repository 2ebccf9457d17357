"""The prompts of a project: files in its prompt folder, read when they are used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.encodings import decode_text
from phasergun_desktop.errors import StorageError
from phasergun_desktop.projects.convention import PROMPT_SUFFIXES
from phasergun_desktop.projects.folder_tree import prompt_folder
from phasergun_desktop.projects.project import Project
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.problems import storage_errors
from phasergun_desktop.storage.small_files import is_inside, read_small_file
from phasergun_desktop.workspace.prompt_problems import (
    PromptChangedError,
    no_prompt_error,
    prompt_digest,
    prompt_exists_error,
    prompt_outside_error,
    prompt_stem,
)
from phasergun_desktop.workspace.prompt_titles import file_title


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt of the project; ``file`` is relative to it, ``title`` what a list shows."""

    file: str
    title: str
    text: str

    @property
    def digest(self) -> str:
        """Digest of the text."""
        return prompt_digest(self.text)


class SessionPrompts:
    """Reads and writes the prompts of ``project``; every call is safe on any thread."""

    project: Project

    @property
    def prompt_folder(self) -> Path:
        """The folder of the project's prompts; it may be absent."""
        return prompt_folder(self.project.root)

    def prompts(self) -> tuple[PromptFile, ...]:
        """Return the prompts of the project, sorted by file; read anew each time. What cannot be
        read is left out."""
        folder = self.prompt_folder
        if not is_inside(folder, self.project.root):
            return ()
        try:
            paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in PROMPT_SUFFIXES)
        except OSError:
            return ()
        return tuple(prompt for path in paths if (prompt := self._prompt(path)) is not None)

    def _prompt(self, path: Path) -> PromptFile | None:
        try:
            text = decode_text(read_small_file(path, inside=self.project.root)).text
        except (FileNotFoundError, StorageError):
            # A folder of that name, or a file that is locked: the others are there all the same.
            return None
        return PromptFile(self._relative(path), file_title(path), text.strip())

    def save_prompt(
        self, file: str, text: str, *, is_new: bool = False, before: str = ""
    ) -> PromptFile:
        """Write a prompt; ``file`` is relative to the project and inside its prompt folder.

        ``before`` is the digest of what was loaded, empty for whatever is there. Raises
        ``StorageError``, ``PromptChangedError`` where the file is another one by now, and
        ``ProjectError`` where one that ``is_new`` would replace another.
        """
        path = (self.project.root / file).resolve()
        if not path.is_relative_to(self.prompt_folder.resolve()):
            path = self.prompt_folder / Path(file).name
        if is_new and os.path.lexists(path):
            raise prompt_exists_error(path.name)
        if not is_inside(path, self.project.root):
            raise prompt_outside_error(path.name)
        if before:
            self._check_loaded(path, text, before)
        write_atomically(path, text.rstrip() + "\n", usual_rights=True)
        return PromptFile(self._relative(path), file_title(path), text.strip())

    def _check_loaded(self, path: Path, text: str, before: str) -> None:
        try:
            there = decode_text(read_small_file(path, inside=self.project.root)).text.strip()
        except FileNotFoundError:
            return
        if there != text.strip() and prompt_digest(there) != before:
            raise PromptChangedError(path.name, there)

    def prompt_path(self, file: str) -> Path:
        """Return where the prompt ``file`` lies. Raises ``ProjectError`` for what is no prompt of
        this project: nothing else is moved or deleted."""
        path = self.project.root / file
        is_there = path.is_file() and path.suffix.lower() in PROMPT_SUFFIXES
        if not is_there or not is_inside(path.parent, self.prompt_folder):
            raise no_prompt_error(path.name)
        return path

    def rename_prompt(self, file: str, name: str) -> PromptFile:
        """Give the prompt ``file`` another name in its folder.

        Raises ``ProjectError`` where another prompt has that name or none is given, and
        ``StorageError``.
        """
        path = self.prompt_path(file)
        target = path.with_name(f"{prompt_stem(name)}{path.suffix}")
        # On many disks another case is the same file.
        if os.path.lexists(target) and not (target.exists() and target.samefile(path)):
            raise prompt_exists_error(target.name)
        with storage_errors(path):
            path.rename(target)
        return self._prompt(target) or PromptFile(self._relative(target), file_title(target), "")

    def delete_prompt(self, file: str) -> None:
        """Delete the prompt ``file`` for good. Raises ``ProjectError`` and ``StorageError``."""
        path = self.prompt_path(file)
        with storage_errors(path):
            path.unlink()

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.project.root).as_posix()

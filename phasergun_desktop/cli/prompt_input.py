"""What a command needs before it plans: the project, an index that is up to date, and the
prompt's text."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import PromptError, StorageError
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectInUseError, ProjectSession, PromptFile


@contextmanager
def opened(application: Application, root: Path, console: Console) -> Iterator[ProjectSession]:
    """Open the project for one command, and tell what was not as it should be."""
    with closing(application.workspace.open(root)) as session:
        for warning in session.warnings:
            console.warn(warning)
        yield session


def bring_up_to_date(session: ProjectSession, console: Console) -> None:
    """Index what changed since the last time; with nothing changed this costs milliseconds.

    Where another instance keeps the index, or it cannot be written, what is indexed is used.
    """
    try:
        console.run(session.sync())
    except ProjectInUseError:
        if not session.files():
            raise
    except StorageError as error:
        if not session.files():
            raise
        console.warn(f"The index is used as it is: {error.message} {error.remedy}".rstrip())


def prompt_of(session: ProjectSession, options: Namespace) -> PromptFile:
    """Return the prompt that a command names, an empty one where it names only a template.

    Raises ``PromptError`` as ``read_prompt`` does, ``ProfileError`` for a template that is not
    known or not valid: neither should wait for the index.
    """
    if options.template:
        session.template(options.template)
    if options.prompt_file is None:
        return PromptFile("", options.template, "")
    return read_prompt(session, options.prompt_file)


def read_prompt(session: ProjectSession, file: Path) -> PromptFile:
    """Return the prompt of ``file``: a path, or a name in the project or its prompt folder.

    Raises ``PromptError`` when it is not there, not text, or empty.
    """
    folders = (Path(), session.project.root, session.prompt_folder)
    path = next((each / file for each in folders if (each / file).is_file()), None)
    if path is None:
        raise PromptError(
            "The prompt is not there",
            f"{file} was not found.",
            "Name a file, or one in the project's Context/Prompt folder.",
        )
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(
            "The prompt cannot be read",
            f"{path.name} is not a readable text file.",
            "Save it as UTF-8 text.",
        ) from error
    if not text or "\0" in text:
        raise PromptError(
            "The prompt is empty" if not text else "The prompt cannot be read",
            f"{path.name} has no text." if not text else f"{path.name} is not a text file.",
            "Write what to draft." if not text else "Save it as UTF-8 text.",
        )
    root, full = session.project.root, path.resolve()
    name = full.relative_to(root).as_posix() if full.is_relative_to(root) else path.name
    return PromptFile(name, path.stem, text)

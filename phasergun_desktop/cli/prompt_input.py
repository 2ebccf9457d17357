"""What a command needs before it plans: the project, an index that is up to date, and the
prompt's text."""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import PromptError, StorageError
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.storage.small_files import (
    MOST_BYTES,
    UnusableFileError,
    parse_json,
    read_small_file,
    text_of,
    too_large,
)
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectInUseError, ProjectSession
from phasergun_desktop.workspace.session_prompts import PromptFile

_STANDARD_INPUT = Path("-")
# 24 needs with 40 units each.
_MOST_PLAN_BYTES = 20_000_000


@contextmanager
def opened(application: Application, root: Path, console: Console) -> Iterator[ProjectSession]:
    """Open the project for one command, and tell what was not as it should be."""
    with closing(application.workspace.open(root)) as session:
        for warning in session.warnings:
            console.warn(warning)
        yield session


def bring_up_to_date(session: ProjectSession, console: Console, profile: str = "") -> None:
    """Index what changed since the last time, and cut it as ``profile`` does; with nothing changed
    this costs milliseconds.

    Where another instance keeps the index, or it cannot be written, what is indexed is used.
    """
    try:
        report = console.run(session.sync())
        for sentence in (*report.mended, *filter(None, (report.asks,))):
            console.warn(sentence)
    except ProjectInUseError:
        if not session.files():
            raise
    except StorageError as error:
        if not session.files():
            raise
        console.warn(f"The index is used as it is: {error.message} {error.remedy}".rstrip())
    console.run(session.prepare_profile(profile))


def prompt_of(session: ProjectSession, options: Namespace) -> PromptFile:
    """Return the prompt that a command names, an empty one where it names only a template or an
    agent.

    Raises ``PromptError`` as ``read_prompt`` does, ``ProfileError`` for a template or an agent that
    is not known or not valid: none of them should wait for the index.
    """
    if options.template:
        session.template(options.template)
    if options.agent:
        session.agent(options.agent)
    if options.prompt_file is None:
        return PromptFile("", options.template or options.agent, "")
    return read_prompt(session, options.prompt_file)


def planned(
    session: ProjectSession, options: Namespace, console: Console
) -> tuple[PromptFile, Plan]:
    """Return the prompt that a command names, and its plan; see ``prompt_of``."""
    prompt = prompt_of(session, options)
    bring_up_to_date(session, console, options.profile)
    made = session.plan(
        prompt.text,
        options.template or "",
        profile=options.profile,
        filters=options.filters,
        is_fast=options.fast,
        agent=session.agent(options.agent) if options.agent else None,
    )
    return prompt, made


def read_prompt(session: ProjectSession, file: Path) -> PromptFile:
    """Return the prompt of ``file``: a path, or a name in the project or its prompt folder.

    ``-`` is the standard input; a pipe that is named (``<(…)`` of a shell) is read to its end.
    Raises ``PromptError`` when it is not there, not text, too large, or empty.
    """
    root = session.project.root
    try:
        path, content = _found(session, file)
        text = text_of(path, content).strip()
    except FileNotFoundError as error:
        raise PromptError(
            "The prompt is not there",
            f"{file} was not found.",
            "Name a file, or one in the project's Context/Prompt folder.",
        ) from error
    except UnusableFileError as error:
        raise PromptError("The prompt cannot be read", error.message, error.remedy) from error
    if not text:
        raise PromptError(
            "The prompt is empty", f"{path.name} has no text.", "Write what to draft."
        )
    full = path.resolve()
    name = full.relative_to(root).as_posix() if full.is_relative_to(root) else path.name
    return PromptFile(name, path.stem, text)


def printed_plan(path: Path) -> object:
    """Return the object of a plan that was printed. Raises ``PromptError``."""
    try:
        return parse_json(read_small_file(path, _MOST_PLAN_BYTES))
    except FileNotFoundError as error:
        raise PromptError(
            "The plan is not there", f"{path} was not found.", "Print it with “phasergun plan”."
        ) from error
    except UnusableFileError as error:
        raise PromptError("The plan cannot be read", error.message, error.remedy) from error
    except ValueError as error:
        raise PromptError(
            "The plan cannot be read",
            f"{path.name} is not JSON.",
            "Print it with “phasergun plan … --json”.",
        ) from error


def _found(session: ProjectSession, file: Path) -> tuple[Path, bytes]:
    """Return what was named, and its bytes. Raises as ``read_small_file`` does."""
    if file == _STANDARD_INPUT:
        return Path("standard input"), _read_stream(sys.stdin.buffer, Path("standard input"))
    if file.is_fifo():
        # The user named it, so it is read; without a writer it ends at once.
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        os.set_blocking(handle, True)
        with os.fdopen(handle, "rb") as stream:
            return file, _read_stream(stream, file)
    if file.exists():
        # Through a link of the project's own nothing is read that lies outside.
        root = session.project.root
        places = (file.absolute(), Path(os.path.realpath(file.parent)))
        is_of_project = any(each.is_relative_to(root) for each in places)
        return file, read_small_file(file, inside=root if is_of_project else None)
    for folder in (session.project.root, session.prompt_folder):
        if (folder / file).exists():
            return folder / file, read_small_file(folder / file, inside=session.project.root)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))


def _read_stream(stream: BinaryIO, path: Path) -> bytes:
    content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise too_large(path, MOST_BYTES)
    return content

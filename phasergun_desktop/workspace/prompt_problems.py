"""What can be wrong with the file of a prompt; light enough for the window to import."""

from __future__ import annotations

import hashlib
import re

from phasergun_desktop.errors import ProjectError


class PromptChangedError(ProjectError):
    """A prompt's file is not what was loaded; ``text`` is what stands there now."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(
            "Not saved: the prompt has changed",
            f"{name} was changed by another program since it was loaded.",
            "Read the folder again (F5) to see what is there.",
        )
        self.text = text


def prompt_digest(text: str) -> str:
    """Return the digest of a prompt's text, by which saving knows its file again."""
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def prompt_stem(name: str) -> str:
    """Return the name of a prompt's file, without its ending. Raises ``ProjectError`` where
    nothing is left of ``name``."""
    bare = name.strip().removesuffix(".md").removesuffix(".txt")
    stem = "-".join(re.sub(r"[^\w\-. ()]+", "", bare).split()).strip(". -")
    if not stem:
        raise ProjectError(
            "The prompt has no name",
            "A name needs letters or numbers.",
            "Give the prompt another name.",
        )
    return stem


def no_prompt_error(name: str) -> ProjectError:
    """Return what is said where a prompt is not where it was."""
    return ProjectError(
        "The prompt is not there",
        f"{name} is not among the prompts of this project any more.",
        "Read the folder again (F5) to see what is there.",
    )


def prompt_exists_error(name: str) -> ProjectError:
    """Return what is said of a new prompt that has the name of another."""
    return ProjectError(
        "There is a prompt of that name",
        f"The project has a prompt {name} already; it was not replaced.",
        "Choose another name, or open that prompt, change it and save it.",
    )


def prompt_outside_error(name: str) -> ProjectError:
    """Return the sentence for a prompt whose place leads out of the project."""
    return ProjectError(
        "The prompt is not saved",
        f"{name} is a link to a place outside the project, which is not written to.",
        "Save the prompt under another name, or put an ordinary file in the place of the link.",
    )

"""What can be wrong with the file of a prompt; light enough for the window to import."""

from __future__ import annotations

from phasergun_desktop.errors import ProjectError


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

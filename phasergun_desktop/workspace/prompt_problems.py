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

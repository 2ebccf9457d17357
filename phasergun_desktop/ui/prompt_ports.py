"""What the window asks of a project's prompts and of its ``categories.yaml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from phasergun_desktop.references.reference_names import ReferenceNames
    from phasergun_desktop.workspace.session_categories import CategorySheet
    from phasergun_desktop.workspace.session_prompts import PromptFile


class CategoriesPort(Protocol):
    """``categories.yaml``. May be called from any thread."""

    def category_sheet(self) -> CategorySheet:
        """The file as it is, and what each document is taken for."""
        ...

    def save_categories(self, before: str, text: str) -> None:
        """Write the file, if it is still ``before``."""
        ...


class PromptsPort(CategoriesPort, Protocol):
    """The files of prompts. May be called from any thread."""

    def reference_names(self) -> ReferenceNames:
        """All that a prompt can name in this project. Reads documents: not on the window's
        thread."""
        ...

    def prompts(self) -> tuple[PromptFile, ...]:
        """The prompts of the project."""
        ...

    def save_prompt(self, file: str, text: str, *, is_new: bool = ...) -> PromptFile:
        """Write a prompt to the project; one that ``is_new`` replaces no file."""
        ...

    def prompt_path(self, file: str) -> Path:
        """Where a prompt lies; nothing else is ever moved or deleted."""
        ...

    def rename_prompt(self, file: str, name: str) -> PromptFile:
        """Give a prompt another name."""
        ...

    def delete_prompt(self, file: str) -> None:
        """Delete a prompt for good."""
        ...

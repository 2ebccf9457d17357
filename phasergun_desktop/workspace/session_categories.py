"""``categories.yaml`` of a project: read with what documents say of themselves, and written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.categories import Categories, CategoryEntry, parse_categories
from phasergun_desktop.projects.convention import CATEGORIES_FILE, FolderConvention
from phasergun_desktop.projects.folder_tree import categories_file, read_convention
from phasergun_desktop.projects.project import Project
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.small_files import is_inside, read_small_text
from phasergun_desktop.workspace.project_reading import ProjectReading

if TYPE_CHECKING:
    # (numpy comes with it: a window that opens needs none.)
    from phasergun_desktop.index.index_store import IndexStore


@dataclass(frozen=True, slots=True)
class CategorySheet:
    """The file as it is (``text``) and what it says; ``taken`` is what each document of the index
    is taken for now, by its file, and ``files`` are all files that can have an entry. ``hidden``
    are the labels whose documents this project hides."""

    text: str
    categories: Categories
    files: tuple[str, ...]
    taken: tuple[tuple[str, CategoryEntry], ...]
    hidden: tuple[str, ...] = ()


class SessionCategories:
    """Reads and writes the file of ``project``; every call is safe on any thread."""

    project: Project
    _index: IndexStore
    reading: ProjectReading

    def category_sheet(self) -> CategorySheet:
        """Return what ``categories.yaml`` says. Raises ``StorageError`` where it cannot be read,
        and ``ProjectError`` in a folder that it would change: it is a project of one layer."""
        text = self._text()
        if not text and read_convention(self.project.root) is not FolderConvention.TREE:
            raise ProjectError(
                "No categories in this folder",
                "This folder has no Procedures, Context or Bootstrap; a file in Procedures would "
                "leave all the others out of the index.",
                "Make a project (File › New project) and put the documents into its folders.",
            )
        categories = parse_categories(text)
        files = {one.file for one in self._index.files() if one.layer is not None}
        taken = tuple(
            (one.file, CategoryEntry(one.category, one.kind, one.tags, one.confidentiality))
            for one in self._index.documents()
        )
        listed = tuple(sorted(files, key=str.lower))
        return CategorySheet(text, categories, listed, taken, self.reading.hidden_labels())

    def save_categories(self, before: str, text: str) -> None:
        """Write the file, if it is still what it was (``before``). Raises ``ProjectError`` where
        it is not, and ``StorageError``."""
        path = categories_file(self.project.root)
        if self._text() != before:
            raise ProjectError(
                "Not saved: the file has changed",
                f"{CATEGORIES_FILE.name} was changed by another program meanwhile.",
                "Close this list, open it again, and make your changes in what is there now.",
            )
        if not is_inside(path, self.project.root):
            raise ProjectError(
                "Not saved",
                f"{CATEGORIES_FILE} is a link to a place outside the project.",
                "Put an ordinary file in the place of the link.",
            )
        write_atomically(path, text, usual_rights=True)

    def _text(self) -> str:
        try:
            return read_small_text(categories_file(self.project.root), inside=self.project.root)
        except FileNotFoundError:
            return ""

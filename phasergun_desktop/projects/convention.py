"""The folder convention: which layer a file of a project folder belongs to, or why to none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from phasergun_desktop.projects.layers import Layer


class FolderConvention(StrEnum):
    """How the folder is laid out: the tree of the convention, or anything else."""

    TREE = "tree"
    PLAIN = "plain"


class SkipReason(StrEnum):
    """Why a file is not indexed; the value is what the user reads."""

    PROMPT = "prompt"
    SETTINGS = "settings"
    LOCK_FILE = "lock file"
    HIDDEN = "hidden file"
    TEMPORARY = "temporary file"
    STRAY = "not part of the index"


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a file belongs: a layer, or None with the reason. ``is_prompt`` marks a text file
    in ``Context/Prompt`` that can be picked as a prompt."""

    layer: Layer | None = None
    skip_reason: SkipReason | None = None
    is_prompt: bool = False


CATEGORIES_FILE = PurePosixPath("Procedures/categories.yaml")
PROMPT_FOLDER = PurePosixPath("Context/Prompt")
LAYER_FOLDERS: tuple[tuple[Layer, PurePosixPath], ...] = (
    (Layer.SOPS, PurePosixPath("Procedures/SOPs")),
    (Layer.QUALITY_POLICIES, PurePosixPath("Procedures/QPs")),
    (Layer.PROJECT_QUALITY_PLANS, PurePosixPath("Procedures/QaPs")),
    (Layer.INITIATION, PurePosixPath("Context/Initiation")),
    (Layer.ONGOING, PurePosixPath("Context/Ongoing")),
    (Layer.PREDICATES, PurePosixPath("Context/Predicates")),
    (Layer.REGULATORY_STRATEGY, PurePosixPath("Context/Regulatory Strategy")),
    (Layer.GENERAL, PurePosixPath("Context/General")),
    (Layer.BOOTSTRAP, PurePosixPath("Bootstrap")),
)
PROMPT_SUFFIXES = frozenset({".md", ".txt"})
PROMPT_NAMES = frozenset({"prompt", "prompts"})

_TOP_FOLDERS = frozenset({"procedures", "context", "bootstrap"})
_PROCEDURE_LAYERS: tuple[tuple[Layer, tuple[str, ...]], ...] = (
    (Layer.SOPS, ("sops", "sop", "standard operating procedures")),
    (Layer.QUALITY_POLICIES, ("qps", "qp", "quality policies", "quality plans")),
    (
        Layer.PROJECT_QUALITY_PLANS,
        ("qaps", "qap", "project quality plans", "quality assurance plans"),
    ),
)
_CONTEXT_LAYERS: tuple[tuple[Layer, tuple[str, ...]], ...] = (
    (Layer.INITIATION, ("initiation",)),
    (Layer.ONGOING, ("ongoing",)),
    (Layer.PREDICATES, ("predicates",)),
    (Layer.REGULATORY_STRATEGY, ("regulatory strategy",)),
    (Layer.GENERAL, ("general",)),
)
_PRIMARY_CONTEXT_NAME = re.compile(
    r"primary[ _-]?context(?:[ _-]*(?:v|ver|rev)?[ _.]?\d+(?:\.\d+)*)?\.docx"
)
_TEMPORARY_SUFFIXES = (".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", ".swo", "~")
_TEMPORARY_NAMES = frozenset({"thumbs.db", "desktop.ini"})


def name_key(name: str) -> str:
    """Return ``name`` in the form in which names are compared: case, spaces, ``_`` and ``-``
    do not matter, nor how an operating system composes its letters."""
    return re.sub(r"[\s_\-]+", " ", unicodedata.normalize("NFC", name)).strip().casefold()


def procedure_layer(name: str) -> Layer | None:
    """Return the layer that a folder of ``Procedures/`` or its name in a prompt means."""
    return _find(_PROCEDURE_LAYERS, name)


def context_layer(name: str) -> Layer | None:
    """Return the layer that a folder of ``Context/`` or its name in a prompt means."""
    return _find(_CONTEXT_LAYERS, name)


def find_convention(top_folders: Iterable[str]) -> FolderConvention:
    """Tell from the names of the folders directly in a project how it is laid out."""
    if any(name_key(name) in _TOP_FOLDERS for name in top_folders):
        return FolderConvention.TREE
    return FolderConvention.PLAIN


def classify(relative: PurePosixPath, convention: FolderConvention) -> Placement:
    """Tell what the file at ``relative`` (to the project folder) is."""
    reason = _never_indexed(relative)
    if reason is not None:
        return Placement(skip_reason=reason)
    folders = [name_key(part) for part in relative.parts[:-1]]
    top = folders[0] if folders else ""
    # A plain folder has prompts as well, in the same place.
    if convention is FolderConvention.PLAIN and not _is_in_prompts(folders):
        return Placement(layer=Layer.DOCUMENTS)
    if top == "procedures":
        return _in_procedures(relative, folders)
    if top == "context":
        return _in_context(relative, folders)
    if top == "bootstrap":
        return Placement(layer=Layer.BOOTSTRAP)
    return Placement(skip_reason=SkipReason.STRAY)


def is_passed_over(name: str) -> bool:
    """Whether a file of that name is indexed nowhere: hidden, temporary, or a lock."""
    return _never_indexed(PurePosixPath(name)) is not None


def is_master_record_name(name: str) -> bool:
    """Whether a file directly in ``Context/`` is the master record by its name."""
    key = unicodedata.normalize("NFC", name).casefold()
    return fnmatchcase(key, "*master*record*.docx") or bool(_PRIMARY_CONTEXT_NAME.fullmatch(key))


def _in_procedures(relative: PurePosixPath, folders: list[str]) -> Placement:
    if len(folders) == 1:
        if relative.name.casefold() == CATEGORIES_FILE.name:
            return Placement(skip_reason=SkipReason.SETTINGS)
        return Placement(layer=Layer.SOPS)
    return _layer_or_stray(procedure_layer(folders[1]))


def _in_context(relative: PurePosixPath, folders: list[str]) -> Placement:
    if len(folders) == 1:
        is_record = is_master_record_name(relative.name)
        return Placement(layer=Layer.MASTER_RECORD if is_record else Layer.PRIMARY_CONTEXT)
    if _is_in_prompts(folders):
        is_text = relative.suffix.casefold() in PROMPT_SUFFIXES
        return Placement(skip_reason=SkipReason.PROMPT, is_prompt=is_text)
    return _layer_or_stray(context_layer(folders[1]))


def _is_in_prompts(folders: list[str]) -> bool:
    return len(folders) > 1 and folders[0] == "context" and folders[1] in PROMPT_NAMES


def _layer_or_stray(layer: Layer | None) -> Placement:
    if layer is None:
        return Placement(skip_reason=SkipReason.STRAY)
    return Placement(layer=layer)


def _never_indexed(relative: PurePosixPath) -> SkipReason | None:
    name = relative.name.casefold()
    if name.startswith(("~$", ".~lock.")):
        return SkipReason.LOCK_FILE
    if any(part.startswith(".") for part in relative.parts):
        return SkipReason.HIDDEN
    # Word writes ~WRL0001.tmp and the like beside the file while it saves.
    if name.startswith("~") or name.endswith(_TEMPORARY_SUFFIXES) or name in _TEMPORARY_NAMES:
        return SkipReason.TEMPORARY
    return None


def _find(table: tuple[tuple[Layer, tuple[str, ...]], ...], name: str) -> Layer | None:
    key = name_key(name)
    return next((layer for layer, names in table if key in names), None)

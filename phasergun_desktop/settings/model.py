"""The sections of the settings with their defaults and ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Theme(StrEnum):
    """Which colours the window wears."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks. An empty font family is the system's; the size is in points."""

    theme: Theme = Theme.SYSTEM
    draft_font_family: str = ""
    draft_font_size_pt: float = field(default=12.0, metadata={"range": (6.0, 48.0)})
    zoom_percent: int = field(default=100, metadata={"range": (50, 400)})


@dataclass(frozen=True, slots=True)
class Generation:
    """How drafts are written.

    ``model`` is a name of the catalogue or the path of a model file; ``threads`` 0 means as
    many as the machine has cores.
    """

    profile: str = "regulatory"
    model: str = "qwen2.5-coder-1.5b-instruct"
    threads: int = field(default=0, metadata={"range": (0, 256)})
    context_tokens: int = field(default=4096, metadata={"range": (1024, 131_072)})


@dataclass(frozen=True, slots=True)
class Indexing:
    """How project folders are read.

    The limit holds for one document, in seconds; its size and its recognised pages add to it.
    The paths name the programs for text recognition and for old Office files; where one is
    empty, the program is looked for in the usual places.
    """

    parse_limit_s: float = field(default=60.0, metadata={"range": (5.0, 3600.0)})
    is_watching: bool = True
    tesseract_path: str = ""
    soffice_path: str = ""


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """Where the window and its docks were: Qt's own bytes as base64, empty at first."""

    geometry: str = ""
    dock_state: str = ""


@dataclass(frozen=True, slots=True)
class Projects:
    """Folders of projects as the user chose them; the last opened comes first in ``recent``."""

    last_opened: str = ""
    recent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user can choose; change with ``dataclasses.replace``."""

    appearance: Appearance = field(default_factory=Appearance)
    generation: Generation = field(default_factory=Generation)
    indexing: Indexing = field(default_factory=Indexing)
    window: WindowLayout = field(default_factory=WindowLayout)
    projects: Projects = field(default_factory=Projects)

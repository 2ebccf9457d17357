"""The sections of the settings with their defaults and ranges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from phasergun_desktop.settings.model_choice import ModelChoice, ModelProfile


class Theme(StrEnum):
    """Which colours the window wears."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks. An empty font family is the built-in serif; the size is in points."""

    theme: Theme = Theme.SYSTEM
    draft_font_family: str = ""
    draft_font_size_pt: float = field(default=12.0, metadata={"range": (6.0, 48.0)})
    zoom_percent: int = field(default=100, metadata={"range": (50, 400)})
    line_characters: int = field(default=72, metadata={"range": (60, 80)})


class SpellingLanguage(StrEnum):
    """The languages of which there is a dictionary."""

    AMERICAN = "en_US"
    BRITISH = "en_GB"


@dataclass(frozen=True, slots=True)
class Spelling:
    """Whether the spelling of drafts is checked, and in which language."""

    is_on: bool = True
    language: SpellingLanguage = SpellingLanguage.AMERICAN


@dataclass(frozen=True, slots=True)
class Generation:
    """How drafts are written.

    ``model_profile`` is the one in use, of the three below it; ``threads`` 0 means as many as
    the machine has cores; ``context_tokens`` holds for models on this machine.
    """

    profile: str = "regulatory"
    threads: int = field(default=0, metadata={"range": (0, 256)})
    context_tokens: int = field(default=4096, metadata={"range": (1024, 131_072)})
    model_profile: ModelProfile = ModelProfile.BALANCED
    cheap: ModelChoice = field(default_factory=ModelChoice)
    balanced: ModelChoice = field(default_factory=ModelChoice)
    premium: ModelChoice = field(default_factory=ModelChoice)

    def choice(self, profile: ModelProfile) -> ModelChoice:
        """Return the model of ``profile``."""
        match profile:
            case ModelProfile.CHEAP:
                return self.cheap
            case ModelProfile.BALANCED:
                return self.balanced
            case ModelProfile.PREMIUM:
                return self.premium

    def with_choice(self, profile: ModelProfile, choice: ModelChoice) -> Generation:
        """Return these settings with another model for ``profile``."""
        match profile:
            case ModelProfile.CHEAP:
                return replace(self, cheap=choice)
            case ModelProfile.BALANCED:
                return replace(self, balanced=choice)
            case ModelProfile.PREMIUM:
                return replace(self, premium=choice)


@dataclass(frozen=True, slots=True)
class Indexing:
    """How project folders are read.

    The limit holds for one document, in seconds; its size and its recognised pages add to it.
    The path names the program for text recognition; where it is empty, the program is looked
    for in the usual places.
    """

    parse_limit_s: float = field(default=60.0, metadata={"range": (5.0, 3600.0)})
    tesseract_path: str = ""


class RerankWith(StrEnum):
    """What puts the best passages of a search in a second order."""

    BUNDLED = "bundled"
    LANGUAGE_MODEL = "language_model"
    CROSS_ENCODER = "cross_encoder"


@dataclass(frozen=True, slots=True)
class Reranking:
    """What reranks where the profile wants it. ``cross_encoder_path`` is a sentence-transformers
    folder, or an ONNX file with its ``tokenizer.json`` beside it."""

    method: RerankWith = RerankWith.BUNDLED
    cross_encoder_path: str = ""


@dataclass(frozen=True, slots=True)
class SearchEmbedding:
    """What gives the vectors of searches: the bundled model or, with ``is_own``, the one in
    ``path``, a sentence-transformers folder or an ONNX file with its ``tokenizer.json`` beside
    it."""

    is_own: bool = False
    path: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """The user's other names of things, a line for each thing: ``MAF = minimum air flow``."""

    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """Where the window and its docks were: Qt's own bytes as base64, empty at first. ``hints_seen``
    are the notes of the sample that were done or put away, ``open_drafts`` the ids of the drafts
    with a tab, ``open_conversations`` those of the conversations that were in view, of all
    projects."""

    geometry: str = ""
    dock_state: str = ""
    hints_seen: tuple[str, ...] = ()
    open_drafts: tuple[str, ...] = ()
    open_conversations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Projects:
    """The folder of the project that was opened last, as the user chose it."""

    last_opened: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user can choose; change with ``dataclasses.replace``."""

    appearance: Appearance = field(default_factory=Appearance)
    generation: Generation = field(default_factory=Generation)
    indexing: Indexing = field(default_factory=Indexing)
    window: WindowLayout = field(default_factory=WindowLayout)
    projects: Projects = field(default_factory=Projects)
    spelling: Spelling = field(default_factory=Spelling)
    reranking: Reranking = field(default_factory=Reranking)
    embedding: SearchEmbedding = field(default_factory=SearchEmbedding)
    naming: Naming = field(default_factory=Naming)

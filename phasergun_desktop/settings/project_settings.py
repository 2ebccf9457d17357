"""What the user has chosen for one project, in a file of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from phasergun_desktop.settings.sections_file import SectionsFile

# The names of tesseract's language data: "eng", "chi_sim", "script/Latin", joined by "+".
LANGUAGES_PATTERN = r"(script/)?[A-Za-z0-9_]{2,40}(\+(script/)?[A-Za-z0-9_]{2,40}){0,9}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of the project are read.

    ``languages`` are those of scanned pages, in tesseract's names joined by ``+``. ``hidden`` are
    the labels of confidentiality whose documents are not read.
    ``has_passwords`` says that the system's keyring has passwords for this project: without it
    the keyring, which may ask the user for permission, is not touched.
    """

    languages: str = field(default="eng", metadata={"pattern": LANGUAGES_PATTERN})
    has_passwords: bool = False
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asking:
    """How the project is searched, asked and drafted: with ``profile``, empty for the one of the
    user's settings."""

    profile: str = field(default="", metadata={"pattern": r"([A-Za-z0-9][\w-]{0,63})?"})


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Everything that can be chosen for a project; change with ``dataclasses.replace``."""

    reading: Reading = field(default_factory=Reading)
    asking: Asking = field(default_factory=Asking)


class ProjectSettingsStore(SectionsFile[ProjectSettings]):
    """Loads and changes the settings of one project."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, ProjectSettings)

"""The problems that a user can mend, each one sentence with a remedy."""

from __future__ import annotations

from enum import StrEnum


class PhaserGunError(Exception):
    """A problem of the environment or the input; it reaches the user as written.

    ``title`` names the problem in a few words, ``message`` says in one sentence what
    happened, ``remedy`` says what the user can do about it.
    """

    def __init__(self, title: str, message: str, remedy: str = "") -> None:
        super().__init__(f"{title}: {message}")
        self.title = title
        self.message = message
        self.remedy = remedy


class ProjectError(PhaserGunError):
    """The project folder is missing, unreadable or in use."""


class DocumentProblem(StrEnum):
    """What kind of problem a document has, for those who offer a remedy at a click."""

    OTHER = ""
    PASSWORD = "password"  # noqa: S105 - the name of a problem
    PROGRAM_MISSING = "program_missing"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    EMPTY = "empty"
    # A picture; the text in it may be in a language that was not looked for.
    ILLEGIBLE = "illegible"
    DAMAGED = "damaged"
    FORMAT = "format"
    # Of reaching the file, not of its content: it is tried again each time.
    UNREACHABLE = "unreachable"
    # The project's confidentiality setting keeps the document out of the index.
    HIDDEN = "hidden"


class DocumentError(PhaserGunError):
    """One document cannot be read; the others are not affected."""

    def __init__(
        self,
        title: str,
        message: str,
        remedy: str = "",
        problem: DocumentProblem = DocumentProblem.OTHER,
    ) -> None:
        super().__init__(title, message, remedy)
        self.problem = problem


class StorageError(PhaserGunError):
    """A database or a file of the product cannot be written or read."""


class ModelError(PhaserGunError):
    """A model file is absent, damaged or not a model."""


class ProfileError(PhaserGunError):
    """A profile or another file of settings is not valid."""


class PromptError(PhaserGunError):
    """A prompt cannot be used as it stands."""


class ExportError(PhaserGunError):
    """A draft could not be written to the chosen file."""


class ExportNotRecordedError(ExportError):
    """The file is written, but the project could not note that it was."""


class Cancelled(Exception):  # noqa: N818 - the user's wish, not an error
    """The user asked to stop; nothing is wrong."""

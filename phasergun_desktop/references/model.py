"""What a prompt refers to, what each reference resolved to, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.retrieval.model import SearchScope


class ReferenceKind(StrEnum):
    """The forms of the notation."""

    PROCEDURE = "procedure"
    MASTER_RECORD = "master_record"
    CONTEXT = "context"
    BOOTSTRAP = "bootstrap"
    DOC_FIELD = "doc_field"
    SCOPE = "scope"


PROMPT_TOO_LONG = "prompt_too_long"


class Severity(StrEnum):
    """Whether a problem stops generation."""

    BLOCKS = "blocks"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a prompt; ``start``/``end`` are code points in the prompt, and
    ``replacements`` what may be written there instead, the likeliest first."""

    code: str
    severity: Severity
    message: str
    remedy: str
    start: int = 0
    end: int = 0
    replacements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceValue:
    """A text taken word for word from a document: ``start``..``end`` of its text."""

    text: str
    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A pair of a bootstrap document; ``answer`` is used word for word."""

    question: str
    answer: SourceValue


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """One bracket or scope. ``files`` are the documents it opens, ``value`` the text it is
    replaced by, ``pairs`` the questions and answers of a bootstrap document."""

    kind: ReferenceKind
    text: str
    start: int
    end: int
    label: str
    files: tuple[str, ...] = ()
    value: SourceValue | None = None
    pairs: tuple[QuestionAnswer, ...] = ()
    resolved: bool = True


@dataclass(frozen=True, slots=True)
class PromptSentence:
    """A sentence of the prompt. ``text`` has values put in and document references replaced by
    their label; ``scope`` is what it may use. ``is_directive`` marks a sentence that only names
    sources ("Use …") and asks for nothing itself; its sources hold for the whole prompt."""

    text: str
    raw: str
    start: int
    end: int
    references: tuple[ResolvedReference, ...]
    scope: SearchScope
    is_directive: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """A prompt with everything it refers to. ``task`` is the prompt as the model reads it."""

    prompt: str
    task: str
    sentences: tuple[PromptSentence, ...]
    references: tuple[ResolvedReference, ...]
    problems: tuple[Problem, ...]
    scope: SearchScope

    @property
    def is_blocked(self) -> bool:
        """Whether a problem stops generation."""
        return any(problem.severity is Severity.BLOCKS for problem in self.problems)

    @property
    def is_too_long(self) -> bool:
        """Whether the prompt was refused for its length, and not looked into."""
        return any(problem.code == PROMPT_TOO_LONG for problem in self.problems)

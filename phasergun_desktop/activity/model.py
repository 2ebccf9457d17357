"""One entry of the activity log and the result of checking the chain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class ActivityKind(StrEnum):
    """What the user or the product did."""

    DRAFT = "draft"
    ASK = "ask"
    SEARCH = "search"
    EXPORT = "export"
    EDIT = "edit"
    ACCEPT = "accept"
    INDEX = "index"
    CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class LoggedCitation:
    """A source as it stood: file, SHA-256 of its content, code points of the quote."""

    number: int
    file: str = ""
    sha256: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Removed:
    """What a checkpoint stands for: all entries up to the number ``upto``, whose last had the hash
    ``last_hash``. Counts and sums go back to the first entry of the log."""

    upto: int
    last_hash: str
    entries: int
    first_at: str = ""
    last_at: str = ""
    questions: int = 0
    drafts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Activity:
    """What is logged. Times are milliseconds; ``confidence`` and ``average_similarity`` are in
    0..1, None where there is none. ``prompt`` is the question or prompt as the user wrote it,
    ``answer`` the text that came back, ``subject`` a draft's id or an exported file's name.
    A checkpoint has ``removed``, or the number ``texts_upto`` up to which the texts of entries were
    removed.
    """

    kind: ActivityKind
    prompt: str = ""
    answer: str = ""
    status: str = ""
    citations: tuple[LoggedCitation, ...] = ()
    confidence: float | None = None
    retrieval_ms: float = 0.0
    generation_ms: float = 0.0
    total_ms: float = 0.0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""
    prompt_sha256: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    average_similarity: float | None = None
    profile: str = ""
    agent: str = ""
    project: str = ""
    conversation_id: str = ""
    errors: tuple[str, ...] = ()
    subject: str = ""
    cost: float | None = None
    removed: Removed | None = None
    texts_upto: int = 0


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """An activity with its place in the chain. ``at`` is ISO 8601 in UTC; ``hash`` is the
    SHA-256 over the previous entry's hash, the number, the time and the content, in which a
    digest stands for the texts."""

    number: int
    at: str
    activity: Activity
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """Whether the log is as it was written; ``first_bad`` is the number of the first entry that
    is changed or gone (None when all is well), ``checked`` how many entries were found sound,
    ``missing`` how many are known to be gone, ``removed`` how many a checkpoint stands for,
    ``untold`` how many cannot be compared with their hash, since their texts were left out, and
    ``textless`` of how many the texts were removed, as a checkpoint says."""

    ok: bool
    first_bad: int | None = None
    checked: int = 0
    missing: int = 0
    removed: int = 0
    untold: int = 0
    textless: int = 0

    def in_words(self) -> str:
        """Return the result as a sentence, or two."""
        if self.ok and self.textless:
            whole = replace(self, textless=0).in_words()
            return f"{whole} The texts of {_entries(self.textless)} were removed."
        if self.ok and self.removed:
            return f"The chain of the log is whole from its checkpoint on: {self._removed()}."
        if self.ok and self.untold:
            return (
                f"The chain of the log is whole; {_entries(self.untold)} of an earlier form cannot "
                "be compared with their hash without their texts."
            )
        if self.ok:
            return "The chain of the log is whole."
        if not self.missing:
            return f"The chain of the log is broken at entry {self.first_bad}."
        entries = f"{_entries(self.missing)} {'is' if self.missing == 1 else 'are'}"
        if self.first_bad == 1:
            return f"The chain of the log is broken: {entries} missing, and the log begins anew."
        return f"The chain of the log is broken at entry {self.first_bad}: {entries} missing."

    def _removed(self) -> str:
        were = "was" if self.removed == 1 else "were"
        return f"{_entries(self.removed)} before {were} removed"


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"

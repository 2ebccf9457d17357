"""The grammar of the notation: brackets and @scopes of a prompt, each with its position."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.profiles.near_words import near_word
from phasergun_desktop.references.model import Problem, ReferenceKind, Severity
from phasergun_desktop.references.outcome import Place


class ScopeName(StrEnum):
    """The words that may follow an ``@``."""

    MASTER_RECORD = "master_record"
    COMPANY_PROCESSES = "company_processes"
    SOPS = "sops"
    QUALITY_POLICIES = "quality_policies"
    PROJECT_QUALITY_PLANS = "project_quality_plans"
    EXTERNAL_STANDARDS = "external_standards"
    GLOBAL_STANDARDS = "global_standards"
    US_REGULATIONS = "us_regulations"
    DOCUMENT_BOOTSTRAPS = "document_bootstraps"
    INITIATION = "initiation"
    ONGOING = "ongoing"
    PREDICATES = "predicates"
    REGULATORY_STRATEGY = "regulatory_strategy"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Notation:
    """The references of a prompt in order, without overlap, and what is wrong with its syntax."""

    tokens: tuple[Place, ...]
    problems: tuple[Problem, ...]
    brackets: tuple[tuple[int, int], ...] = ()  # every bracket pair of a reference, also broken


FORMS: dict[ReferenceKind, str] = {
    ReferenceKind.PROCEDURE: "[Procedure|sops|risk_management]",
    ReferenceKind.MASTER_RECORD: "[Master Record|Device Name]",
    ReferenceKind.CONTEXT: "[Context|Regulatory Strategy|predicate.docx]",
    ReferenceKind.BOOTSTRAP: "[Bootstrap|name]",
    ReferenceKind.DOC_FIELD: "[Doc|document|FIELD]",
}
KIND_WORDS = {
    ReferenceKind.PROCEDURE: "Procedure",
    ReferenceKind.MASTER_RECORD: "Master Record",
    ReferenceKind.CONTEXT: "Context",
    ReferenceKind.BOOTSTRAP: "Bootstrap",
    ReferenceKind.DOC_FIELD: "Doc",
}
_PARTS = {
    ReferenceKind.PROCEDURE: (1, 2),
    ReferenceKind.MASTER_RECORD: (1, 2),
    ReferenceKind.CONTEXT: (1, 12),  # folders inside a folder may be written out
    ReferenceKind.BOOTSTRAP: (1, 1),
    ReferenceKind.DOC_FIELD: (2, 2),
}
_KINDS = {re.sub(r"\W", "", word).casefold(): kind for kind, word in KIND_WORDS.items()}
# Prompts may be hostile: nothing here looks twice at a stretch of text. A possessive ``++`` gives
# nothing back, and what a bracket is searched for ends at the next bracket.
_FIRST_WORD = re.compile(r"\[([^\[\]|]++)(?=[|\]])")
_LONGEST_WORD = 40
_BRACKET = re.compile(r"[\[\]]")
_LINE_OR_BRACKET = re.compile(r"[\[\n]")
_STRAY_CLOSE = re.compile(
    r"(?<![\[\w|])(?:Procedure|Master[ _]Record|Context|Bootstrap|Doc)\|[^\[\]\n]{0,200}\]",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
# Not inside a word: an e-mail address is no scope.
_AT = re.compile(r"(?<![\w.@/\\+%-])@([A-Za-z]\w*(?:-\w+)*)")


def read_notation(prompt: str) -> Notation:
    """Find every reference of ``prompt``. Never raises; positions are code points."""
    reader = _Reader(prompt)
    reader.read_brackets()
    reader.read_scopes()
    tokens = tuple(sorted(reader.tokens, key=lambda token: token.start))
    problems = tuple(sorted(reader.problems, key=lambda problem: problem.start))
    return Notation(tokens, problems, tuple(reader.brackets))


class _Reader:
    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.tokens: list[Place] = []
        self.problems: list[Problem] = []
        self.brackets: list[tuple[int, int]] = []
        self._starts: list[int] = []  # of the brackets, which come in order
        self._lines = [0, *(match.end() for match in re.finditer("\n", prompt))]
        self._compared: dict[str, str | None] = {}

    def read_brackets(self) -> None:
        position = 0
        while (start := self.prompt.find("[", position)) >= 0:
            position = self._read_bracket(start)
        self._starts = [start for start, _ in self.brackets]
        for match in _STRAY_CLOSE.finditer(self.prompt):
            if not self._is_taken(match.start()):
                self._broken(
                    "A reference lacks its opening bracket",
                    f"Write “[{match.group()}”.",
                    match.start(),
                    match.end(),
                )

    def read_scopes(self) -> None:
        for match in _AT.finditer(self.prompt):
            if self._is_taken(match.start()):
                continue
            name = match.group(1).rstrip("_").casefold().replace("-", "_")
            end = match.start(1) + len(match.group(1).rstrip("_"))
            if name in ScopeName.__members__.values():
                self._found(ReferenceKind.SCOPE, match.start(), end, (name,))
            elif not re.match(r"\.\w", self.prompt[end : end + 2]):
                self._unknown_scope(match.start(), end)

    def _read_bracket(self, start: int) -> int:
        """Read the bracket at ``start``; return where to go on."""
        head = _FIRST_WORD.match(self.prompt, start)
        word = head.group(1).strip() if head is not None else ""
        if head is None or not 0 < len(word) <= _LONGEST_WORD:
            return start + 1
        kind = _KINDS.get(re.sub(r"[\s_\-]", "", word).casefold())
        if self.prompt[head.end()] == "]":
            if kind is not None:
                self._incomplete(kind, start, head.end() + 1)
            return head.end()
        end = self._closing(start)
        if kind is None:
            return self._perhaps_misspelt(word, start, head.end(), end)
        if end is None:
            return self._unclosed(start)
        self.brackets.append((start, end))
        parts = tuple(part.strip() for part in self.prompt[head.end() + 1 : end - 1].split("|"))
        if self._are_sound(kind, parts, start, end):
            self._found(kind, start, end, parts)
        return end

    def _closing(self, start: int) -> int | None:
        """Return the end of the bracket: before another opens and before an empty line."""
        found = _BRACKET.search(self.prompt, start + 1)
        if found is None or found.group() == "[":
            return None
        inside = self.prompt[start + 1 : found.start()]
        if _BLANK_LINE.search(inside) or inside.count("\n") > 1:
            return None
        return found.end()

    def _found(self, kind: ReferenceKind, start: int, end: int, parts: tuple[str, ...]) -> None:
        self.tokens.append(Place(kind, self.prompt[start:end], start, end, parts))

    def _are_sound(self, kind: ReferenceKind, parts: tuple[str, ...], start: int, end: int) -> bool:
        fewest, most = _PARTS[kind]
        if not all(parts):
            what = "A part of this reference is empty"
        elif len(parts) < fewest:
            what = "A part of this reference is missing"
        elif len(parts) > most:
            what = "This reference has too many parts"
        else:
            return True
        self._broken(what, f"Write it like {FORMS[kind]}.", start, end)
        return False

    def _perhaps_misspelt(self, word: str, start: int, head_end: int, end: int | None) -> int:
        near = self._near(word, KIND_WORDS.values(), 0.7) if len(word) > 2 else None
        if near is None:
            return head_end
        stop = end if end is not None else self._line_end(start)
        self.brackets.append((start, stop))
        self.problems.append(
            Problem(
                "unknown_reference",
                Severity.BLOCKS,
                f"“{word}” is not a kind of reference.",
                f"Did you mean “{near}”?",
                start,
                stop,
            )
        )
        return stop

    def _unclosed(self, start: int) -> int:
        stop = self._line_end(start)
        self.brackets.append((start, stop))
        self._broken("A reference has no closing bracket", "Add the missing “]”.", start, stop)
        return stop

    def _line_end(self, start: int) -> int:
        found = _LINE_OR_BRACKET.search(self.prompt, start + 1)
        return len(self.prompt) if found is None else found.start()

    def _incomplete(self, kind: ReferenceKind, start: int, end: int) -> None:
        text = self.prompt[start:end]
        self.problems.append(
            Problem(
                "incomplete_reference",
                Severity.WARNING,
                f"“{text}” names nothing and is read as plain text.",
                f"A reference is written like {FORMS[kind]}.",
                start,
                end,
            )
        )

    def _unknown_scope(self, start: int, end: int) -> None:
        word = self.prompt[start + 1 : end]
        # Any word: a mistyped scope that is read past would let everything be searched.
        near = self._near(word, ScopeName, 0.75)
        known = ", ".join(f"@{name}" for name in ScopeName)
        self.problems.append(
            Problem(
                "unknown_scope",
                Severity.BLOCKS,
                f"“@{word}” is not a scope.",
                f"Did you mean “@{near}”?"
                if near
                else f"Known are {known}. Where no scope is meant, write “at”.",
                start,
                end,
            )
        )

    def _broken(self, what: str, remedy: str, start: int, end: int) -> None:
        line = bisect_right(self._lines, start)
        column = start - self._lines[line - 1] + 1
        message = f"{what} (line {line}, column {column})."
        self.problems.append(Problem("broken_syntax", Severity.BLOCKS, message, remedy, start, end))

    def _is_taken(self, position: int) -> bool:
        at = bisect_right(self._starts, position) - 1
        return at >= 0 and position < self.brackets[at][1]

    def _near(self, word: str, known: Iterable[str], cutoff: float) -> str | None:
        """Return the known word that was probably meant; a word is compared once."""
        if len(word) > _LONGEST_WORD:
            return None
        if word not in self._compared:
            self._compared[word] = near_word(word, known, cutoff=cutoff)
        return self._compared[word]

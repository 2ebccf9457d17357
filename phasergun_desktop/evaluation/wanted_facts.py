"""Reads the facts that good drafts state, as regular expressions, from a file of JSON lines."""

from __future__ import annotations

import hashlib
import re
import warnings
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from phasergun_desktop.evaluation.json_lines import (
    BadRowError,
    EvaluationFileError,
    Row,
    read_every_row,
    required,
)

LARGEST_FILE_BYTES = 2_000_000
LONGEST_PATTERN = 1000
_REMEDY = (
    'Write one JSON object a line: {"prompt": "device-description.md", "fact": "…", '
    '"pattern": "a regular expression"} (a backslash is written twice in JSON), and '
    '"missing": true for what a draft must report as gap.'
)


class Wanted(StrEnum):
    """What a row wants of a draft."""

    FACT = "fact"
    MISSING = "missing"
    ABSTENTION = "abstention"


class Half(StrEnum):
    """The prompts and questions whose file name or id has an even, or an odd, SHA-256: which may
    be looked at while rules are made, and which are only reported, is told by the name alone."""

    EVEN = "even"
    ODD = "odd"

    def has(self, prompt: str) -> bool:
        """Whether the prompt named belongs to this half; folders do not count."""
        return self.has_id(PurePosixPath(prompt).name)

    def has_id(self, name: str) -> bool:
        """Whether the question with the id ``name`` belongs to this half."""
        digest = hashlib.sha256(name.encode()).hexdigest()
        return (int(digest, 16) % 2 == 1) is (self is Half.ODD)


@dataclass(frozen=True, slots=True)
class WantedFact:
    """One row of the file: ``pattern`` is searched without regard to case. A fact has to stand in
    the draft, what is missing in one of its gaps; an abstention has no pattern."""

    prompt: str
    fact: str
    pattern: str
    wanted: Wanted
    line: int


@dataclass(frozen=True, slots=True)
class FactsFile:
    """The rows of a file, and the digest of what was read."""

    path: Path
    sha256: str
    facts: tuple[WantedFact, ...]


def read_facts(path: Path) -> FactsFile:
    """Return the rows of a JSON-lines file, blank lines left out.

    Raises ``EvaluationFileError`` for a file that cannot be read or is too large, a row that
    cannot be used (naming its line), and a file without rows.
    """
    rows = read_every_row(path, _fact, _REMEDY, LARGEST_FILE_BYTES)
    return FactsFile(path, rows.sha256, rows.rows)


def _fact(row: Row, line: int) -> WantedFact:
    prompt, fact = required(row, "prompt"), required(row, "fact")
    pattern, is_missing = row.get("pattern"), row.get("missing", False)
    if not isinstance(pattern, str):
        raise BadRowError("has no “pattern”")
    if not isinstance(is_missing, bool):
        raise BadRowError("has a “missing” that is neither true nor false")
    if is_missing and not pattern:
        raise BadRowError("has no “pattern” for what is missing")
    problem = pattern_problem(pattern)
    if problem:
        raise BadRowError(problem)
    wanted = Wanted.MISSING if is_missing else Wanted.FACT if pattern else Wanted.ABSTENTION
    return WantedFact(prompt, fact, pattern, wanted, line)


def pattern_problem(pattern: str) -> str:
    """Return what is wrong with a regular expression, as the end of a sentence on its row; empty
    where it can be used."""
    if len(pattern) > LONGEST_PATTERN:
        return f"has a pattern of more than {LONGEST_PATTERN} characters"
    try:
        with warnings.catch_warnings():
            # What Python may read differently one day is no matter to the writer of a row.
            warnings.simplefilter("ignore")
            re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        return f"has a pattern that is not valid ({error})"
    return ""


def slow_pattern(path: Path, number: int) -> EvaluationFileError:
    """Return the problem with a line whose pattern cannot be searched for in time."""
    return EvaluationFileError(
        "Row not usable",
        f"Line {number} of {path.name} has a pattern that takes too long to search for.",
        "Write it without repetitions inside repetitions, such as (a+)+.",
    )

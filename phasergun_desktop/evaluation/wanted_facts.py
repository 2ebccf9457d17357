"""Reads the facts that good drafts state, as regular expressions, from a file of JSON lines."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from phasergun_desktop.errors import PhaserGunError

LARGEST_FILE_BYTES = 2_000_000
LONGEST_PATTERN = 1000
_REMEDY = (
    'Write one JSON object a line: {"prompt": "device-description.md", "fact": "…", '
    '"pattern": "a regular expression"}, and "missing": true for what a draft must report as gap.'
)


class FactsError(PhaserGunError):
    """The file of facts cannot be used."""


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

    Raises ``FactsError`` for a file that cannot be read or is too large, a row that cannot be
    used (naming its line), and a file without rows.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise FactsError(
            "File not readable",
            f"{path.name} is not there or cannot be read.",
            "Check the path of the file with the facts.",
        ) from error
    if len(content) > LARGEST_FILE_BYTES:
        raise FactsError(
            "File too large",
            f"{path.name} is larger than {LARGEST_FILE_BYTES // 1_000_000} MB.",
            "Divide it into several files of facts.",
        )
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise FactsError(
            "Not a text file", f"{path.name} is not text in UTF-8.", _REMEDY
        ) from error
    facts = tuple(
        _fact(line, number, path) for number, line in enumerate(lines, start=1) if line.strip()
    )
    if not facts:
        raise FactsError("No facts", f"{path.name} holds no rows.", _REMEDY)
    return FactsFile(path, hashlib.sha256(content).hexdigest(), facts)


def _fact(line: str, number: int, path: Path) -> WantedFact:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _bad_row(path, number, "is not JSON") from error
    if not isinstance(row, dict):
        raise _bad_row(path, number, "is not an object")
    texts = {}
    for key in ("prompt", "fact", "pattern"):
        text = row.get(key)
        if not isinstance(text, str) or (key != "pattern" and not text.strip()):
            raise _bad_row(path, number, f"has no “{key}”")
        texts[key] = text
    is_missing = row.get("missing", False)
    if not isinstance(is_missing, bool):
        raise _bad_row(path, number, "has a “missing” that is neither true nor false")
    pattern = texts["pattern"]
    if is_missing and not pattern:
        raise _bad_row(path, number, "has no “pattern” for what is missing")
    problem = pattern_problem(pattern)
    if problem:
        remedy = (
            "Write a shorter one, or divide the fact in two."
            if len(pattern) > LONGEST_PATTERN
            else "Correct the regular expression; a backslash is written twice in JSON."
        )
        raise _bad_row(path, number, problem, remedy)
    wanted = Wanted.MISSING if is_missing else Wanted.FACT if pattern else Wanted.ABSTENTION
    return WantedFact(texts["prompt"].strip(), texts["fact"].strip(), pattern, wanted, number)


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


def _bad_row(path: Path, number: int, what: str, remedy: str = _REMEDY) -> FactsError:
    """Return the problem with one line of the file."""
    return FactsError("Not a fact", f"Line {number} of {path.name} {what}.", remedy)


def slow_pattern(path: Path, number: int) -> FactsError:
    """Return the problem with a line whose pattern cannot be searched for in time."""
    remedy = "Write it without repetitions inside repetitions, such as (a+)+."
    return _bad_row(path, number, "has a pattern that takes too long to search for", remedy)

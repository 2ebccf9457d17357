"""Reads files of JSON lines: bad ones are named, and the rest is used where that will do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.storage.small_files import (
    UnusableFileError,
    parse_json,
    read_small_file,
    text_of,
)

# A benchmark's corpus of a hundred thousand passages.
MOST_BYTES = 500_000_000
RowT = TypeVar("RowT")
Row = dict[str, object]


class EvaluationFileError(PhaserGunError):
    """A file to evaluate on cannot be used."""


class BadRowError(Exception):
    """A row is not of its kind; the text says why, after "Line 3 of file.jsonl"."""


@dataclass(frozen=True, slots=True)
class Rows(Generic[RowT]):
    """The rows of a file in order, a sentence for each that is bad, the digest of the file."""

    rows: tuple[RowT, ...]
    bad: tuple[str, ...]
    sha256: str


def read_rows(
    path: Path, made: Callable[[Row, int], RowT], remedy: str, most: int = MOST_BYTES
) -> Rows[RowT]:
    """Return what ``made`` makes of every row and its line; blank lines are left out.

    ``made`` raises ``BadRowError``. Raises ``EvaluationFileError``, with ``remedy``, for a file
    that cannot be read, has more than ``most`` bytes or no good row.
    """
    content = read_content(path, remedy, most)
    rows: list[RowT] = []
    bad: list[str] = []
    for number, line in enumerate(_text(path, content, remedy).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(made(_object(line), number))
        except BadRowError as error:
            bad.append(f"Line {number} of {path.name} {error}.")
    if not rows:
        what = "no row that can be used" if bad else "no rows"
        told = " ".join([f"{path.name} holds {what}.", *bad[:1]])
        raise EvaluationFileError("Nothing to evaluate", told, remedy)
    return Rows(tuple(rows), tuple(bad), hashlib.sha256(content).hexdigest())


def read_every_row(
    path: Path, made: Callable[[Row, int], RowT], remedy: str, most: int
) -> Rows[RowT]:
    """Return the rows as ``read_rows`` does; a bad one raises ``EvaluationFileError`` too."""
    rows = read_rows(path, made, remedy, most)
    if rows.bad:
        raise EvaluationFileError("Row not usable", rows.bad[0], remedy)
    return rows


def read_content(path: Path, remedy: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file. Raises ``EvaluationFileError``."""
    try:
        return read_small_file(path, most)
    except FileNotFoundError as error:
        raise EvaluationFileError(
            "File not readable", f"{path.name} is not there.", "Check the path."
        ) from error
    except UnusableFileError as error:
        raise EvaluationFileError(
            "File not usable", error.message, f"{error.remedy} {remedy}"
        ) from error


def required(row: Row, key: str) -> str:
    """Return the text of ``key``. Raises ``BadRowError`` where there is none."""
    text = row.get(key)
    if not isinstance(text, str) or not text.strip():
        raise BadRowError(f"has no “{key}”")
    return text.strip()


def _text(path: Path, content: bytes, remedy: str) -> str:
    try:
        return text_of(path, content)
    except UnusableFileError as error:
        raise EvaluationFileError(
            "File not usable", error.message, f"{error.remedy} {remedy}"
        ) from error


def _object(line: str) -> Row:
    try:
        row = parse_json(line)
    except ValueError as error:
        raise BadRowError("is not JSON") from error
    if not isinstance(row, dict):
        raise BadRowError("is not an object")
    return row

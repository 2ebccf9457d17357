"""Reads a test collection: a folder of documents, queries and judgments as BEIR lays it out."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.evaluation.json_lines import (
    EvaluationFileError,
    Row,
    Rows,
    read_content,
    read_rows,
    required,
)

_LAYOUT = (
    "The folder holds corpus.jsonl {_id, title, text}, queries.jsonl {_id, text} and "
    "qrels_SPLIT.tsv (query, document, score)."
)


@dataclass(frozen=True, slots=True)
class CollectionDocument:
    """A document of the collection."""

    document_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectionQuery:
    """A query with its judged documents: ``gains`` by document id, above 0 for relevant ones."""

    query_id: str
    text: str
    gains: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries of a split that have a relevant document. ``bad`` names the lines that were
    left out; ``sha256`` is of the judgments."""

    queries: tuple[CollectionQuery, ...]
    bad: tuple[str, ...]
    sha256: str


def read_documents(folder: Path) -> Rows[CollectionDocument]:
    """Return the corpus. Raises ``EvaluationFileError``."""
    return read_rows(folder / "corpus.jsonl", _document, _LAYOUT)


def read_queries(folder: Path, split: str) -> Queries:
    """Return the queries that the judgments of ``split`` name. Raises ``EvaluationFileError``."""
    own = folder / f"queries_{split}.jsonl"
    texts = read_rows(own if own.exists() else folder / "queries.jsonl", _query, _LAYOUT)
    judgments = folder / f"qrels_{split}.tsv"
    if not judgments.exists():
        raise _no_split(folder, split)
    gains, bad, sha256 = _judgments(judgments)
    queries = tuple(
        CollectionQuery(name, text, gains[name])
        for name, text in texts.rows
        if any(gain > 0 for gain in gains.get(name, {}).values())
    )
    if not queries:
        what = f"No query of {folder.name} has a relevant document in {judgments.name}."
        raise EvaluationFileError("Nothing to evaluate", what, _LAYOUT)
    return Queries(queries, (*texts.bad, *bad), sha256)


def _no_split(folder: Path, split: str) -> EvaluationFileError:
    known = sorted(
        path.stem.removeprefix("qrels_") for path in folder.glob("qrels_*.tsv") if path.is_file()
    )
    remedy = f"Name one with --split: {', '.join(known)}." if known else _LAYOUT
    what = f"{folder.name} has no judgments of the split “{split}”."
    return EvaluationFileError("No judgments", what, remedy)


def _document(row: Row, _line: int) -> CollectionDocument:
    title, text = row.get("title"), row.get("text")
    return CollectionDocument(
        required(row, "_id"),
        title.strip() if isinstance(title, str) else "",
        text.strip() if isinstance(text, str) else "",
    )


def _query(row: Row, _line: int) -> tuple[str, str]:
    return required(row, "_id"), required(row, "text")


def _judgments(path: Path) -> tuple[dict[str, dict[str, float]], list[str], str]:
    content = read_content(path, _LAYOUT)
    gains: dict[str, dict[str, float]] = {}
    bad: list[str] = []
    for number, line in enumerate(content.decode("utf-8-sig", "replace").split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[0] == "query-id"):
            continue
        try:
            query, document, score = cells
            gain = float(score)
            if not math.isfinite(gain):
                raise ValueError(score)
            gains.setdefault(query, {})[document] = gain
        except ValueError:
            bad.append(f"Line {number} of {path.name} is not query, document and score.")
    return gains, bad, hashlib.sha256(content).hexdigest()

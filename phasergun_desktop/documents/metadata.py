"""Works out what a document says of itself: title, number, revision, words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.builder import folded, storable
from phasergun_desktop.documents.model import Block, BlockKind, DocumentMetadata

_SEARCHED_CHARACTERS = 4_000
_SENSELESS_TITLE = re.compile(
    r"^(untitled|document\s?\d*|dokument\s?\d*|microsoft word\s*-.*|title|template|word document"
    r"|presentation\s?\d*|doc\d+|document title|.*\.[a-z]{2,4}|.* -S|[\W\d]*)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:document|doc|procedure|sop|form|policy|report|record)\s*"
    r"(?:number|no\.?|id|identifier|#)\s*[:|#]?\s*(?P<value>[A-Z]{1,6}[A-Z0-9 ]?"
    r"[A-Z0-9._/-]*\d[A-Z0-9._/-]*)",
    re.IGNORECASE,
)
_SENSELESS_AUTHORS = frozenset({"", "python-docx", "unknown", "user", "admin", "author"})
_REVISION = re.compile(
    r"^(?:document\s+)?(?:revision|rev\.?|version|issue)\s*(?:number|no\.?|level)?\s*[:|#]?\s*"
    r"(?P<value>v?\d+(?:\.\d+){0,3}|[A-Z])(?=\s*(?:$|[|;,]))",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER_KEYS = ("document_number", "document number", "document_id", "doc_id", "number", "id")
_REVISION_KEYS = ("revision", "rev", "version", "document_version", "sop_version", "policy_version")
_LEADING_NUMBER = re.compile(r"^(?P<value>[A-Z]{2,5}-(?:[A-Z]{1,3}-)?\d{2,5})\b")


@dataclass(frozen=True, slots=True)
class FileProperties:
    """What a format's own property fields say; empty where they say nothing."""

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""
    pages: int | None = None
    front_matter: tuple[tuple[str, str], ...] = ()


def describe(
    path: Path, properties: FileProperties, text: str, blocks: Sequence[Block]
) -> DocumentMetadata:
    """Return the metadata of the document with ``text`` and ``blocks``."""
    front = {key.lower(): value for key, value in properties.front_matter}
    title = _title(path, properties, text, blocks, front)
    opening = _opening(text, blocks)
    number = _first(front, _NUMBER_KEYS) or _found(_NUMBER, opening) or _numbered_name(title, path)
    return DocumentMetadata(
        title=storable(title),
        author=storable(_author(properties, front)),
        created=storable(properties.created or front.get("date", "")),
        modified=storable(properties.modified),
        pages=properties.pages,
        words=len(text.split()),
        language=storable(properties.language or front.get("language", "")),
        document_number=storable(number),
        revision=storable(_first(front, _REVISION_KEYS) or _found(_REVISION, opening)),
        front_matter=tuple(
            (storable(key), storable(value)) for key, value in properties.front_matter
        ),
    )


def _author(properties: FileProperties, front: dict[str, str]) -> str:
    stated = folded(properties.author)
    return front.get("author", "") if stated.lower() in _SENSELESS_AUTHORS else stated


def _title(
    path: Path,
    properties: FileProperties,
    text: str,
    blocks: Sequence[Block],
    front: dict[str, str],
) -> str:
    stated = folded(properties.title)
    if 3 <= len(stated) <= 200 and not _SENSELESS_TITLE.match(stated):
        return stated
    for block in blocks[:15]:
        if block.kind is BlockKind.HEADING and block.level == 1:
            heading = folded(text[block.start : block.end])
            if 2 < len(heading) <= 200 and not _SENSELESS_TITLE.match(heading):
                return heading
    return folded(front.get("title", "")) or path.stem


def _opening(text: str, blocks: Sequence[Block]) -> str:
    """Return where a document states its number: its first page, its headers and footers."""
    margins = [
        text[block.start : block.end] for block in blocks if block.kind is BlockKind.HEADER_FOOTER
    ]
    columns = [
        f"{header}: {cell}"
        for block in blocks[:40]
        for header, cell in block.cells
        if header and cell
    ]
    return "\n".join([*columns[:40], text[:_SEARCHED_CHARACTERS], *margins[:20]])


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match["value"].strip().rstrip(".") if match else ""


def _numbered_name(title: str, path: Path) -> str:
    for name in (title, path.stem):
        match = _LEADING_NUMBER.match(name)
        if match:
            return match["value"]
    return ""


def _first(front: dict[str, str], keys: tuple[str, ...]) -> str:
    return next((front[key].strip() for key in keys if front.get(key, "").strip()), "")

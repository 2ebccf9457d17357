"""Works out what a document says of itself: title, author, dates, numbers, language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from phasergun_desktop.documents.builder import folded, storable
from phasergun_desktop.documents.document_numbers import (
    document_number,
    revision,
    submission_number,
)
from phasergun_desktop.documents.language import stated_or_guessed
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    ParsedDocument,
)
from phasergun_desktop.documents.papers import paper_of
from phasergun_desktop.text.abbreviations import abbreviations_in

_SEARCHED_CHARACTERS = 4_000
_PAPER_BLOCKS = 40
_SENSELESS_TITLE = re.compile(
    r"^(untitled|document\s?\d*|dokument\s?\d*|microsoft word\s*-.*|title|template|word document"
    r"|(?:powerpoint )?presentation\s?\d*|slide\s?\d*|doc\d+|document title|paper title.*"
    r"|.*\.[a-z]{2,4}|.* -S|[\W\d]*)$",
    re.IGNORECASE,
)
# The first heading of a document without a title.
_SECTION_NAME = re.compile(
    r"^[\d.\s]*(abstract|background|contents|general|introduction|overview|purpose|scope|summary"
    r"|table of contents)$",
    re.IGNORECASE,
)
_SENSELESS_AUTHORS = frozenset({"", "python-docx", "unknown", "user", "admin", "author"})


@dataclass(frozen=True, slots=True)
class FileProperties:
    """What a format's own property fields say; empty where they say nothing.

    ``read_with`` names the program or library that converted or recognised the file; ``authors``
    are those that a publisher has written into it, ``author`` is whom it names as its maker.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""
    pages: int | None = None
    stated_words: int | None = None
    front_matter: tuple[tuple[str, str], ...] = ()
    read_with: str = ""
    authors: tuple[str, ...] = ()


def describe(
    path: Path, properties: FileProperties, text: str, blocks: Sequence[Block]
) -> DocumentMetadata:
    """Return the metadata of the document with ``text`` and ``blocks``."""
    stated = tuple((storable(key), storable(value)) for key, value in properties.front_matter)
    front = {key.lower(): value for key, value in stated}
    title = _title(path, properties, text, blocks, front)
    margins = _margins(text, blocks)
    opening = _opening(text, blocks, margins)
    names = (title, path.stem)
    first_blocks = [
        _narrow(text[block.start : min(block.end, block.start + _SEARCHED_CHARACTERS)])
        for block in blocks[:_PAPER_BLOCKS]
    ]
    authors = [storable(name) for name in properties.authors or (properties.author,)]
    paper = paper_of(front, authors, first_blocks)
    language = stated_or_guessed(properties.language or front.get("language", ""), text)
    return replace(
        paper,
        title=storable(title),
        author=storable(_author(properties, front)),
        created=storable(properties.created) or front.get("date", ""),
        modified=storable(properties.modified),
        pages=_kept_up_pages(properties, len(text.split())),
        words=len(text.split()),
        language=storable(language),
        document_number=document_number(front, opening, names),
        revision=revision(front, opening, margins),
        k_number=submission_number(opening, text, names),
        read_with=properties.read_with,
        front_matter=stated,
        abbreviations=abbreviations_in(_texts(text, blocks)),
    )


def _texts(text: str, blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the text of each block, of a row its cells without their headers."""
    for block in blocks:
        cells = [storable(cell) for _, cell in block.cells]
        yield " | ".join(cells) if cells else text[block.start : block.end]


def describe_renamed(
    document: ParsedDocument, old: PurePath, new: PurePath
) -> DocumentMetadata | None:
    """Return the metadata that reading ``document`` under its ``new`` name would give; None where
    it must be read: its title may be its old name."""
    metadata, text, blocks = document.metadata, document.text, document.blocks
    if old.stem == new.stem:
        return metadata
    if metadata.title == storable(old.stem):
        return None
    front = {key.lower(): value for key, value in metadata.front_matter}
    opening = _opening(text, blocks, _margins(text, blocks))
    names = (metadata.title, new.stem)
    return replace(
        metadata,
        document_number=storable(document_number(front, opening, names)),
        k_number=storable(submission_number(opening, text, names)),
    )


def _kept_up_pages(properties: FileProperties, words: int) -> int | None:
    """Return the stated pages, unless the words stated beside them are those of another text.

    Programs that write Word files leave the template's counts in them.
    """
    stated = properties.stated_words
    if stated is not None and not words / 2 <= stated <= words * 2:
        return None
    return properties.pages


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
            if _SECTION_NAME.match(heading):
                break
            if 2 < len(heading) <= 200 and not _SENSELESS_TITLE.match(heading):
                return heading
    return folded(_stated_title(front)).strip("'\"") or path.stem


def _stated_title(front: dict[str, str]) -> str:
    """Return the title among the stated properties; of several below other keys, none."""
    nested = [key for key in front if key.endswith("title") and "." in key]
    return front.get("title", "") or (front[nested[0]] if len(nested) == 1 else "")


def _margins(text: str, blocks: Sequence[Block]) -> str:
    """Return the first headers and footers."""
    found = [
        text[block.start : block.end] for block in blocks if block.kind is BlockKind.HEADER_FOOTER
    ]
    return _narrow("\n".join(part[:_SEARCHED_CHARACTERS] for part in found[:20]))


def _opening(text: str, blocks: Sequence[Block], margins: str) -> str:
    """Return where a document states its number: its first page, its headers and footers."""
    columns = [
        f"{header}: {cell}"
        for block in blocks[:40]
        for header, cell in block.cells
        if header and cell
    ]
    parts = (*columns[:40], text[:_SEARCHED_CHARACTERS], margins)
    return _narrow("\n".join(part[:_SEARCHED_CHARACTERS] for part in parts))


def _narrow(text: str) -> str:
    """Return ``text`` without empty lines and with at most two spaces in a row.

    Patterns that allow for space would take forever on a page of nothing else.
    """
    lines = (re.sub(r"\s{2,}", "  ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)

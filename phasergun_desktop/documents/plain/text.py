"""Reads plain text: paragraphs between empty lines, numbered lines as headings."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.headings import heading_depth, is_list_item
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.encodings import decode_text

# A file without empty lines would be one block; cut there, so that a locator stays useful.
MAX_PARAGRAPH_LINES = 60


def read_text(data: bytes, builder: DocumentBuilder) -> None:
    """Append the blocks of a text file to ``builder``."""
    decoded = decode_text(data)
    if decoded.guessed:
        builder.warn("The encoding is not stated in the file; Windows-1252 was assumed.")
    _add_lines(decoded.text.split("\n"), builder)


def _add_lines(lines: list[str], builder: DocumentBuilder) -> None:
    pending: list[str] = []
    first = 1
    for number, line in enumerate([*lines, ""], start=1):
        if not line.strip():
            _flush(pending, first, builder)
            pending = []
            continue
        alone = not pending and (number >= len(lines) or not lines[number].strip())
        depth = heading_depth(line.strip())
        if depth and (alone or (not pending and not is_list_like(lines, number))):
            builder.add(BlockKind.HEADING, line, LineLocator(number), level=depth)
            continue
        starts_item = is_list_item(line.strip())
        if pending and (starts_item or len(pending) >= MAX_PARAGRAPH_LINES):
            _flush(pending, first, builder)
            pending = []
        if not pending:
            first = number
        pending.append(line)


def is_list_like(lines: list[str], number: int) -> bool:
    """Say whether line ``number`` (from 1) has a neighbour that is numbered as well."""
    following = lines[number].strip() if number < len(lines) else ""
    return is_list_item(following) or bool(heading_depth(following))


def _flush(pending: list[str], first: int, builder: DocumentBuilder) -> None:
    if not pending:
        return
    text = "\n".join(line.strip() for line in pending)
    item = is_list_item(text)
    kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH
    builder.add(kind, text, LineLocator(first), group="list" if item else None)

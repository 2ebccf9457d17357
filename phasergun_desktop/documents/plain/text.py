"""Reads plain text: paragraphs between empty lines, numbered lines as headings."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.headings import heading_depth, is_list_item
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.encodings import decoded_lines

# A file without empty lines would be one block; cut there, so that a locator stays useful.
MAX_PARAGRAPH_LINES = 60


def read_text(data: bytes, builder: DocumentBuilder) -> None:
    """Append the blocks of a text file to ``builder``.

    Lines end with LF, CR or both, as editors count them. A form feed parts paragraphs but not
    lines: what follows it stands in the same line.
    """
    _add_lines(_numbered_lines(decoded_lines(data, builder)), builder)


def _numbered_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of ``text`` with their numbers, cut at form feeds by an empty one."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        first, *others = line.split("\f")
        found.append((number, first))
        for other in others:
            found.extend(((number, ""), (number, other)))
    return found


def _add_lines(lines: list[tuple[int, str]], builder: DocumentBuilder) -> None:
    pending: list[str] = []
    first = 1
    for index, (number, line) in enumerate([*lines, (0, "")]):
        if not line.strip():
            _flush(pending, first, builder)
            pending = []
            continue
        depth = 0 if pending else heading_depth(line.strip())
        if depth and not _is_numbered(_following(lines, index)):
            builder.add(BlockKind.HEADING, line, LineLocator(number), level=depth)
            continue
        starts_item = is_list_item(line.strip())
        if pending and (starts_item or len(pending) >= MAX_PARAGRAPH_LINES):
            _flush(pending, first, builder)
            pending = []
        if not pending:
            first = number
        pending.append(line)


def _following(lines: list[tuple[int, str]], index: int) -> str:
    return lines[index + 1][1].strip() if index + 1 < len(lines) else ""


def _is_numbered(line: str) -> bool:
    return is_list_item(line) or bool(heading_depth(line))


def _flush(pending: list[str], first: int, builder: DocumentBuilder) -> None:
    if not pending:
        return
    text = "\n".join(line.strip() for line in pending)
    item = is_list_item(text)
    kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH
    builder.add(kind, text, LineLocator(first), group="list" if item else None)

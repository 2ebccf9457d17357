"""Reads plain text: paragraphs between empty lines, numbered lines as headings."""

from __future__ import annotations

from itertools import pairwise

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decoded_lines
from phasergun_desktop.documents.headings import heading_depth, is_list_item
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.aligned_columns import AlignedTable, Line, parts
from phasergun_desktop.documents.table_blocks import TableRow, add_table

# A file without empty lines would be one block; cut there, so that a locator stays useful.
MAX_PARAGRAPH_LINES = 60


def read_text(data: bytes, builder: DocumentBuilder) -> None:
    """Append the blocks of a text file to ``builder``.

    Lines end with LF, CR or both, as editors count them. A form feed parts paragraphs but not
    lines: what follows it stands in the same line.
    """
    _add_lines(_numbered_lines(decoded_lines(data, builder)), builder)


def _numbered_lines(text: str) -> list[Line]:
    """Return the lines of ``text`` with their numbers, cut at form feeds by an empty one."""
    found: list[Line] = []
    for number, line in enumerate(text.split("\n"), start=1):
        first, *others = line.split("\f")
        found.append((number, first))
        for other in others:
            found.extend(((number, ""), (number, other)))
    return found


def _add_lines(lines: list[Line], builder: DocumentBuilder) -> None:
    pending: list[Line] = []
    for index, (number, line) in enumerate([*lines, (0, "")]):
        if not line.strip():
            _flush(pending, builder)
            pending = []
            continue
        depth = 0 if pending else heading_depth(line.strip())
        if depth and not _is_numbered(_following(lines, index)):
            builder.add(BlockKind.HEADING, line, LineLocator(number), level=depth)
            continue
        if len(pending) >= MAX_PARAGRAPH_LINES:
            _flush(pending, builder)
            pending = []
        pending.append((number, line))


def _following(lines: list[Line], index: int) -> str:
    return lines[index + 1][1].strip() if index + 1 < len(lines) else ""


def _is_numbered(line: str) -> bool:
    return is_list_item(line) or bool(heading_depth(line))


def _flush(pending: list[Line], builder: DocumentBuilder) -> None:
    for part in parts(pending):
        if isinstance(part, AlignedTable):
            rows = [TableRow(cells, LineLocator(number)) for number, cells in part.rows]
            add_table(builder, rows, group=("columns", part.rows[0][0]), may_head=part.may_head)
        else:
            _add_text(part, builder)


def _add_text(lines: list[Line], builder: DocumentBuilder) -> None:
    starts = [at for at, (_, line) in enumerate(lines) if not at or is_list_item(line.strip())]
    for start, end in pairwise([*starts, len(lines)]):
        text = "\n".join(line.strip() for _, line in lines[start:end])
        item = is_list_item(text)
        kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH
        builder.add(kind, text, LineLocator(lines[start][0]), group="list" if item else None)

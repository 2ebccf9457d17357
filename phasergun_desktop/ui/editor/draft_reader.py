"""Reads the editor's document into a draft's shape."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextBlock, QTextCursor, QTextDocument, QTextTable

from phasergun_desktop.drafts.draft_shape import (
    NO_FOOTNOTE,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
)
from phasergun_desktop.ui.editor.draft_formats import (
    acceptance_mark,
    footnote_of,
    is_provisional,
    unit_of,
)
from phasergun_desktop.ui.qt_absent import list_of, table_of
from phasergun_desktop.ui.text_stretches import blocks_from, fragments_of, stretch

LINE_SEPARATOR = "\u2028"


def read_shape(document: QTextDocument, start: int = 0, end: int | None = None) -> DraftShape:
    """Return what stands between two UTF-16 positions; streaming text is left out."""
    limit = document.characterCount() if end is None else end
    pieces: list[Paragraph | Table] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < max(limit, 1):
        table = table_of(QTextCursor(block))
        if table is None:
            pieces.append(_paragraph(block, start, limit))
            block = block.next()
        elif start > table.firstPosition() or limit < table.lastPosition():
            # Part of a table is taken as its text.
            pieces.append(_paragraph(block, start, limit))
            block = block.next()
        else:
            pieces.append(read_table(table))
            block = document.findBlock(table.lastPosition() + 1)
    return tuple(pieces)


def _paragraph(block: QTextBlock, start: int, end: int) -> Paragraph:
    at = block.position()
    level = block.blockFormat().headingLevel()
    if level:
        runs = _runs(block, start, end, at, in_bold=True)
        return Paragraph(ParagraphKind.HEADING, runs, level, block.blockNumber(), at)
    if list_of(block) is not None:
        deeper = block.blockFormat().indent()
        depth = deeper + 1 if deeper else 0
        runs = _runs(block, start, end, at)
        return Paragraph(ParagraphKind.LIST_ITEM, runs, depth, block.blockNumber(), at)
    return Paragraph(ParagraphKind.TEXT, _runs(block, start, end, at), 0, block.blockNumber(), at)


def read_block(block: QTextBlock) -> Paragraph | Row:
    """Return the paragraph, or the row of a table that it is part of."""
    table = table_of(QTextCursor(block))
    if table is None:
        return _paragraph(block, 0, block.position() + block.length())
    return _row(table, table.cellAt(block.position()).row())


def read_table(table: QTextTable) -> Table:
    """Return the rows of a table."""
    return Table(tuple(_row(table, row) for row in range(table.rows())))


def _row(table: QTextTable, row: int) -> Row:
    cells: list[tuple[Run, ...]] = []
    origin = table.cellAt(row, 0).firstCursorPosition().block()
    at = origin.position()
    for column in range(table.columns()):
        cell = table.cellAt(row, column)
        if (cell.row(), cell.column()) != (row, column):
            # Part of a merged cell, the words of which stand at its first place.
            cells.append(())
            continue
        runs: list[Run] = []
        last = cell.lastPosition()
        for block in blocks_from(cell.firstCursorPosition().block(), last):
            if runs:
                between = block.position() - at
                runs.append(Run(" ", start=between - 1, end=between))
            runs.extend(_runs(block, 0, last, at))
        cells.append(tuple(runs))
    is_header = row < table.format().headerRowCount()
    return Row(tuple(cells), is_header, origin.blockNumber(), at)


def _runs(
    block: QTextBlock, start: int, end: int, origin: int, in_bold: bool = False
) -> tuple[Run, ...]:
    runs: list[Run] = []
    for fragment in fragments_of(block):
        text_format = fragment.charFormat()
        first, last = fragment.position(), fragment.position() + fragment.length()
        if is_provisional(text_format) or last <= start or first >= end:
            continue
        mark = footnote_of(text_format)
        text = ""
        first, last = max(first, start), min(last, end)
        if mark == NO_FOOTNOTE:
            selected = stretch(block.document(), first, last).selectedText()
            text = selected.replace(LINE_SEPARATOR, " ")
        bold = text_format.fontWeight() >= QFont.Weight.Bold and not in_bold
        runs.append(
            Run(
                text,
                unit_of(text_format),
                mark,
                is_bold=bold,
                is_italic=text_format.fontItalic(),
                accepted=acceptance_mark(text_format),
                start=first - origin,
                end=last - origin,
            )
        )
    return tuple(runs)

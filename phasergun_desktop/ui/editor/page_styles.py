"""Styles of paragraphs and tables as the writer chooses them, each change one undo step."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from phasergun_desktop.drafts.draft_shape import ParagraphKind, Row, Table
from phasergun_desktop.ui.editor import draft_formats as formats
from phasergun_desktop.ui.editor.draft_reader import read_block, read_table
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, one_step
from phasergun_desktop.ui.qt_absent import list_of, table_of
from phasergun_desktop.ui.text_stretches import blocks_from

FIRST_TABLE = (3, 3)


def style_at(cursor: QTextCursor) -> tuple[ParagraphKind, int]:
    """Return the kind of the paragraph at the cursor, and the level of a heading."""
    block = cursor.block()
    level = block.blockFormat().headingLevel()
    if level:
        return ParagraphKind.HEADING, level
    kind = ParagraphKind.LIST_ITEM if list_of(block) is not None else ParagraphKind.TEXT
    return kind, 0


def set_style(selected: QTextCursor, kind: ParagraphKind, level: int = 0) -> None:
    """Make the selected paragraphs of this kind; those in tables stay as they are."""
    document = selected.document()
    cursor = QTextCursor(document)
    with one_step(cursor):
        for number in list(_paragraphs(selected)):
            block = document.findBlockByNumber(number)
            paragraph = read_block(block)
            if isinstance(paragraph, Row):
                continue
            _clear(cursor, block)
            _leave_list(document, number)
            cursor.setPosition(document.findBlockByNumber(number).position())
            writer = ShapeWriter(cursor)
            writer.start_block(kind, level)
            writer.add_runs(paragraph.runs)


def toggle_list(selected: QTextCursor) -> None:
    """Make the selected paragraphs items of a list, or text where they are."""
    is_list = style_at(selected)[0] is ParagraphKind.LIST_ITEM
    set_style(selected, ParagraphKind.TEXT if is_list else ParagraphKind.LIST_ITEM)


def insert_table(cursor: QTextCursor) -> QTextCursor | None:
    """Put an empty table behind the paragraph at the cursor and return its first cell; None within
    a table."""
    if table_of(cursor) is not None:
        return None
    rows, columns = FIRST_TABLE
    empty = Table(tuple(Row(((),) * columns, row == 0) for row in range(rows)))
    made = QTextCursor(cursor)
    with one_step(made):
        made.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        if made.block().length() > 1:
            ShapeWriter(made).start_block(ParagraphKind.TEXT, may_reuse=False)
        table = ShapeWriter(made).add_table(empty)
    return table.cellAt(0, 0).firstCursorPosition() if table is not None else None


def change_table(cursor: QTextCursor, rows: int = 0, columns: int = 0) -> QTextCursor | None:
    """Add a row or column behind that of the cursor (1) or take it out (-1), of the last one the
    table; return the cell to go on in."""
    table = table_of(cursor)
    if table is None:
        return None
    cell = table.cellAt(cursor.position())
    row, column = cell.row(), cell.column()
    is_gone = table.rows() + rows == 0 or table.columns() + columns == 0
    with one_step(cursor):
        if rows > 0:
            table.insertRows(row + 1, 1)
        elif rows < 0:
            table.removeRows(row, 1)
        if columns > 0:
            table.insertColumns(column + 1, 1)
        elif columns < 0:
            table.removeColumns(column, 1)
        if columns and not is_gone:
            table.setFormat(formats.table_format(read_table(table)))
    if is_gone:
        return None
    at = (
        min(row + max(rows, 0), table.rows() - 1),
        min(column + max(columns, 0), table.columns() - 1),
    )
    return table.cellAt(*at).firstCursorPosition()


def _paragraphs(selected: QTextCursor) -> Iterator[int]:
    document = selected.document()
    first = document.findBlock(selected.selectionStart())
    for block in blocks_from(first, selected.selectionEnd()):
        yield block.blockNumber()


def _clear(cursor: QTextCursor, block: QTextBlock) -> None:
    cursor.setPosition(block.position())
    cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()


def _leave_list(document: QTextDocument, number: int) -> None:
    block = document.findBlockByNumber(number)
    in_list = list_of(block)
    if in_list is not None:
        in_list.remove(block)

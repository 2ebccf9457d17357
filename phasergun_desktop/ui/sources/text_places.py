"""Where rows, headers and paragraphs stand in a document that is laid out, in its pixels."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QTextCursor,
    QTextDocument,
    QTextTable,
    QTextTableCell,
)

from phasergun_desktop.ui.qt_absent import table_of
from phasergun_desktop.ui.sources.text_writer import CELL_PADDING
from phasergun_desktop.ui.text_stretches import blocks_from


def top_position(document: QTextDocument, top: int) -> int:
    """Return the position at which the paragraph that stands at ``top`` begins."""
    # Asking the layout for the text at a point gives the end of the document between two frames.
    layout = document.documentLayout()
    low, high = 0, document.blockCount() - 1
    while low < high:
        middle = (low + high + 1) // 2
        if layout.blockBoundingRect(document.findBlockByNumber(middle)).top() <= top + 1.0:
            low = middle
        else:
            high = middle - 1
    return document.findBlockByNumber(low).position()


def band_of(document: QTextDocument, runs: list[tuple[int, int]]) -> QRectF:
    """Return the band behind the row, shape or cue that ``runs`` (first, last) are of."""
    layout = document.documentLayout()
    cursor = QTextCursor(document)
    cursor.setPosition(runs[0][0])
    table = table_of(cursor)
    band = QRectF()
    if table is not None:
        row = table.cellAt(cursor).row()
        for column in range(table.columns()):
            band = band.united(_cell_rect(layout, table.cellAt(row, column)))
        return band.adjusted(-CELL_PADDING, -CELL_PADDING, CELL_PADDING, CELL_PADDING)
    for first, last in runs:
        for block in blocks_from(document.findBlock(first), last - 1):
            band = band.united(layout.blockBoundingRect(block))
    frame = layout.frameBoundingRect(cursor.currentFrame())
    band.setLeft(frame.left())
    band.setRight(frame.right())
    return band.adjusted(0, -CELL_PADDING, 0, CELL_PADDING)


def header_of(document: QTextDocument, table: QTextTable) -> QRectF:
    """Return where the header rows of ``table`` stand; empty where it has none."""
    rows = table.format().headerRowCount()
    if not 0 < rows < table.rows():
        return QRectF()
    layout = document.documentLayout()
    # The frame of a table is a little to the side of its lines: the cells say where it is.
    first = _cell_rect(layout, table.cellAt(0, 0))
    last = _cell_rect(layout, table.cellAt(0, table.columns() - 1))
    below = _cell_rect(layout, table.cellAt(rows, 0))
    header = QRectF(first.topLeft(), QPointF(last.right(), below.top()))
    return header.adjusted(-CELL_PADDING - 1, -CELL_PADDING - 1, CELL_PADDING + 1, -CELL_PADDING)


def _cell_rect(layout: QAbstractTextDocumentLayout, cell: QTextTableCell) -> QRectF:
    first = layout.blockBoundingRect(cell.firstCursorPosition().block())
    return first.united(layout.blockBoundingRect(cell.lastCursorPosition().block()))

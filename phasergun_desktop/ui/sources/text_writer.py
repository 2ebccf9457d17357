"""Writes the blocks of a source into a document: headings, lists, tables, code, notes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)

from phasergun_desktop.documents.model import Block, BlockKind, ParagraphLocator, SlideLocator
from phasergun_desktop.text.sentences import without_list_mark
from phasergun_desktop.ui.sources.placed_text import PlacedRun
from phasergun_desktop.ui.sources.table_columns import column_labels, placed_cells, spans_row
from phasergun_desktop.ui.theme import MONOSPACE_FACES, Colours

# Laying out 1,800 cells takes 0.15 s; above this, rows are lines.
MOST_TABLE_CELLS = 1800
CELL_PADDING = 4.0
HEADING_STEPS = {1: 2, 2: 1, 3: 0}
LINE_ENDS = str.maketrans("\n\r\u2029", "\u2028" * 3)
FIXED = int(QTextBlockFormat.LineHeightTypes.FixedHeight.value)
PROPORTIONAL = int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
ASIDES = {
    BlockKind.NOTE: "Notes and comments",
    BlockKind.HEADER_FOOTER: "Headers and footers of the pages",
}


class TextWriter:
    """Writes at the end of the document and remembers where every piece of the source went."""

    def __init__(self, document: QTextDocument, text: str, font: QFont, colours: Colours) -> None:
        self.runs: list[PlacedRun] = []
        self.has_headers = False
        self.cursor = QTextCursor(document)
        self.font = font
        self.colours = colours
        self._text = text
        self._is_fresh = True
        self.label_look = QTextCharFormat()
        self.label_look.setForeground(colours.muted)
        self.label_look.setProperty(int(QTextFormat.Property.FontSizeAdjustment.value), -1)

    def write_all(self, blocks: Sequence[Block]) -> None:
        """Write blocks in their order, the rows of a table as a table."""
        before: BlockKind | None = None
        for group in grouped(blocks):
            kind = group[0].kind
            if kind in ASIDES and kind is not before:
                self.add_label(ASIDES[kind])
            before = kind
            if kind is BlockKind.TABLE_ROW and group[0].cells:
                self.add_table(group)
            else:
                self.add_block(group[0])

    def add_block(self, block: Block) -> None:
        """Write a heading, paragraph, list item, code or other block."""
        layout, look = self._formats(block)
        self.new_paragraph(layout, look)
        text = self._text[block.start : block.end].strip()
        if block.kind is BlockKind.LIST_ITEM and without_list_mark(text) == text:
            self.cursor.insertText("• ", look)
        self.place(self.cursor, block.start, block.end, look)

    def add_label(self, text: str) -> None:
        """Write words of our own, which are not in the source, so that they look like it."""
        layout = QTextBlockFormat()
        layout.setTopMargin(10.0)
        layout.setBottomMargin(4.0)
        self.new_paragraph(layout, self.label_look)
        self.cursor.insertText(text, self.label_look)

    def add_table(self, rows: Sequence[Block]) -> None:
        """Write consecutive rows, with the header that they carry if it is no row itself."""
        labels = column_labels(rows)
        cells = [placed_cells(row, labels, self._text) for row in rows]
        columns = max(len(labels), max(one[-1].column for one in cells) + 1)
        if len(rows) * columns > MOST_TABLE_CELLS:
            for row in rows:
                self.add_block(row)
            return
        needs_header = not rows[0].is_table_header and any(labels)
        headers = sum(1 for row in rows if row.is_table_header) + int(needs_header)
        self._is_fresh = False
        made = _table_format(self.colours)
        made.setHeaderRowCount(headers)
        self.has_headers = self.has_headers or headers > 0
        table = self.cursor.insertTable(len(rows) + int(needs_header), columns, made)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        if needs_header:
            for column, label in enumerate(labels):
                table.cellAt(0, column).firstCursorPosition().insertText(label, bold)
        for index, (row, placed) in enumerate(zip(rows, cells, strict=True)):
            line = index + int(needs_header)
            if row.is_table_header:
                _merge_repeated(table, line, row)
            elif spans_row(row) and columns > 1:
                table.mergeCells(line, 0, 1, columns)
            look = bold if row.is_table_header else QTextCharFormat()
            for cell in placed:
                inside = table.cellAt(line, cell.column).firstCursorPosition()
                if cell.end > cell.start:
                    self.place(inside, cell.start, cell.end, look)
                elif not row.is_table_header:
                    inside.insertText(cell.text, look)
        self._leave(table.lastPosition() + 1)

    def start_frame(self, layout: QTextFrameFormat) -> None:
        """Open a frame; what is written next stands in it."""
        self.cursor.insertFrame(layout)
        self._is_fresh = True

    def end_frame(self) -> None:
        """Close the innermost frame."""
        self._leave(self.cursor.currentFrame().lastPosition() + 1)

    def new_paragraph(self, layout: QTextBlockFormat, look: QTextCharFormat) -> None:
        """Begin a paragraph."""
        if self._is_fresh:
            self.cursor.setBlockFormat(layout)
            self.cursor.setBlockCharFormat(look)
            self._is_fresh = False
        else:
            self.cursor.insertBlock(layout, look)

    def place(self, cursor: QTextCursor, start: int, end: int, look: QTextCharFormat) -> None:
        """Write code points ``start``..``end`` of the source."""
        if end <= start:
            return
        self.runs.append(PlacedRun(start, end, cursor.position()))
        # A line end inside a block stays one character, so positions keep their count.
        cursor.insertText(self._text[start:end].translate(LINE_ENDS), look)

    def _leave(self, position: int) -> None:
        """Go on behind a table or frame, where Qt keeps an empty paragraph."""
        self.cursor.setPosition(position)
        # It has no height unless something is written into it.
        thin = QTextBlockFormat()
        thin.setLineHeight(1.0, FIXED)
        self.cursor.setBlockFormat(thin)
        self._is_fresh = True

    def _formats(self, block: Block) -> tuple[QTextBlockFormat, QTextCharFormat]:
        layout, look = QTextBlockFormat(), QTextCharFormat()
        layout.setLineHeight(130.0, PROPORTIONAL)
        layout.setBottomMargin(8.0)
        if block.kind is BlockKind.HEADING:
            layout.setHeadingLevel(min(max(block.level, 1), 6))
            layout.setTopMargin(12.0)
            look.setFontWeight(QFont.Weight.Bold)
            step = HEADING_STEPS.get(max(block.level, 1), 0)
            look.setProperty(int(QTextFormat.Property.FontSizeAdjustment.value), step)
        elif block.kind is BlockKind.LIST_ITEM:
            layout.setLeftMargin(18.0 * (1 + min(max(block.level, 0), 5)))
            layout.setTextIndent(-12.0)
            layout.setBottomMargin(3.0)
        elif block.kind is BlockKind.CODE:
            layout.setLineHeight(115.0, PROPORTIONAL)
            layout.setLeftMargin(12.0)
            look.setFontFamilies(list(MONOSPACE_FACES))
            look.setFontFixedPitch(True)
        elif block.kind in ASIDES:
            look.setForeground(self.colours.muted)
        elif block.kind is BlockKind.CAPTION:
            look.setFontItalic(True)
        return layout, look


def grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Group the rows of one table; everything else stands alone."""
    groups: list[list[Block]] = []
    for block in blocks:
        last = groups[-1][-1] if groups else None
        if last is not None and _continues(block, last):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _continues(block: Block, last: Block) -> bool:
    return (
        block.kind is BlockKind.TABLE_ROW
        and last.kind is BlockKind.TABLE_ROW
        and bool(block.cells)
        and bool(last.cells)
        and (last.is_table_header or not block.is_table_header)
        and _table_of(block) == _table_of(last)
    )


def _table_of(block: Block) -> object:
    match block.locator:
        case ParagraphLocator(table=table):
            return table
        case SlideLocator(slide=slide, shape=shape):
            return (slide, shape)
        case _:
            return None


def _merge_repeated(table: QTextTable, line: int, row: Block) -> None:
    """Show a heading over several columns once: the cells repeat it."""
    texts = [cell for _label, cell in row.cells]
    first = 0
    while first < len(texts):
        last = first + 1
        while last < len(texts) and texts[first] and texts[last] == texts[first]:
            last += 1
        if last - first > 1:
            table.mergeCells(line, first, 1, last - first)
        first = last


def _table_format(colours: Colours) -> QTextTableFormat:
    made = QTextTableFormat()
    made.setBorder(1.0)
    made.setBorderCollapse(True)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(QBrush(colours.rule))
    made.setCellPadding(CELL_PADDING)
    made.setCellSpacing(0.0)
    made.setTopMargin(4.0)
    made.setBottomMargin(10.0)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100.0))
    return made

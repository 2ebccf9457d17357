"""Lays out a parsed document as text with structure, and maps its code points to positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTableFormat,
)

from phasergun_desktop.documents.model import Block, BlockKind, ParagraphLocator, ParsedDocument
from phasergun_desktop.ui.theme import MONOSPACE_FACES

# A QTextTable with thousands of rows takes seconds to lay out; above this, rows are lines.
MOST_TABLE_ROWS = 300
HEADING_STEPS = {1: 2, 2: 1, 3: 0}
LINE_SEPARATOR = "\u2028"
PROPORTIONAL = int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units ``text`` has; Qt counts in those."""
    return len(text) + sum(1 for letter in text if ord(letter) > 0xFFFF)


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """Code points ``start``..``end`` of the source, put at UTF-16 ``position``."""

    start: int
    end: int
    position: int


@dataclass(slots=True)
class SourceText:
    """A source as a document; ``runs`` are in the order of the source's text."""

    source: ParsedDocument
    document: QTextDocument
    runs: list[PlacedRun] = field(default_factory=list)

    def positions(self, start: int, end: int) -> list[tuple[int, int, int, int]]:
        """Return (first, last, start, end) of each run that ``start``..``end`` touches: UTF-16
        positions of the document and the code points that they show. A range that only
        touches what is not shown (a column's name in a row) gives the whole block."""
        found = self._positions(start, end)
        if not found and end > start:
            for block in self.source.blocks:
                if block.start < end and start < block.end:
                    found.extend(self._positions(block.start, block.end))
        return found

    def _positions(self, start: int, end: int) -> list[tuple[int, int, int, int]]:
        found = []
        for run in self.runs:
            first, last = max(run.start, start), min(run.end, end)
            if first >= last:
                continue
            text = self.source.text
            begin = run.position + utf16_length(text[run.start : first])
            found.append((begin, begin + utf16_length(text[first:last]), first, last))
        return found


def build_source_text(source: ParsedDocument, font: QFont) -> SourceText:
    """Lay out ``source``; the caller owns the document."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    document.setDocumentMargin(16.0)
    made = SourceText(source, document)
    builder = _Builder(made)
    builder.cursor.beginEditBlock()
    for group in _grouped(source.blocks):
        if group[0].kind is BlockKind.TABLE_ROW and group[0].cells:
            builder.add_table(group)
        else:
            builder.add_block(group[0])
    builder.cursor.endEditBlock()
    return made


def _grouped(blocks: tuple[Block, ...]) -> list[list[Block]]:
    """Group the rows of one table; everything else stands alone."""
    groups: list[list[Block]] = []
    for block in blocks:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and block.kind is BlockKind.TABLE_ROW
            and last.kind is BlockKind.TABLE_ROW
            and block.cells
            and last.cells
            and not block.is_table_header
            and _table_of(block) == _table_of(last)
        ):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _table_of(block: Block) -> int | None:
    return block.locator.table if isinstance(block.locator, ParagraphLocator) else None


class _Builder:
    """Writes blocks at the end of the document."""

    def __init__(self, made: SourceText) -> None:
        self._made = made
        self._text = made.source.text
        self._is_fresh = True
        self.cursor = QTextCursor(made.document)

    def add_block(self, block: Block) -> None:
        """Write a heading, paragraph, list item, code or other block."""
        layout, look = _formats(block)
        self._new_paragraph(layout, look)
        if block.kind is BlockKind.LIST_ITEM:
            self.cursor.insertText("• ", look)
        self._place(self.cursor, block.start, block.end, look)

    def add_table(self, rows: list[Block]) -> None:
        """Write consecutive rows, with the header that they carry if it is no row itself."""
        if len(rows) > MOST_TABLE_ROWS:
            for row in rows:
                self.add_block(row)
            return
        labels = tuple(header for header, _cell in rows[0].cells)
        needs_header = not rows[0].is_table_header and any(labels)
        columns = max(len(row.cells) for row in rows)
        if self._is_fresh:
            self._is_fresh = False
        table = self.cursor.insertTable(len(rows) + int(needs_header), columns, _table_format())
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        if needs_header:
            for column, label in enumerate(labels):
                table.cellAt(0, column).firstCursorPosition().insertText(label, bold)
        for index, row in enumerate(rows):
            look = bold if row.is_table_header else QTextCharFormat()
            for column, (start, end) in enumerate(_cell_spans(row, self._text)):
                inside = table.cellAt(index + int(needs_header), column).firstCursorPosition()
                self._place(inside, start, end, look)
        self.cursor.setPosition(table.lastPosition() + 1)
        self._is_fresh = True

    def _new_paragraph(self, layout: QTextBlockFormat, look: QTextCharFormat) -> None:
        if self._is_fresh:
            self.cursor.setBlockFormat(layout)
            self.cursor.setBlockCharFormat(look)
            self._is_fresh = False
        else:
            self.cursor.insertBlock(layout, look)

    def _place(self, cursor: QTextCursor, start: int, end: int, look: QTextCharFormat) -> None:
        if end <= start:
            return
        self._made.runs.append(PlacedRun(start, end, cursor.position()))
        # A line end inside a block stays one character, so positions keep their count.
        text = self._text[start:end]
        for end_of_line in ("\n", "\r", "\u2029"):
            text = text.replace(end_of_line, LINE_SEPARATOR)
        cursor.insertText(text, look)


def _cell_spans(row: Block, text: str) -> list[tuple[int, int]]:
    """Return the code points of each cell; a cell that is not in the row's text is empty."""
    spans: list[tuple[int, int]] = []
    at = row.start
    for label, cell in row.cells:
        begin = at
        if label and not row.is_table_header:
            labelled = text.find(label, at, row.end)
            follows = labelled >= 0 and text[labelled + len(label) :].lstrip().startswith(":")
            begin = labelled + len(label) if follows else at
        found = text.find(cell, begin, row.end) if cell else -1
        if found < 0:
            spans.append((at, at))
            continue
        spans.append((found, found + len(cell)))
        at = found + len(cell)
    if not any(end > start for start, end in spans):
        # Nothing was found: the row is shown as it stands, in its first cell.
        return [(row.start, row.end)]
    return spans


def _formats(block: Block) -> tuple[QTextBlockFormat, QTextCharFormat]:
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
    elif block.kind in (BlockKind.CAPTION, BlockKind.NOTE, BlockKind.HEADER_FOOTER):
        look.setFontItalic(True)
    return layout, look


def _table_format() -> QTextTableFormat:
    made = QTextTableFormat()
    made.setBorder(1.0)
    made.setBorderCollapse(True)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(QBrush(QColor("#9aa0a8")))
    made.setCellPadding(4.0)
    made.setCellSpacing(0.0)
    made.setBottomMargin(10.0)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100.0))
    return made

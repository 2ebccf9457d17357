"""Puts paragraphs and tables of old Word and RTF files into blocks, as those of DOCX are."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.headings import heading_depth
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.office.word_styles import ParagraphShape, RowShape, Style
from phasergun_desktop.documents.table_blocks import TableRow, add_table
from phasergun_desktop.documents.word.numbering import Numbering
from phasergun_desktop.documents.word.styles import Styles

# Edges of cells that are this near to one another (twentieths of a point) are one column's.
_SAME_EDGE = 60
_MAX_COLUMNS = 200
_MAX_HEADING = 400
NO_SHAPE = ParagraphShape()
NO_STYLE = Style()


@dataclass(frozen=True, slots=True)
class _Cell:
    """``shown`` is the text with the numbers that its paragraphs have in lists."""

    text: str
    shown: str
    is_bold: bool = False


@dataclass(slots=True)
class _Table:
    """A table as far as it has been read; ``cells`` are those of the row under way."""

    rows: list[tuple[list[_Cell], RowShape]] = field(default_factory=list)
    cells: list[_Cell] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    nested: list[_Table] = field(default_factory=list)

    def end_cell(self, *, bold: bool) -> None:
        text = "\n".join(line for line, _ in self.lines if line)
        shown = "\n".join(label + line for line, label in self.lines if line)
        self.cells.append(_Cell(text, shown, bold))
        self.lines = []

    def end_row(self, shape: RowShape) -> None:
        if self.cells:
            self.rows.append((self.cells, shape))
        self.cells = []

    def close(self) -> None:
        if any(line for line, _ in self.lines):
            self.end_cell(bold=False)
        self.end_row(RowShape())


class WordBlocks:
    """Appends blocks in the order of the text; counts paragraphs, tables and lists."""

    def __init__(self, builder: DocumentBuilder, numbering: Numbering | None = None) -> None:
        self._builder = builder
        self._numbering = numbering or Numbering(None, Styles(None))
        self._paragraph = self._table = self._list = 0
        self._in_list = False
        self._open: list[_Table] = []
        self._seen: set[str] = set()

    @property
    def in_row(self) -> bool:
        """Whether a row has been begun whose end has not come."""
        return bool(self._open) and bool(self._open[-1].cells)

    def go_to(self, depth: int) -> None:
        """Say in how many tables what follows is; tables that are left are appended."""
        while len(self._open) > depth:
            table = self._open.pop()
            table.close()
            if self._open:
                self._open[-1].nested.append(table)
            else:
                self._add_table(table)
        while len(self._open) < depth:
            self._open.append(_Table())

    def add_line(
        self, text: str, shape: ParagraphShape = NO_SHAPE, style: Style = NO_STYLE
    ) -> None:
        """Add a paragraph to the cell under way."""
        label, _ = self._label(shape, style)
        # A cell that holds nothing but the number of its paragraph shows that.
        self._open[-1].lines.append((text, label) if text else (label.strip(), ""))

    def end_cell(self, *, bold: bool = False) -> None:
        """End the cell under way; ``bold``: its text is bold from end to end."""
        self._open[-1].end_cell(bold=bold)

    def end_row(self, shape: RowShape) -> None:
        """End the row under way."""
        self._open[-1].end_row(shape)

    def add_note(self, label: str, text: str) -> None:
        """Append a footnote, endnote or comment."""
        if text:
            self._builder.add(
                BlockKind.NOTE, f"{label}: {text}", ParagraphLocator(), heading_path=()
            )

    def add_margin(self, text: str) -> None:
        """Append a header or footer, once for all that say the same."""
        if text and text not in self._seen:
            self._seen.add(text)
            self._builder.add(BlockKind.HEADER_FOOTER, text, ParagraphLocator(), heading_path=())

    def add_paragraph(
        self, text: str, shape: ParagraphShape, style: Style, *, bold: bool = False
    ) -> None:
        """Append a paragraph outside of tables; an empty one is counted only."""
        self._paragraph += 1
        label, depth = self._label(shape, style)
        if not text:
            return
        text = label + text
        level = style.level if shape.level is None else shape.level
        if not level and bold:
            level = heading_depth(text, emphasised=True)
        locator = ParagraphLocator(self._builder.heading_path, paragraph=self._paragraph)
        if level and len(text) <= _MAX_HEADING:
            self._in_list = False
            self._builder.add(BlockKind.HEADING, text, locator, level=level)
        elif depth:
            self._list += not self._in_list
            self._in_list = True
            self._builder.add(
                BlockKind.LIST_ITEM, text, locator, level=depth, group=("list", self._list)
            )
        else:
            self._in_list = False
            kind = BlockKind.CAPTION if style.is_caption else BlockKind.PARAGRAPH
            self._builder.add(kind, text, locator)

    def _label(self, shape: ParagraphShape, style: Style) -> tuple[str, int]:
        """Count a paragraph; return its number in its list and its depth there, 0 for no list."""
        number = style.list_number if shape.list_number is None else shape.list_number
        depth = style.list_depth if shape.list_depth is None else shape.list_depth
        if shape.label:
            return shape.label, depth + 1
        if not number:
            return "", depth + 1 if style.is_list and shape.list_number is None else 0
        counted = self._numbering.advance(str(number), depth)
        return counted.text, depth + 1 if counted.is_item or style.is_list else 0

    def _add_table(self, table: _Table) -> None:
        self._in_list = False
        self._table += 1
        number = self._table
        path = self._builder.heading_path
        columns = _columns([shape for _, shape in table.rows])
        above: dict[int, _Cell] = {}
        rows = [
            _laid_out(row, columns, above, ParagraphLocator(path, table=number, row=index))
            for index, row in enumerate(table.rows, start=1)
        ]
        add_table(self._builder, rows, group=("table", number))
        for inner in table.nested:
            self._add_table(inner)


def _columns(shapes: list[RowShape]) -> list[int]:
    """Return the edges of all columns of a table, each that of its first cell."""
    columns: list[int] = []
    for edge in sorted({edge for shape in shapes for edge in shape.edges}):
        if not columns or edge - columns[-1] > _SAME_EDGE:
            columns.append(edge)
    return columns if len(columns) <= _MAX_COLUMNS else []


def _laid_out(
    row: tuple[list[_Cell], RowShape],
    columns: list[int],
    above: dict[int, _Cell],
    locator: ParagraphLocator,
) -> TableRow:
    """Put the cells of a row into the columns; ``above`` holds what vertical merges repeat."""
    found, shape = row
    cells: list[_Cell] = []
    repeated: set[int] = set()
    for index, own in enumerate(found):
        held: _Cell | None = None
        if cells and index < len(shape.is_joined) and shape.is_joined[index]:
            held = cells[-1]
            repeated.add(len(cells))
        elif index < len(shape.goes_on) and shape.goes_on[index]:
            held = above.get(len(cells))
        cell = held if held is not None and not own.text else own
        above[len(cells)] = cell
        span = _span(shape, columns, index)
        repeated.update(range(len(cells) + 1, len(cells) + span))
        cells.extend([cell] * span)
    return TableRow(
        tuple(cell.text for cell in cells),
        locator,
        spanning=len(found) == 1 < len(cells),
        marked_header=shape.is_header,
        emphasised=all(cell.is_bold for cell in found if cell.text),
        repeated=frozenset(repeated),
        shown=tuple(cell.shown for cell in cells),
    )


def _span(shape: RowShape, columns: list[int], index: int) -> int:
    if not columns or index + 1 >= len(shape.edges):
        return 1
    # An edge is at most _SAME_EDGE right of its column's.
    first = bisect_left(columns, shape.edges[index] - _SAME_EDGE)
    last = bisect_left(columns, shape.edges[index + 1] - _SAME_EDGE)
    return max(1, last - first)

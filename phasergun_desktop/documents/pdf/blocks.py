"""Writes the laid-out pages of a PDF as blocks, joining what page breaks cut."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.headings import is_caption
from phasergun_desktop.documents.model import BlockKind, PageLocator, Rect, Segment
from phasergun_desktop.documents.pdf.layout import (
    Element,
    PageLayout,
    PageTable,
    TableCell,
    TextRun,
)
from phasergun_desktop.documents.pdf.line_groups import HeadingRules, Paragraph, paragraphs_of
from phasergun_desktop.documents.pdf.lines import Line, LineJoiner, PlacedLine
from phasergun_desktop.documents.table_blocks import TableRow, add_table

_SAME_COLUMN = 8.0
_ENDS = (".", "!", "?", ":", ";", "”", '"')


@dataclass(slots=True)
class _OpenTable:
    """The table that ended the page before: it may go on."""

    starts: tuple[float, ...]
    headers: tuple[str, ...]
    group: object
    page: int


@dataclass(slots=True)
class _Pending:
    """A paragraph at the end of a page that may go on."""

    lines: list[PlacedLine]
    kind: BlockKind


class PdfWriter:
    """Appends pages to a builder in order; ``finish`` writes what is still open."""

    def __init__(
        self, builder: DocumentBuilder, rules: HeadingRules, joiner: LineJoiner, pitch: float
    ) -> None:
        self._builder = builder
        self._rules = rules
        self._joiner = joiner
        self._pitch = pitch
        self._tables = 0
        self._lists = 0
        self._open: _OpenTable | None = None
        self._pending: _Pending | None = None
        self._held: list[tuple[PageLayout, TextRun]] = []
        self._asides: list[tuple[BlockKind, int, str, Rect]] = []

    def add_page(self, layout: PageLayout, margins: list[Line]) -> None:
        """Append the elements of a page; keep its header and footer lines for the end."""
        for line, page, rect in layout.placed(margins):
            self._asides.append((BlockKind.HEADER_FOOTER, page, line.text, rect))
        elements = layout.elements
        for index, element in enumerate(elements):
            following = elements[index + 1] if index + 1 < len(elements) else None
            if isinstance(element, PageTable):
                self._add_table(layout, element)
            elif (index == 0 and self._is_cut_row(layout, element, following)) or (
                following is None and self._may_be_cut_row(layout, element)
            ):
                self._held.append((layout, element))
            else:
                self._release()
                self._add_run(layout, element)

    def add_comment(self, page: int, text: str, rect: Rect) -> None:
        """Keep a comment that is not drawn on the page for the end."""
        self._asides.append((BlockKind.NOTE, page, text, rect))

    def interrupt(self) -> None:
        """Write what is open: a page follows that is written by somebody else."""
        self._release()
        self._write_pending()
        self._open = None

    def finish(self) -> None:
        """Write the open paragraph, then headers, footers and comments."""
        self._release()
        self._write_pending()
        for kind, page, text, rect in self._asides:
            self._builder.add(
                kind,
                text,
                PageLocator(page, (rect,)),
                marks=(Segment(0, len(text), page, rect),),
                heading_path=(),
            )

    def _is_cut_row(self, layout: PageLayout, run: TextRun, following: Element | None) -> bool:
        """Whether lines above a table are the rest of a row that the page break cut."""
        if not isinstance(following, PageTable) or self._continued(layout.page, following) is None:
            return False
        return self._in_first_column(run)

    def _may_be_cut_row(self, layout: PageLayout, run: TextRun) -> bool:
        """Whether lines below a table at the page's end may go on in a row on the next."""
        return (
            self._open is not None
            and self._open.page == layout.page
            and self._pending is None
            and self._in_first_column(run)
        )

    def _in_first_column(self, run: TextRun) -> bool:
        starts = self._open.starts if self._open is not None else ()
        return (
            len(starts) > 1
            and len(run.lines) <= 4
            and all(starts[0] - 3 < line.x0 and line.x1 < starts[1] for line in run.lines)
        )

    def _release(self) -> None:
        """Write held lines as running text: no table follows that they belong to."""
        held, self._held = self._held, []
        for layout, run in held:
            self._add_run(layout, run)

    def _held_row(self) -> TableRow:
        """Return the lines that were held as one row of the table that goes on."""
        held, self._held = self._held, []
        lines = [placed for layout, run in held for placed in layout.placed(run.lines)]
        width = max(each.line.x1 for each in lines) - min(each.line.x0 for each in lines)
        text, marks = self._joiner.join(lines, width=width)
        page = marks[0].page
        rects = tuple(mark.rect for mark in marks if mark.page == page)
        return TableRow((text,), PageLocator(page, rects), marks=(marks,))

    def _add_run(self, layout: PageLayout, run: TextRun) -> None:
        for paragraph in paragraphs_of(run, self._pitch):
            caption = is_caption(paragraph.text)
            level = 0 if caption else self._rules.level(paragraph)
            kind = BlockKind.LIST_ITEM if paragraph.is_item else BlockKind.PARAGRAPH
            kind = BlockKind.CAPTION if caption else kind
            lines = layout.placed(paragraph.lines)
            if level:
                self._write_pending()
                self._open = None
                self._write(_Pending(lines, BlockKind.HEADING), level)
                continue
            pending = self._pending
            if pending is not None and self._goes_on(pending, layout.page, paragraph):
                pending.lines.extend(lines)
                continue
            self._write_pending()
            self._pending = _Pending(lines, kind)

    @staticmethod
    def _goes_on(pending: _Pending, page: int, paragraph: Paragraph) -> bool:
        """Whether a paragraph continues the last one: over a page or column break."""
        if paragraph.is_item:
            return False
        last, last_page, _ = pending.lines[-1]
        first = paragraph.lines[0]
        broken = last_page != page or first.y1 < last.y1 - 2 * last.height
        similar = abs(last.height - first.height) < 0.2 * last.height
        open_end = not last.text.rstrip().endswith(_ENDS)
        return (
            broken
            and similar
            and last_page + 1 >= page
            and open_end
            and (first.text[:1].islower() or last.text.endswith((",", "-")))
        )

    def _write_pending(self) -> None:
        if self._pending is not None:
            self._write(self._pending, 0)
            self._pending = None

    def _write(self, item: _Pending, level: int) -> None:
        text, marks = self._joiner.join(item.lines)
        page = marks[0].page
        in_list = item.kind is BlockKind.LIST_ITEM
        self._lists += not in_list
        self._builder.add(
            item.kind,
            text,
            PageLocator(page, tuple(mark.rect for mark in marks if mark.page == page)),
            level=level or int(in_list),
            marks=marks,
            group=("list", self._lists) if in_list else None,
        )
        self._open = None

    def _add_table(self, layout: PageLayout, table: PageTable) -> None:
        going_on = self._continued(layout.page, table)
        if going_on is None:
            self._release()
        self._write_pending()
        rows = [self._row(layout, table, index) for index in range(len(table.rows))]
        if going_on is None:
            self._tables += 1
            group: object = ("table", self._tables)
            headers = add_table(self._builder, rows, group=group)
        else:
            group = going_on.group
            if self._held:
                rows.insert(0, self._held_row())
            headers = add_table(self._builder, rows, group=group, headers=going_on.headers)
        self._lists += 1
        self._open = _OpenTable(table.starts, headers, group, layout.page)

    def _continued(self, page: int, table: PageTable) -> _OpenTable | None:
        """Return the table of the page before that this one continues, or None."""
        before = self._open
        if before is None or page != before.page + 1 or len(before.starts) != len(table.starts):
            return None
        pairs = zip(before.starts, table.starts, strict=True)
        return before if all(abs(a - b) < _SAME_COLUMN for a, b in pairs) else None

    def _row(self, layout: PageLayout, table: PageTable, index: int) -> TableRow:
        texts: list[str] = []
        marks: list[tuple[Segment, ...]] = []
        rects: list[Rect] = []
        bold: list[bool] = []
        seen: set[int] = set()
        for cell in table.rows[index]:
            text, found = self._cell(layout, cell)
            # A merged cell is repeated in the text but has one place on the page.
            fresh = bool(cell.lines) and id(cell.lines[0]) not in seen
            texts.append(text)
            marks.append(found)
            if fresh:
                seen.add(id(cell.lines[0]))
                rects.extend(mark.rect for mark in found)
                bold.extend(line.bold for line in cell.lines)
        return TableRow(
            tuple(texts),
            PageLocator(layout.page, tuple(rects)),
            spanning=table.spanning[index],
            emphasised=bool(bold) and all(bold),
            marks=tuple(marks),
        )

    def _cell(self, layout: PageLayout, cell: TableCell) -> tuple[str, tuple[Segment, ...]]:
        text, marks = self._joiner.join(layout.placed(cell.lines), width=cell.width)
        return (text, marks) if folded(text) else ("", ())

"""Reads tables and text out of HTML that stands in a Markdown file."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from phasergun_desktop.documents.builder import folded_lines

_MAX_SPAN = 100
_SKIPPED = frozenset({"script", "style", "head"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BREAKS = frozenset({"br", "p", "div", "li", *_HEADINGS})


@dataclass(slots=True)
class HtmlRow:
    """A row: cells with spans resolved, merged cells repeated."""

    line: int
    cells: list[str] = field(default_factory=list)
    is_header: bool = False
    spanning: bool = False


@dataclass(slots=True)
class HtmlPart:
    """A table (``rows``) or a piece of text, with its line counted from 0.

    ``level`` is 1 to 6 where the text is a heading, else 0.
    """

    line: int
    text: str = ""
    level: int = 0
    rows: list[HtmlRow] = field(default_factory=list)


@dataclass(slots=True)
class _Cell:
    text: str
    columns: int
    rows: int


@dataclass(slots=True)
class _Row:
    line: int
    cells: list[_Cell] = field(default_factory=list)
    header: bool = True


class _Reader(HTMLParser):
    """Collects parts; tables inside of tables follow their outer table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[HtmlPart] = []
        self._tables: list[list[_Row]] = []
        self._starts: list[int] = []
        self._cells: list[tuple[_Cell, list[str]]] = []
        self._skip = 0
        self._text: list[str] = []
        self._text_line = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skip += 1
        elif tag == "table":
            self._end_text()
            self._tables.append([])
            self._starts.append(self.getpos()[0] - 1)
        elif tag == "tr" and self._tables:
            self._end_cell()
            self._tables[-1].append(_Row(self.getpos()[0] - 1))
        elif tag in ("td", "th") and self._tables:
            self._start_cell(tag, dict(attrs))
        elif tag in _BREAKS:
            if tag in _HEADINGS and not self._tables:
                self._end_text()
            self.handle_data("\n")

    def _start_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        table = self._tables[-1]
        self._end_cell()
        if not table:
            table.append(_Row(self.getpos()[0] - 1))
        cell = _Cell("", _span(attributes.get("colspan")), _span(attributes.get("rowspan")))
        table[-1].cells.append(cell)
        table[-1].header = table[-1].header and tag == "th"
        self._cells.append((cell, []))

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skip = max(0, self._skip - 1)
        elif tag in ("td", "th", "tr"):
            self._end_cell()
        elif tag == "table" and self._tables:
            self._end_cell()
            rows = _grid(self._tables.pop())
            self.parts.append(HtmlPart(self._starts.pop(), rows=rows))
        elif tag in _HEADINGS and not self._tables:
            self._end_text(_HEADINGS[tag])
        elif tag in _BREAKS and tag != "br":
            self.handle_data("\n")

    def handle_data(self, data: str) -> None:
        if self._skip:
            return
        if len(self._cells) >= max(1, len(self._tables)) and self._tables:
            self._cells[-1][1].append(data)
        elif data.strip() or self._text:
            if not self._text:
                self._text_line = self.getpos()[0] - 1
            self._text.append(data)

    def _end_cell(self) -> None:
        # One open cell per open table: an inner table leaves the outer cell open.
        while len(self._cells) >= max(1, len(self._tables)):
            cell, pieces = self._cells.pop()
            cell.text = folded_lines("".join(pieces))

    def _end_text(self, level: int = 0) -> None:
        text = folded_lines("".join(self._text))
        if text:
            self.parts.append(HtmlPart(self._text_line, text=text, level=level))
        self._text = []

    def finish(self) -> list[HtmlPart]:
        self.close()
        while self._tables:
            self.handle_endtag("table")
        self._end_text()
        return self.parts


def read_html(source: str) -> list[HtmlPart]:
    """Return the tables and texts in ``source``; lines count from 0 at its start."""
    reader = _Reader()
    reader.feed(source)
    return reader.finish()


def _span(value: str | None) -> int:
    try:
        return min(_MAX_SPAN, max(1, int(value or "1")))
    except ValueError:
        return 1


def _grid(rows: list[_Row]) -> list[HtmlRow]:
    """Lay cells out on a grid, repeating those that span rows or columns."""
    below: dict[int, tuple[int, str]] = {}
    grid: list[HtmlRow] = []
    for row in rows:
        texts: list[str] = []
        queue = list(row.cells)
        spanning = len(queue) == 1 and queue[0].columns > 1
        while queue or len(texts) in below:
            column = len(texts)
            if column in below:
                left, text = below.pop(column)
                if left > 1:
                    below[column] = (left - 1, text)
                texts.append(text)
                continue
            cell = queue.pop(0)
            for offset in range(cell.columns):
                if cell.rows > 1:
                    below[column + offset] = (cell.rows - 1, cell.text)
                texts.append(cell.text)
        if texts:
            header = row.header and bool(row.cells)
            grid.append(HtmlRow(row.line, texts, header, spanning and len(texts) > 1))
    return grid

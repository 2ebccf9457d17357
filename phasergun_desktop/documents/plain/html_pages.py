"""Reads HTML as text: pages, web archives, and what Markdown and Word files hold of it.

Nothing is fetched and nothing runs: scripts, styles, frames and addresses are left out.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from html.parser import HTMLParser

from phasergun_desktop.documents.builder import DocumentBuilder, folded_lines
from phasergun_desktop.documents.encodings import decode_text, decoded_lines
from phasergun_desktop.documents.exponents import raised, with_exponents
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, LineLocator, Locator
from phasergun_desktop.documents.table_blocks import TableRow, add_table

_MAX_SPAN = 100
_SKIPPED = frozenset({"script", "style", "template", "svg", "iframe", "object", "noframes"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "legend", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "select", "summary", "ul", "head", "html",
    *_HEADINGS,
})
# fmt: on
_META = {
    "author": "author",
    "dc.creator": "author",
    "dcterms.created": "created",
    "dc.date": "created",
    "last-modified": "modified",
}


def read_html_page(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of an HTML page or a web archive (MHTML) to ``builder``.

    Lines are those of the HTML (in a web archive: of its page). Any XML is read so, too.
    """
    page = _archived_page(data)
    source = decoded_lines(data, builder) if page is None else page
    reader = _HtmlReader(builder, LineLocator)
    reader.read(source)
    stated = reader.stated
    return FileProperties(
        title=" ".join("".join(reader.title).split()),
        author=stated.get("author", ""),
        created=stated.get("created", ""),
        modified=stated.get("modified", ""),
        language=stated.get("language", ""),
    )


def add_html(
    builder: DocumentBuilder,
    source: str,
    locator_of: Callable[[int], Locator],
    shown: Callable[[str], str] = str,
) -> None:
    """Append the blocks of ``source``.

    ``locator_of`` places what begins in a line of ``source`` (from 1); ``shown`` gives what is
    seen of a text or cell.
    """
    _HtmlReader(builder, locator_of, shown).read(source)


def _archived_page(data: bytes) -> str | None:
    """Return the page in a web archive, None where ``data`` is none."""
    if data.lstrip()[:1] == b"<" or b"multipart/related" not in data[:4096].lower():
        return None
    message = email.message_from_bytes(data, _class=EmailMessage, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            content = part.get_payload(decode=True)
            return decode_text(content).text if isinstance(content, bytes) else None
    return None


def _without_comments(source: str) -> str:
    """Return ``source`` with comments emptied, its lines kept; one never closed ends it.

    The parser would look for the end of each such comment again.
    """
    parts: list[str] = []
    position = 0
    while (start := source.find("<!--", position)) >= 0:
        end = source.find("-->", start + 4)
        parts.append(source[position:start])
        position = len(source) if end < 0 else end + 3
        parts.append("\n" * source.count("\n", start, position))
    return "".join([*parts, source[position:]])


@dataclass(slots=True)
class _Cell:
    columns: int
    rows: int
    text: str = ""


@dataclass(slots=True)
class _Row:
    line: int
    cells: list[_Cell] = field(default_factory=list)
    is_header: bool = True


@dataclass(slots=True)
class _Table:
    """A table that has begun; ``pieces`` are the texts of its open cell, None where none is."""

    rows: list[_Row] = field(default_factory=list)
    pieces: list[str] | None = None

    def end_cell(self) -> None:
        if self.pieces is not None:
            self.rows[-1].cells[-1].text = folded_lines(with_exponents("".join(self.pieces)))
            self.pieces = None


class _HtmlReader(HTMLParser):
    """Appends blocks as their ends are met; a table in a cell comes before its outer table."""

    def __init__(
        self,
        builder: DocumentBuilder,
        locator_of: Callable[[int], Locator],
        shown: Callable[[str], str] = str,
    ) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.stated: dict[str, str] = {}
        self._builder = builder
        self._locator_of = locator_of
        self._shown = shown
        self._text: list[str] = []
        self._text_line = 1
        self._heading = 0
        self._lists: list[int | None] = []
        self._in_item = False
        self._mark = ""
        self._skipped = 0
        self._raised = 0
        self._in_title = False
        self._preformatted = 0
        self._tables: list[_Table] = []

    def read(self, source: str) -> None:
        """Append the blocks of ``source``, what is never closed too."""
        self.feed(_without_comments(source))
        self.close()
        while self._tables:
            self._end_table()
        self._flush()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._preformatted += tag == "pre"
        self._raised += tag == "sup"
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag == "title":
            self._in_title = True
        elif tag in ("meta", "html"):
            self._keep_stated(dict(attrs))
        elif tag == "table":
            self._flush()
            self._tables.append(_Table())
        elif tag == "tr" and self._tables:
            self._tables[-1].end_cell()
            self._tables[-1].rows.append(_Row(self.getpos()[0]))
        elif tag in ("td", "th") and self._tables:
            self._start_cell(tag, dict(attrs))
        elif tag == "br" or (tag in _BLOCKS and self._tables):
            self._break_line()
        elif tag in _BLOCKS:
            self._start_block(tag)

    def _start_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        table = self._tables[-1]
        table.end_cell()
        if not table.rows:
            table.rows.append(_Row(self.getpos()[0]))
        row = table.rows[-1]
        row.cells.append(_Cell(_span(attributes.get("colspan")), _span(attributes.get("rowspan"))))
        row.is_header = row.is_header and tag == "th"
        table.pieces, self._raised = [], 0

    def _start_block(self, tag: str) -> None:
        self._flush()
        self._heading = _HEADINGS.get(tag, 0)
        if tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._in_item = True
            if self._lists and (count := self._lists[-1]) is not None:
                self._lists[-1] = count + 1
                self._mark = f"{count + 1}. "

    def handle_endtag(self, tag: str) -> None:
        self._preformatted -= tag == "pre" and self._preformatted > 0
        self._raised -= tag == "sup" and self._raised > 0
        if tag in _SKIPPED:
            self._skipped = max(0, self._skipped - 1)
        elif tag == "title":
            self._in_title = False
        elif self._tables:
            if tag in ("td", "th", "tr"):
                self._tables[-1].end_cell()
            elif tag == "table":
                self._end_table()
            elif tag in _BLOCKS:
                self._break_line()
        elif tag in _BLOCKS:
            self._flush()
            self._heading = 0
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
            if tag in ("li", "ul", "ol"):
                self._in_item, self._mark = False, ""

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if self._in_title:
            self.title.append(data)
            return
        text = data if self._preformatted else " ".join(f"x{data}x".split())[1:-1]
        text = raised(text) if self._raised else text
        if self._tables and self._tables[-1].pieces is not None:
            self._tables[-1].pieces.append(text)
        elif data.strip() or self._text:
            if not self._text:
                blank = data[: len(data) - len(data.lstrip())]
                self._text_line = self.getpos()[0] + blank.count("\n")
            self._text.append(text)

    def _break_line(self) -> None:
        pieces = self._tables[-1].pieces if self._tables else None
        if pieces is not None:
            pieces.append("\n")
        elif self._text:
            self._text.append("\n")

    def _flush(self) -> None:
        text = self._shown(folded_lines(with_exponents("".join(self._text))))
        self._text, self._raised = [], 0
        if not text:
            return
        locator = self._locator_of(self._text_line)
        if self._heading:
            self._builder.add(BlockKind.HEADING, text, locator, level=self._heading)
        elif self._in_item:
            level = max(1, len(self._lists))
            text = f"{self._mark}{text}"
            self._builder.add(BlockKind.LIST_ITEM, text, locator, level=level, group="list")
            self._mark = ""
        else:
            self._builder.add(BlockKind.PARAGRAPH, text, locator)

    def _end_table(self) -> None:
        table = self._tables.pop()
        table.end_cell()
        rows = [
            TableRow(
                tuple(map(self._shown, texts)),
                self._locator_of(row.line),
                spanning=len(row.cells) == 1 and row.cells[0].columns > 1 and len(texts) > 1,
                marked_header=row.is_header and bool(row.cells),
            )
            for row, texts in zip(table.rows, _grid(table.rows), strict=True)
            if texts
        ]
        add_table(self._builder, rows, group=object())
        # What stood between the cells.
        self._flush()

    def _keep_stated(self, attributes: dict[str, str | None]) -> None:
        if attributes.get("lang"):
            self.stated.setdefault("language", attributes["lang"] or "")
        field = _META.get((attributes.get("name") or "").lower(), "")
        if field and attributes.get("content"):
            self.stated.setdefault(field, (attributes["content"] or "").strip())


def _span(value: str | None) -> int:
    try:
        return min(_MAX_SPAN, max(1, int(value or "1")))
    except ValueError:
        return 1


def _grid(rows: list[_Row]) -> list[list[str]]:
    """Return the texts of each row, those of cells that span rows or columns repeated."""
    below: dict[int, tuple[int, str]] = {}
    grid: list[list[str]] = []
    for row in rows:
        texts: list[str] = []
        queue = list(row.cells)
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
        grid.append(texts)
    return grid

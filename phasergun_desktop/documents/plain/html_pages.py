"""Reads HTML pages and web archives as text: headings, paragraphs, lists and tables.

Nothing is fetched and nothing runs: scripts, styles, frames and addresses are left out.
"""

from __future__ import annotations

import email
import email.policy
from bisect import bisect_right
from email.message import EmailMessage
from html.parser import HTMLParser

from phasergun_desktop.documents.builder import DocumentBuilder, folded_lines
from phasergun_desktop.documents.encodings import decode_text, decoded_lines
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.html_tables import read_html
from phasergun_desktop.documents.table_blocks import TableRow, add_table

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
    source = _without_comments(decoded_lines(data, builder) if page is None else page)
    reader = _PageReader(source, builder)
    reader.feed(source)
    reader.finish()
    stated = reader.stated
    return FileProperties(
        title=" ".join("".join(reader.title).split()),
        author=stated.get("author", ""),
        created=stated.get("created", ""),
        modified=stated.get("modified", ""),
        language=stated.get("language", ""),
    )


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


class _PageReader(HTMLParser):
    """Appends the blocks of a page to a builder as their ends are met."""

    def __init__(self, source: str, builder: DocumentBuilder) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.stated: dict[str, str] = {}
        self._source = source
        self._builder = builder
        self._line_starts = [0]
        self._line_starts.extend(
            position + 1 for position, char in enumerate(source) if char == "\n"
        )
        self._text: list[str] = []
        self._text_line = 1
        self._heading = 0
        self._lists: list[int | None] = []
        self._in_item = False
        self._mark = ""
        self._skipped = 0
        self._in_title = False
        self._preformatted = 0
        self._table_depth = 0
        self._table_start = 0
        self._tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag == "table":
            if not self._table_depth:
                self._flush()
                self._table_start = self._offset()
            self._table_depth += 1
        elif tag == "title":
            self._in_title = True
        elif tag in ("meta", "html"):
            self._keep_stated(dict(attrs))
        elif tag == "br":
            self._text.append("\n" if self._text else "")
        elif tag in _BLOCKS and not self._table_depth:
            self._start_block(tag)

    def _start_block(self, tag: str) -> None:
        self._flush()
        self._heading = _HEADINGS.get(tag, 0)
        self._preformatted += tag == "pre"
        if tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._in_item = True
            if self._lists and (count := self._lists[-1]) is not None:
                self._lists[-1] = count + 1
                self._mark = f"{count + 1}. "

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipped = max(0, self._skipped - 1)
        elif tag == "table" and self._table_depth:
            self._table_depth -= 1
            if not self._table_depth:
                self._add_table(self._source[self._table_start : self._offset()])
        elif tag == "title":
            self._in_title = False
        elif tag in _BLOCKS and not self._table_depth:
            self._flush()
            self._heading = 0
            self._preformatted -= tag == "pre" and self._preformatted > 0
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
            if tag in ("li", "ul", "ol"):
                self._in_item, self._mark = False, ""

    def handle_data(self, data: str) -> None:
        if self._skipped or self._table_depth:
            return
        if self._in_title:
            self.title.append(data)
        elif data.strip() or self._text:
            if not self._text:
                blank = data[: len(data) - len(data.lstrip())]
                self._text_line = self.getpos()[0] + blank.count("\n")
            self._text.append(data if self._preformatted else " ".join(f"x{data}x".split())[1:-1])

    def finish(self) -> None:
        """Append what is still open."""
        self.close()
        if self._table_depth:
            self._table_depth = 0
            self._add_table(self._source[self._table_start :])
        self._flush()

    def _flush(self) -> None:
        text = folded_lines("".join(self._text))
        self._text = []
        if not text:
            return
        locator = LineLocator(self._text_line)
        if self._heading:
            self._builder.add(BlockKind.HEADING, text, locator, level=self._heading)
        elif self._in_item:
            level = max(1, len(self._lists))
            text = f"{self._mark}{text}"
            self._builder.add(BlockKind.LIST_ITEM, text, locator, level=level, group="list")
            self._mark = ""
        else:
            self._builder.add(BlockKind.PARAGRAPH, text, locator)

    def _add_table(self, source: str) -> None:
        line = bisect_right(self._line_starts, self._table_start)
        for part in read_html(source):
            if not part.rows:
                self._builder.add(BlockKind.PARAGRAPH, part.text, LineLocator(line + part.line))
                continue
            self._tables += 1
            rows = [
                TableRow(
                    tuple(row.cells),
                    LineLocator(line + row.line),
                    spanning=row.spanning,
                    marked_header=row.is_header,
                )
                for row in part.rows
            ]
            add_table(self._builder, rows, group=("table", self._tables))

    def _keep_stated(self, attributes: dict[str, str | None]) -> None:
        if attributes.get("lang"):
            self.stated.setdefault("language", attributes["lang"] or "")
        field = _META.get((attributes.get("name") or "").lower(), "")
        if field and attributes.get("content"):
            self.stated.setdefault(field, (attributes["content"] or "").strip())

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column

"""Reads Markdown: front matter, headings, paragraphs, lists, code and tables with their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.encodings import decode_text
from phasergun_desktop.documents.plain.html_tables import HtmlPart, read_html
from phasergun_desktop.documents.tables import TableRow, add_table

_FRONT_LINE = re.compile(r"^(?P<indent>\s*)(?P<key>[A-Za-z_][\w .-]{0,60}):(?:\s+(?P<value>.*))?$")
_FIELD_LINE = re.compile(r"^\s*[A-Z][\w /()&-]{0,40}:\s")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_MAX_FRONT_LINES = 400

FrontMatter = tuple[tuple[str, str], ...]


def read_markdown(data: bytes, builder: DocumentBuilder) -> FrontMatter:
    """Append the blocks of a Markdown file to ``builder``; return its front matter."""
    decoded = decode_text(data)
    if decoded.guessed:
        builder.warn("The encoding is not stated in the file; Windows-1252 was assumed.")
    lines = decoded.text.replace("\x00", "\ufffd").split("\n")
    front, end = _front_matter(lines)
    # Emptied instead of removed: every token keeps the line it has in the file.
    source = "\n".join([""] * end + lines[end:])
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    _Walker(builder).walk(parser.parse(source))
    return front


def _front_matter(lines: list[str]) -> tuple[FrontMatter, int]:
    """Return the fields between the ``---`` lines at the top, and the line after them.

    Lines are read as ``key: value``; nothing is evaluated. Keys below another key are
    joined with a dot, list entries with a comma.
    """
    if not lines or lines[0].strip() != "---":
        return (), 0
    closing = (
        number
        for number, line in enumerate(lines[1:_MAX_FRONT_LINES], start=1)
        if line.strip() in ("---", "...")
    )
    end = next(closing, None)
    if end is None:
        return (), 0
    fields: dict[str, str] = {}
    parents: list[tuple[int, str]] = []
    key = ""
    for line in lines[1:end]:
        match = _FRONT_LINE.match(line)
        stripped = line.strip()
        if match and not stripped.startswith(("#", "- ")):
            indent = len(match["indent"])
            while parents and parents[-1][0] >= indent:
                parents.pop()
            key = ".".join([name for _, name in parents] + [match["key"].strip()])
            fields[key] = _unquoted(match["value"] or "")
            parents.append((indent, match["key"].strip()))
        elif key and stripped and not stripped.startswith("#"):
            item = _unquoted(stripped.removeprefix("- "))
            before = fields.get(key, "")
            joint = ", " if stripped.startswith("- ") else " "
            fields[key] = f"{before}{joint}{item}" if before else item
    return tuple((name, value) for name, value in fields.items() if value), end + 1


def _unquoted(value: str) -> str:
    text = value.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text.strip("[]") if text.startswith("[") else text


class _Walker:
    """Turns the flat list of Markdown tokens into blocks."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._lists = 0
        self._list_group = 0
        self._table = 0
        self._mark = ""

    def walk(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    self._list_group += self._lists == 0
                    self._lists += 1
                case "bullet_list_close" | "ordered_list_close":
                    self._lists -= 1
                case "list_item_open":
                    self._mark = f"{token.info}{token.markup} " if token.info else ""
                case "heading_open":
                    self._add_heading(token, tokens[index + 1])
                case "paragraph_open":
                    self._add_paragraph(token, tokens[index + 1])
                case "fence" | "code_block":
                    self._builder.add(
                        BlockKind.CODE, token.content.strip("\n"), LineLocator(_line(token))
                    )
                case "html_block":
                    self._add_html(token.content, _line(token))
                case "table_open":
                    index = self._add_pipe_table(tokens, index)
            index += 1

    def _add_heading(self, token: Token, inline: Token) -> None:
        text = _readable(inline.children or [])
        level = int(token.tag[1:])
        self._builder.add(BlockKind.HEADING, text, LineLocator(_line(token)), level=level)

    def _add_paragraph(self, token: Token, inline: Token) -> None:
        if "<table" in inline.content.lower():
            self._add_html(inline.content, _line(token))
            return
        text = _readable(inline.children or [])
        if self._lists:
            self._builder.add(
                BlockKind.LIST_ITEM,
                f"{self._mark}{text}" if text else "",
                LineLocator(_line(token)),
                level=self._lists,
                group=("list", self._list_group),
            )
            self._mark = ""
        else:
            self._builder.add(BlockKind.PARAGRAPH, text, LineLocator(_line(token)))

    def _add_html(self, source: str, line: int) -> None:
        for part in read_html(_COMMENT.sub(_only_lines, source)):
            if part.rows:
                self._add_html_table(part, line)
            else:
                self._builder.add(BlockKind.PARAGRAPH, part.text, LineLocator(line + part.line))

    def _add_html_table(self, part: HtmlPart, line: int) -> None:
        self._table += 1
        rows = [
            TableRow(
                tuple(row.cells),
                LineLocator(line + row.line),
                spanning=row.spanning,
                marked_header=row.is_header,
            )
            for row in part.rows
        ]
        add_table(self._builder, rows, group=("table", self._table))

    def _add_pipe_table(self, tokens: Sequence[Token], index: int) -> int:
        """Append the table that opens at ``index``; return the index of its end."""
        self._table += 1
        rows: list[TableRow] = []
        cells: list[str] = []
        line = _line(tokens[index])
        in_head = False
        while tokens[index].type != "table_close":
            token = tokens[index]
            match token.type:
                case "thead_open" | "tbody_open":
                    in_head = token.type == "thead_open"
                case "tr_open":
                    cells, line = [], _line(token) if token.map else line
                case "th_open" | "td_open":
                    cells.append(_readable(tokens[index + 1].children or []))
                case "tr_close" if any(cells):
                    # An empty header row is how a table without header is written here.
                    rows.append(TableRow(tuple(cells), LineLocator(line), marked_header=in_head))
            index += 1
        add_table(self._builder, rows, group=("table", self._table))
        return index


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _only_lines(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")


def _readable(children: Sequence[Token]) -> str:
    """Return the text of inline tokens without emphasis, addresses and tags."""
    parts: list[str] = []
    for position, token in enumerate(children):
        match token.type:
            case "text" | "code_inline":
                parts.append(token.content)
            case "softbreak":
                parts.append("\n" if _starts_field(children[position + 1 :]) else " ")
            case "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(_readable(token.children or []))
            case "html_inline":
                parts.append("\n" if token.content.lower().startswith("<br") else "")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    text = "\n".join(line for line in lines if line)
    return _TAG.sub("", text) if "</" in text else text


def _starts_field(following: Sequence[Token]) -> bool:
    """Whether the next line reads ``Name: value``; such lines are not run together."""
    text = ""
    for token in following:
        if token.type in ("softbreak", "hardbreak") or len(text) > 60:
            break
        text += token.content
    return _FIELD_LINE.match(text + " ") is not None

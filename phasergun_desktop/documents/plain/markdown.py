"""Reads Markdown: front matter, headings, paragraphs, lists, code and tables with their lines.

The line of a locator is the line of the file, counted from 1, in which the block begins: its
first line of text, that of its row in a table, that of the opening fence of code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from phasergun_desktop.documents.builder import DocumentBuilder, folded_lines
from phasergun_desktop.documents.encodings import decoded_lines
from phasergun_desktop.documents.exponents import ENDED, RAISED, raised, with_exponents
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.formulas import enable_formulas, with_plain_formulas
from phasergun_desktop.documents.plain.html_pages import add_html
from phasergun_desktop.documents.plain.plain_text import read_text
from phasergun_desktop.documents.table_blocks import TableRow, add_table

_FRONT_LINE = re.compile(
    r"^(?P<indent>\s*)(?P<key>[A-Za-z_][\w .-]{0,60}):(?:\s*(?P<value>(?!//).*))?$"
)
_FIELD_LINE = re.compile(r"^\s*(?:[A-Z][\w /()&-]{0,40})?:\s")
_NOTE_LABEL = re.compile(r"^ {0,3}\[\^(?P<label>[^\]\s]{1,60})\]:", re.MULTILINE)
# As in pandoc: 10^6^, cm^2^.
_CARETS = re.compile(r"(?:(?<=\d)|(?<=[ /ckmµ]m))\^([+−-]?\d{1,3})\^")
_SHOWN_OF_TAGS = (("<br", "\n"), ("<sup>", RAISED), ("</sup>", ENDED))
_MAX_FRONT_LINES = 400
# What is nested deeper is left out by the parser.
_MAX_NESTING = 60

FrontMatter = tuple[tuple[str, str], ...]


def read_markdown(data: bytes, builder: DocumentBuilder) -> FrontMatter:
    """Append the blocks of a Markdown file to ``builder``; return its front matter."""
    lines = decoded_lines(data, builder).replace("\x00", "\ufffd").split("\n")
    front, end = _front_matter(lines)
    # Emptied instead of removed: every token keeps the line it has in the file.
    source = "\n".join([""] * end + lines[end:])
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.block.ruler.at("reference", _reference)
    enable_formulas(parser)
    try:
        tokens = parser.parse(source)
    except RecursionError:
        tokens = []
    if not tokens or any(token.level >= _MAX_NESTING - 2 for token in tokens):
        read_text(source.encode(), builder)
    else:
        _Walker(builder, parser, source).walk(tokens)
    return front


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a definition of a link; the text of a footnote is none, also where it is an address."""
    first = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", first) and reference(state, start, end, silent)


def _front_matter(lines: list[str]) -> tuple[FrontMatter, int]:
    """Return the fields between the ``---`` lines at the top, and the line after them.

    Lines are read as ``key: value``; nothing is evaluated. Keys below another key are
    joined with a dot, list entries with a comma. Lines that begin with none of these are text
    between two rules.
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
    if not _FRONT_LINE.match(next((line for line in lines[1:end] if line.strip()), "")):
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

    def __init__(self, builder: DocumentBuilder, parser: MarkdownIt, source: str) -> None:
        self._builder = builder
        self._parser = parser
        self._lines = source.split("\n")
        labels = {match["label"] for match in _NOTE_LABEL.finditer(source)}
        marks = "|".join(re.escape(label) for label in sorted(labels))
        self._note_marks = re.compile(rf"\[\^(?:{marks})\](?!:)") if labels else None
        self._lists = 0
        self._list_group = 0
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
        text = self._text(inline)
        level = int(token.tag[1:])
        self._builder.add(BlockKind.HEADING, text, LineLocator(_line(token)), level=level)

    def _add_paragraph(self, token: Token, inline: Token) -> None:
        if "<table" in inline.content.lower():
            self._add_html(inline.content, _line(token))
            return
        if _NOTE_LABEL.match(inline.content):
            self._add_notes(token, inline)
            return
        text = self._text(inline)
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

    def _add_notes(self, token: Token, inline: Token) -> None:
        """Append a paragraph of footnotes, each a block."""
        notes: list[tuple[int, list[str]]] = []
        for offset, line in enumerate(inline.content.split("\n")):
            match = _NOTE_LABEL.match(line)
            if match:
                notes.append((offset, [line[match.end() :]]))
            else:
                notes[-1][1].append(line)
        for offset, lines in notes:
            text = " ".join(self._inline_text(" ".join(lines)).split())
            locator = LineLocator(_line(token) + offset)
            self._builder.add(BlockKind.NOTE, f"Footnote: {text}" if text else "", locator)

    def _text(self, inline: Token) -> str:
        """Return the readable text of an inline token, without the marks of its footnotes."""
        text = _readable(inline.children or [])
        return self._note_marks.sub("", text) if self._note_marks is not None else text

    def _inline_text(self, source: str) -> str:
        return "".join(self._text(token) for token in self._parser.parseInline(source))

    def _add_html(self, source: str, line: int) -> None:
        add_html(
            self._builder,
            source,
            lambda offset: LineLocator(line + offset - 1),
            with_plain_formulas,
        )

    def _add_pipe_table(self, tokens: Sequence[Token], index: int) -> int:
        """Append the table that opens at ``index``; return the index of its end."""
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
                    cells.append(self._text(tokens[index + 1]))
                case "tr_close":
                    cells.extend(self._surplus_cells(line, len(cells)))
                    # An empty header row is how a table without header is written here.
                    if any(cells):
                        place = LineLocator(line)
                        rows.append(TableRow(tuple(cells), place, marked_header=in_head))
            index += 1
        add_table(self._builder, rows, group=object())
        return index

    def _surplus_cells(self, line: int, count: int) -> list[str]:
        """Return the cells of the row in ``line`` beyond those that the table has a header for.

        The format drops them; a pipe that should have been escaped would take text with it.
        """
        written = self._lines[line - 1].strip()
        if written.count("|") <= count:
            return []
        columns = escapedSplit(written)
        columns = columns[1:] if columns and not columns[0] else columns
        columns = columns[:-1] if columns and not columns[-1] else columns
        return [self._inline_text(column.strip()) for column in columns[count:]]


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _readable(children: Sequence[Token]) -> str:
    """Return the text of inline tokens without emphasis, addresses and tags."""
    parts: list[str] = []
    for position, token in enumerate(children):
        match token.type:
            case "code_inline":
                parts.append(token.content)
            case "text":
                parts.append(_CARETS.sub(lambda match: raised(match[1]), token.content))
            case "softbreak":
                parts.append("\n" if _starts_field(children[position + 1 :]) else " ")
            case "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(_readable(token.children or []))
            case "html_inline":
                tag = token.content.lower()
                parts.extend(shown for name, shown in _SHOWN_OF_TAGS if tag.startswith(name))
    return folded_lines(with_exponents("".join(parts)))


def _starts_field(following: Sequence[Token]) -> bool:
    """Whether the next line reads ``Name: value`` or ``: value``; it is not run together."""
    text = ""
    for token in following:
        if token.type in ("softbreak", "hardbreak") or len(text) > 60:
            break
        text += token.content
    return _FIELD_LINE.match(text + " ") is not None

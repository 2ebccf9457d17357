"""A draft as a small, stable HTML, so that what the writer sees is kept exactly."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

from phasergun_desktop.drafts.acceptance import EARLIER
from phasergun_desktop.drafts.draft_shape import (
    NO_FOOTNOTE,
    NO_UNIT,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
)

FOOTNOTE_HREF = "footnote:"
MAX_HEADING = 6
MAX_DEPTH = 9


def to_html(shape: DraftShape, number: Callable[[int], int], unit: Callable[[int], int]) -> str:
    """Write ``shape``; ``number`` and ``unit`` map keys to what is written (0 and -1: nothing)."""
    parts: list[str] = []
    in_list = False
    for piece in shape:
        is_item = isinstance(piece, Paragraph) and piece.kind is ParagraphKind.LIST_ITEM
        if is_item != in_list:
            parts.append("<ul>\n" if is_item else "</ul>\n")
            in_list = is_item
        if isinstance(piece, Table):
            parts.append(_table_html(piece, number, unit))
            continue
        tag = {ParagraphKind.TEXT: "p", ParagraphKind.LIST_ITEM: "li"}.get(piece.kind, "")
        tag = tag or f"h{min(max(piece.level, 1), MAX_HEADING)}"
        depth = f' data-level="{piece.level}"' if is_item and piece.level > 1 else ""
        parts.append(f"<{tag}{depth}>{_runs_html(piece.runs, number, unit)}</{tag}>\n")
    if in_list:
        parts.append("</ul>\n")
    return "".join(parts)


def _table_html(table: Table, number: Callable[[int], int], unit: Callable[[int], int]) -> str:
    rows = []
    for row in table.rows:
        tag = "th" if row.is_header else "td"
        cells = "".join(f"<{tag}>{_runs_html(cell, number, unit)}</{tag}>" for cell in row.cells)
        rows.append(f"<tr>{cells}</tr>\n")
    return f"<table>\n{''.join(rows)}</table>\n"


def _runs_html(
    runs: tuple[Run, ...], number: Callable[[int], int], unit: Callable[[int], int]
) -> str:
    parts = []
    for run in runs:
        inner = escape(run.text, quote=False)
        if run.footnote != NO_FOOTNOTE:
            shown = number(run.footnote)
            if not shown:
                continue
            inner = f'<sup><a href="{FOOTNOTE_HREF}{shown}">{shown}</a></sup>'
        if run.is_bold:
            inner = f"<b>{inner}</b>"
        if run.is_italic:
            inner = f"<i>{inner}</i>"
        key = unit(run.unit) if run.unit != NO_UNIT else NO_UNIT
        if key != NO_UNIT:
            accepted = f' data-accepted="{escape(run.accepted)}"' if run.accepted else ""
            inner = f'<span data-unit="{key}"{accepted}>{inner}</span>'
        parts.append(inner)
    return "".join(parts)


def from_html(html: str) -> DraftShape:
    """Read what ``to_html`` wrote; unknown tags are passed over, their text is kept."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return tuple(reader.pieces)


class _Reader(HTMLParser):
    """Collects paragraphs and tables; text between them (line ends) is not part of a draft."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[Paragraph | Table] = []
        self._runs: list[Run] | None = None
        self._rows: list[Row] = []
        self._cells: list[tuple[Run, ...]] = []
        self._is_header = False
        self._depth = 0
        self._bold = 0
        self._italic = 0
        self._unit = NO_UNIT
        self._accepted = ""
        self._footnote = NO_FOOTNOTE

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in ("p", "li", "td", "th") or _heading_level(tag):
            self._runs = []
            depth = _whole(values.get("data-level"), 0) if tag == "li" else 0
            self._depth = min(depth, MAX_DEPTH)
            self._is_header = self._is_header or tag == "th"
        elif tag == "table":
            self._rows = []
        elif tag == "tr":
            self._cells = []
            self._is_header = False
        elif tag == "b":
            self._bold += 1
        elif tag == "i":
            self._italic += 1
        elif tag == "span":
            self._unit = _whole(values.get("data-unit"), NO_UNIT)
            checked = EARLIER if values.get("data-checked") == "1" else ""
            self._accepted = values.get("data-accepted") or checked
        elif tag == "a":
            href = values.get("href") or ""
            if href.startswith(FOOTNOTE_HREF):
                self._footnote = _whole(href[len(FOOTNOTE_HREF) :], NO_FOOTNOTE)

    def handle_endtag(self, tag: str) -> None:
        level = _heading_level(tag)
        if tag in ("p", "li") or level:
            kind = {"p": ParagraphKind.TEXT, "li": ParagraphKind.LIST_ITEM}.get(tag)
            runs = tuple(self._runs or ())
            self.pieces.append(Paragraph(kind or ParagraphKind.HEADING, runs, level or self._depth))
            self._runs = None
        elif tag in ("td", "th"):
            self._cells.append(tuple(self._runs or ()))
            self._runs = None
        elif tag == "tr":
            self._rows.append(Row(tuple(self._cells), self._is_header))
        elif tag == "table" and self._rows:
            self.pieces.append(Table(tuple(self._rows)))
        elif tag == "b":
            self._bold = max(0, self._bold - 1)
        elif tag == "i":
            self._italic = max(0, self._italic - 1)
        elif tag == "span":
            self._unit, self._accepted = NO_UNIT, ""
        elif tag == "a":
            self._add("")
            self._footnote = NO_FOOTNOTE

    def handle_data(self, data: str) -> None:
        # The digits inside a mark are its number, which the editor writes by itself.
        if self._footnote == NO_FOOTNOTE:
            self._add(data)

    def _add(self, text: str) -> None:
        if self._runs is None or (not text and self._footnote == NO_FOOTNOTE):
            return
        self._runs.append(
            Run(
                text,
                self._unit,
                self._footnote,
                is_bold=self._bold > 0,
                is_italic=self._italic > 0,
                accepted=self._accepted,
            )
        )


def _heading_level(tag: str) -> int:
    return int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456" else 0


def _whole(text: str | None, otherwise: int) -> int:
    # Longer numbers are nobody's, and Qt takes none beyond 32 bits.
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise

"""Turns the cells of a table into one block per row, each with the column headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.model import BlockKind, Locator, Segment

MAX_HEADER_CHARACTERS = 120
# fmt: off
_HEADER_WORDS = frozenset(
    {
        "term", "terms", "definition", "definitions", "abbreviation", "acronym", "meaning",
        "field", "value", "item", "items", "parameter", "parameters", "description", "name",
        "role", "roles", "responsibility", "responsibilities", "criteria", "criterion",
        "characteristic", "characteristics", "attribute", "step", "action", "id", "no",
        "document", "title", "record", "risk", "hazard", "requirement", "requirements", "test",
        "result", "results", "standard", "section", "version", "revision", "date", "author",
        "change", "changes", "reference", "references", "category", "type", "level", "form",
        "procedure", "process", "input", "output", "feature", "component", "property",
        "properties", "status", "activity", "question", "answer", "severity", "probability",
        "likelihood", "phase", "deliverable", "device", "predicate", "specification", "number",
        "details", "detail",
    }
)
# fmt: on
_NUMBER = re.compile(r"^[<>≤≥±~+\-–]?\s*[\d.,]+\s*(%|[a-zA-Zµμ°/]{1,8})?$")

# The text of a row's block, the marks in it, and its cells with their headers.
_Parts = tuple[str, tuple[Segment, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row as found in the file: one text per column, merged cells repeated.

    ``spanning`` is true where one cell covers the whole row. ``repeated`` are the columns
    (from 0) that show the cell to their left once more, since it covers them. ``marks`` locate
    lines in the texts: one tuple per column, relative to that column's text. ``shown`` is what the
    row's sentence says for each column where that is more than the cells: numbers of list items.
    ``ocr_confidence`` (0 to 1) says that the row was recognised.
    """

    cells: tuple[str, ...]
    locator: Locator
    spanning: bool = False
    marked_header: bool = False
    emphasised: bool = False
    marks: tuple[tuple[Segment, ...], ...] = ()
    repeated: frozenset[int] = frozenset()
    shown: tuple[str, ...] = ()
    ocr_confidence: float | None = None

    @property
    def said(self) -> tuple[str, ...]:
        """What the row's sentence says for each column."""
        return self.shown or self.cells


def header_row_count(rows: list[TableRow]) -> int:
    """Return how many of the first rows are the table's header (0 or more)."""
    marked = 0
    while marked < len(rows) and rows[marked].marked_header:
        marked += 1
    if 0 < marked < len(rows) or not rows:
        return marked
    first = rows[0]
    if len(rows) < 2 or len(first.cells) < 2 or first.spanning:
        return 0
    texts = [folded(cell) for cell in first.cells]
    if any(len(text) > MAX_HEADER_CHARACTERS for text in texts):
        return 0
    if any(_NUMBER.match(text) for text in texts):
        return 0
    # "Form | Name: | G. Hopper" fills in a form; the corner of a table may end so.
    if len({text.endswith(":") for text in texts[1:] if text}) > 1:
        return 0
    if first.repeated and not _has_columns_of(first, rows[1:]):
        return 2 if _are_groups_and_names(rows) else 0
    if first.emphasised and not all(row.emphasised for row in rows[1:]):
        own = [text for column, text in enumerate(texts) if text and column not in first.repeated]
        return 1 if len(own) >= 2 else 0
    if len(texts) == 2:
        return 1 if all(_looks_like_header(text) for text in texts) else 0
    # The corner above the row names may be empty; every other column needs a name.
    distinct = {text for text in texts[1:] if text}
    return 1 if len(distinct) == len(texts) - 1 and distinct.isdisjoint({texts[0]}) else 0


def _has_columns_of(first: TableRow, rest: list[TableRow]) -> bool:
    """Whether most rows are merged where ``first`` is; else it is the title of a form."""
    return sum(first.repeated <= row.repeated for row in rest) * 2 > len(rest)


def _are_groups_and_names(rows: list[TableRow]) -> bool:
    """Whether the first row names groups of the columns that the second one names."""
    first, second = rows[:2]
    if len({text for text in first.cells if text}) < 2:
        return False
    emphasised = first.emphasised and second.emphasised and not all(row.emphasised for row in rows)
    return len(rows) > 2 and emphasised and not second.repeated and not second.spanning


def _looks_like_header(text: str) -> bool:
    words = re.findall(r"[a-z]+", text.lower())
    return 0 < len(words) <= 4 and any(word in _HEADER_WORDS for word in words) and ":" not in text


def column_headers(rows: list[TableRow], count: int) -> tuple[str, ...]:
    """Return one header per column from the first ``count`` rows, stacked headers joined."""
    if not count:
        return ()
    width = max(len(row.cells) for row in rows[:count])
    headers: list[str] = []
    for column in range(width):
        parts: list[str] = []
        for row in rows[:count]:
            text = folded(row.cells[column]) if column < len(row.cells) else ""
            if text and text not in parts:
                parts.append(text)
        headers.append(" ".join(parts).rstrip(":").strip())
    return tuple(headers)


def add_table(
    builder: DocumentBuilder,
    rows: list[TableRow],
    *,
    group: object,
    headers: tuple[str, ...] = (),
    title: str = "",
    may_head: bool = True,
) -> tuple[str, ...]:
    """Append ``rows`` as blocks and return the headers in force.

    ``headers`` are those of a table that goes on from an earlier page; without them they are
    taken from the first rows where those look like a header. ``title`` is the table's caption:
    it ends the heading path of each row. Without ``may_head`` no row is taken for a header.
    """
    count, headers = _header_rows(rows, headers) if may_head else (0, ())
    for _ in _added_rows(builder, rows, group, (count, headers), _path(builder, title)):
        pass
    return headers


def table_rows(
    builder: DocumentBuilder, rows: list[TableRow], *, group: object, title: str = ""
) -> Iterator[int]:
    """Append ``rows`` as ``add_table`` does; yield the index of each once it is appended.

    What stands inside of a row can so be appended right after it.
    """
    header = _header_rows(rows, ())
    return _added_rows(builder, rows, group, header, _path(builder, title))


def _path(builder: DocumentBuilder, title: str) -> tuple[str, ...]:
    return (*builder.heading_path, title) if title else builder.heading_path


def _header_rows(rows: list[TableRow], headers: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return how many of the first rows are the header, and the headers in force."""
    if not headers:
        count = header_row_count(rows)
        return count, column_headers(rows, count)
    count = 0
    while count < len(rows) and _repeats(rows[count], headers):
        count += 1
    return count, headers


def _added_rows(
    builder: DocumentBuilder,
    rows: list[TableRow],
    group: object,
    header: tuple[int, tuple[str, ...]],
    path: tuple[str, ...],
) -> Iterator[int]:
    count, headers = header
    for index, row in enumerate(rows):
        is_header = index < count
        text, marks, cells = _header_parts(row) if is_header else _row_parts(row, headers)
        builder.add(
            BlockKind.TABLE_ROW,
            text,
            row.locator,
            cells=cells,
            is_table_header=is_header,
            marks=marks,
            group=group,
            heading_path=path,
            ocr_confidence=row.ocr_confidence,
        )
        yield index


def _repeats(row: TableRow, headers: tuple[str, ...]) -> bool:
    texts = tuple(folded(cell).rstrip(":").strip() for cell in row.cells)
    return len(texts) > 1 and texts == headers


def _header_parts(row: TableRow) -> _Parts:
    kept = [
        column
        for column, cell in enumerate(row.said)
        if cell.strip() and column not in row.repeated
    ]
    if row.spanning:
        kept = kept[:1]
    text, marks = _joined([("", row.said[column], column) for column in kept], row, " | ")
    return text, marks, tuple(("", cell.strip()) for cell in row.cells)


def _row_parts(row: TableRow, headers: tuple[str, ...]) -> _Parts:
    texts = [cell.strip() for cell in row.cells]
    kept = [column for column, text in enumerate(texts) if text]
    named = {column: headers[column] if column < len(headers) else "" for column in kept}
    between = " | "
    if row.spanning or len(kept) == 1:
        kept = kept[:1]
        if row.spanning or kept == [0]:
            named = dict.fromkeys(kept, "")
    elif headers:
        between = "; "
    elif len(kept) == 2 and len(texts) == 2:
        between = " " if texts[0].endswith((":", "?")) else ": "
    shown = kept if headers else [column for column in kept if column not in row.repeated]
    prefixes = {column: f"{header}: " if header else "" for column, header in named.items()}
    pieces = [(prefixes[column], row.said[column], column) for column in shown]
    return *_joined(pieces, row, between), tuple((named[each], texts[each]) for each in kept)


def _joined(
    pieces: list[tuple[str, str, int]], row: TableRow, between: str
) -> tuple[str, tuple[Segment, ...]]:
    """Join (prefix, cell, column) to a row's text; move the marks of the cells along."""
    text = ""
    marks: list[Segment] = []
    before = ("", "")
    for prefix, cell, column in pieces:
        if (prefix or row.marked_header) and (prefix, cell) == before:
            continue  # a cell that spans columns is repeated in ``cells``, not in the sentence
        before = (prefix, cell)
        if text:
            text += between
        text += prefix
        lead = len(cell) - len(cell.lstrip())
        base = len(text) - lead
        body = cell.strip()
        if column < len(row.marks):
            marks.extend(
                Segment(max(base + mark.start, len(text)), base + mark.end, mark.page, mark.rect)
                for mark in row.marks[column]
            )
        text += body
    return text, tuple(marks)

"""Puts the cells of rows back into the columns of their table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.model import Block
from phasergun_desktop.documents.table_blocks import TableRow, column_headers

_BETWEEN = ("", "; ", " | ", ": ", " ")


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell in ``column`` (from 0) that shows ``text``.

    ``start``..``end`` are its code points in the document; both are the row's start where the
    text of the row has it only once although the table has it in several columns.
    """

    column: int
    text: str
    start: int
    end: int


def column_labels(rows: Sequence[Block]) -> tuple[str, ...]:
    """Return a label per column of the table that ``rows`` (in order) are of.

    A row names only the columns that it has a text in: the header rows say what all of them
    are, and without those the rows do together. Columns without a name are ``""``.
    """
    headers = []
    for row in rows:
        if not row.is_table_header:
            break
        headers.append(TableRow(tuple(cell for _label, cell in row.cells), row.locator))
    labels = list(column_headers(headers, len(headers)))
    for row in rows[len(headers) :]:
        at = 0
        for index, (label, _cell) in enumerate(row.cells):
            column = _column_of(label, labels, at)
            if column is None and (label or at >= len(labels)):
                # Before the next column of this row that is known, else behind all others.
                known = (_column_of(later, labels, at) for later, _cell in row.cells[index + 1 :])
                column = next((one for one in known if one is not None), len(labels))
                labels.insert(column, label)
            at = (at if column is None else column) + 1
    return tuple(labels)


def placed_cells(row: Block, labels: Sequence[str], text: str) -> list[PlacedCell]:
    """Return the cells of ``row`` by column; ``text`` is that of the document.

    Empty cells are left out. A row of which no cell is found in its text is one cell.
    """
    placed: list[PlacedCell] = []
    at, column = row.start, 0
    before: tuple[str, str] | None = None
    for pair in row.cells:
        label, cell = pair
        if row.is_table_header:
            here = column
        else:
            found_column = _column_of(label, labels, column)
            here = column if found_column is None else found_column
        column = here + 1
        if not cell:
            continue
        span = _span(pair, before, text, at, row.end)
        before = pair
        if span is None:
            placed.append(PlacedCell(here, cell, row.start, row.start))
        else:
            placed.append(PlacedCell(here, cell, *span))
            at = span[1]
    if not any(one.end > one.start for one in placed):
        return [PlacedCell(0, text[row.start : row.end], row.start, row.end)]
    return placed


def spans_row(row: Block) -> bool:
    """Whether the row is one text over all columns: a heading inside of the table."""
    return len(row.cells) == 1 and not row.cells[0][0]


def _column_of(label: str, labels: Sequence[str], first: int) -> int | None:
    for column in range(first, len(labels)):
        if labels[column] == label:
            return column
    return None


def _span(
    pair: tuple[str, str], before: tuple[str, str] | None, text: str, at: int, end: int
) -> tuple[int, int] | None:
    """Return the code points of a cell that follows ``at``."""
    label, cell = pair
    for wanted in (f"{label}: {cell}", cell) if label else (cell,):
        for between in _BETWEEN:
            if text.startswith(between + wanted, at):
                last = at + len(between) + len(wanted)
                if last <= end:
                    return last - len(cell), last
    if pair == before:
        # A merged cell stands once in the text; a later cell may only happen to contain it.
        return None
    found = text.find(f"{label}: {cell}", at, end) if label else -1
    if found >= 0:
        found += len(label) + 2
    else:
        found = text.find(cell, at, end)
    return (found, found + len(cell)) if found >= 0 else None

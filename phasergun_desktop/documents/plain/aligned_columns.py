"""Finds tables that a plain text sets in columns of spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_GAP = re.compile(r"\S(?: {2,}|\t\s*)\S")
_RULE = re.compile(r"[\s|+:=_-]*[-=_]{3}[\s|+:=_-]*")
_TAB = 8
# Sentences that happen to have a space in one place are fewer than so many lines, or have fewer
# columns; a river between columns is so wide.
_FEWEST_LINES, _FEWEST_OF_TWO_COLUMNS = 2, 3
_RIVER = 2

Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class AlignedTable:
    """The rows of a table: the number of the first line of each, and its cells."""

    rows: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def may_head(self) -> bool:
        """Whether the first row may be a header: no sentence is."""
        return not any(cell.endswith((".", "?", "!")) for cell in self.rows[0][1][1:])


def parts(lines: Sequence[Line]) -> Iterator[AlignedTable | list[Line]]:
    """Yield the tables among the numbered ``lines`` of a paragraph, and the lines between."""
    between: list[Line] = []
    at = 0
    while at < len(lines):
        end, table = _table(lines, at)
        if table is None:
            between.append(lines[at])
            at += 1
            continue
        if between:
            yield between
            between = []
        yield table
        at = end
    if between:
        yield between


def _table(lines: Sequence[Line], start: int) -> tuple[int, AlignedTable | None]:
    """Return the table that begins in line ``start`` and where it ends; None without one."""
    if not _GAP.search(lines[start][1].strip()):
        return start, None
    taken = [(lines[start][0], lines[start][1].expandtabs(_TAB))]
    columns = _columns([taken[0][1]])
    end = start + 1
    for number, raw in lines[start + 1 :]:
        text = raw.expandtabs(_TAB)
        if _RULE.fullmatch(text):
            end += 1
            continue
        wider = _columns([line for _, line in taken] + [text])
        # A line that most columns run through is none of theirs.
        if 2 * len(wider) <= len(columns) or not _is_row(text, wider):
            break
        taken.append((number, text))
        columns = wider
        end += 1
    fewest = _FEWEST_OF_TWO_COLUMNS if len(columns) < 3 else _FEWEST_LINES
    rows = _rows(taken, columns)
    is_table = len(columns) > 1 and len(rows) >= fewest
    return (end, AlignedTable(tuple(rows))) if is_table else (start, None)


def _columns(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the columns that all of ``lines`` leave room between, as starts and ends."""
    width = max(map(len, lines))
    is_blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(width)]
    found: list[tuple[int, int]] = []
    for at in range(width):
        if is_blank[at]:
            continue
        if found and at - found[-1][1] < _RIVER:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found


def _is_row(text: str, columns: Sequence[tuple[int, int]]) -> bool:
    """Whether ``text`` has cells in several columns, or goes on below a later one."""
    filled = [bool(text[start:end].strip()) for start, end in columns]
    return sum(filled) > 1 or (any(filled) and not filled[0])


def _rows(
    lines: Sequence[Line], columns: Sequence[tuple[int, int]]
) -> list[tuple[int, tuple[str, ...]]]:
    rows: list[tuple[int, tuple[str, ...]]] = []
    for number, text in lines:
        cells = tuple(text[start:end].strip() for start, end in columns)
        if rows and sum(map(bool, cells)) == 1:
            # The rest of a cell that was too long for its line.
            before, above = rows[-1]
            rows[-1] = (
                before,
                tuple(f"{a} {b}".strip() for a, b in zip(above, cells, strict=True)),
            )
        else:
            rows.append((number, cells))
    return rows

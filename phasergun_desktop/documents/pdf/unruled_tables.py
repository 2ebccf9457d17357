"""Finds tables that are set without ruling lines, by the white gutters between their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from phasergun_desktop.documents.pdf.lines import GUTTER, Line, make_line
from phasergun_desktop.documents.pdf.placed_words import Word

_MAX_ROW_GAP = 1.9
_MIN_GUTTER = 0.3
_FAR = 1e6


@dataclass(slots=True)
class Grid:
    """A table without rulings: lines ``first`` to ``last`` (exclusive) of a region.

    ``rows`` hold, per column, the lines of the cell; ``starts`` the x positions of columns.
    """

    first: int
    last: int
    starts: tuple[float, ...]
    rows: list[list[list[Line]]] = field(default_factory=list)


@dataclass(slots=True)
class _Band:
    first: int
    gutters: list[tuple[float, float]]
    last: int = 0
    multi: int = 0
    crossings: int = 0


def find_grids(lines: Sequence[Line], pitch: float) -> list[Grid]:
    """Return the tables among ``lines`` (top to bottom); ``pitch`` is the distance of the
    base lines of running text in heights of the line."""
    found: list[Grid] = []
    pieces = [line.pieces for line in lines]
    index = 0
    while index < len(lines):
        band = _grow(lines, pieces, index) if len(pieces[index]) > 1 else None
        grid = _grid(lines, pieces, band, pitch) if band else None
        if grid is None:
            index += 1
        else:
            found.append(grid)
            index = grid.last
    return found


def _grow(lines: Sequence[Line], pieces: list[list[Line]], index: int) -> _Band:
    head = pieces[index]
    inner = [(a.x1, b.x0) for a, b in pairwise(head)]
    band = _Band(index, [(-_FAR, head[0].x0), *inner, (head[-1].x1, _FAR)], index + 1, 1)
    for position in range(index + 1, len(lines)):
        line, before = lines[position], lines[position - 1]
        height = max(line.height, before.height)
        if line.y0 - before.y1 > _MAX_ROW_GAP * height:
            break
        if max(line.height, before.height) > 1.3 * min(line.height, before.height):
            break
        if len(pieces[position]) == 1 and (
            line.height > 1.2 * before.height or (line.bold and not before.bold)
        ):
            break
        gutters, killed = _narrowed(band.gutters, pieces[position], height)
        alive = sum(1 for start, end in gutters if start > -_FAR and end < _FAR)
        if not alive:
            break
        if killed:
            # A cell that spans columns is allowed now and then; its line moves no gutter.
            band.crossings += 1
            if len(pieces[position]) == 1 or band.crossings > 1 + (position - index) // 4:
                break
        else:
            band.gutters = gutters
        band.multi += len(pieces[position]) > 1
        band.last = position + 1
    return band


def _narrowed(
    gutters: list[tuple[float, float]], pieces: list[Line], height: float
) -> tuple[list[tuple[float, float]], bool]:
    """Return the gutters that are still white with a further line, and whether one is lost."""
    current = list(gutters)
    killed = False
    for piece in pieces:
        following: list[tuple[float, float]] = []
        for start, end in current:
            if piece.x1 <= start or piece.x0 >= end:
                following.append((start, end))
                continue
            parts = [(start, min(end, piece.x0)), (max(start, piece.x1), end)]
            kept = [part for part in parts if part[1] - part[0] >= _MIN_GUTTER * height]
            killed = killed or not kept
            following.extend(kept)
        current = following
    return current, killed


def _grid(
    lines: Sequence[Line], pieces: list[list[Line]], band: _Band, pitch: float
) -> Grid | None:
    gutters = [gutter for gutter in band.gutters if gutter[0] > -_FAR and gutter[1] < _FAR]
    last = _trimmed(lines, pieces, band, gutters)
    _extend_up(lines, pieces, band, gutters)
    if band.multi < 2 or not gutters or last - band.first < 2:
        return None
    members = list(range(band.first, last))
    multi = [index for index in members if len(pieces[index]) > 1]
    height = sorted(lines[index].height for index in members)[len(members) // 2]
    narrow = min(end - start for start, end in gutters)
    if len(multi) < 2 or (len(multi) < 4 and narrow < GUTTER * height):
        return None
    borders = [(start + end) / 2 for start, end in gutters]
    rows = _rows([_placed(lines[index], borders) for index in members], height, pitch)
    if len(rows) < 2 or _is_prose(rows) or _is_list(rows):
        return None
    columns = zip(*rows, strict=True)
    starts = (min((each.x0 for cell in cells for each in cell), default=_FAR) for cells in columns)
    return Grid(band.first, last, tuple(starts), rows)


def _extend_up(
    lines: Sequence[Line],
    pieces: list[list[Line]],
    band: _Band,
    gutters: list[tuple[float, float]],
) -> None:
    """Take in the first lines of header cells that start above the others."""
    while band.first > 0 and gutters:
        line, below = lines[band.first - 1], lines[band.first]
        if below.base - line.base > 1.35 * max(line.height, below.height):
            break
        if line.x0 < gutters[0][1] - 1 or any(
            piece.x0 < start and piece.x1 > end
            for piece in pieces[band.first - 1]
            for start, end in gutters
        ):
            break
        band.first -= 1


def _trimmed(
    lines: Sequence[Line],
    pieces: list[list[Line]],
    band: _Band,
    gutters: list[tuple[float, float]],
) -> int:
    """Return the end of the band without the running text that happens to fit below it."""
    last = band.last
    final = max(
        (index for index in range(band.first, last) if len(pieces[index]) > 1), default=last
    )
    keep = final + 1
    borders = [start for start, _ in gutters]
    for index in range(final + 1, last):
        above, line = lines[index - 1], lines[index]
        indented = line.x0 > borders[0]
        close = line.base - above.base < 1.32 * max(line.height, above.height)
        if not close or not (indented or line.x1 <= borders[0] + 1):
            break
        if not indented and re.match(r"^[A-Z0-9].*[.:]$", line.text):
            break
        keep = index + 1
    return keep


def _placed(line: Line, borders: list[float]) -> list[Line | None]:
    """Return the part of a line in each column."""
    words: list[list[Word]] = [[] for _ in range(len(borders) + 1)]
    for word in line.words:
        middle = (word.x0 + word.x1) / 2
        words[sum(1 for border in borders if border < middle)].append(word)
    return [make_line(part) if part else None for part in words]


def _rows(placed: list[list[Line | None]], height: float, pitch: float) -> list[list[list[Line]]]:
    """Group the lines of a table to rows."""
    columns = len(placed[0])
    gaps = _gaps(placed)
    limit = _row_gap(placed, gaps, height, pitch)
    rows: list[list[list[Line]]] = []
    for position, parts in enumerate(placed):
        gap = gaps[position]
        filled = sum(1 for part in parts if part is not None)
        if not rows:
            fresh = True
        elif limit is not None:
            fresh = gap is not None and gap > limit
        else:
            fresh = _starts_row(parts, filled, columns)
        if fresh:
            rows.append([[] for _ in range(columns)])
        for column, part in enumerate(parts):
            if part is not None:
                rows[-1][column].append(part)
    return rows


def _row_gap(
    placed: list[list[Line | None]], gaps: list[float | None], height: float, pitch: float
) -> float | None:
    """Return the distance of base lines above which a row ends, where space tells rows apart.

    None where all lines are equally far apart, or where the wider gaps only set off groups of
    rows: then what is filled tells.
    """
    known = sorted(gap for gap in gaps[1:] if gap is not None and gap > 0.7 * height)
    if not known:
        return None
    tight = known[len(known) // 20]
    limit = 1.12 * tight
    if tight > 1.15 * pitch * height or known[-1] <= limit:
        return None
    wrapped = [
        parts
        for parts, gap in zip(placed[1:], gaps[1:], strict=True)
        if gap is not None and gap <= limit
    ]
    filled = sum(sum(part is not None for part in parts) / len(parts) for parts in wrapped)
    headless = sum(parts[0] is None for parts in wrapped)
    told = headless >= 0.3 * len(wrapped) or filled < 0.75 * len(wrapped)
    return limit if wrapped and told else None


def _gaps(placed: list[list[Line | None]]) -> list[float | None]:
    """Return for each line its distance to the last line in one of the same columns.

    None where no line above shares a column, or where the line stands beside the last row.
    """
    lowest: dict[int, float] = {}
    gaps: list[float | None] = []
    for parts in placed:
        own = {column: part for column, part in enumerate(parts) if part is not None}
        base = max((part.base for part in own.values()), default=0.0)
        shared = [base - lowest[column] for column in own if column in lowest]
        if shared:
            gaps.append(min(shared))
        else:
            gaps.append(None if not lowest else base - max(lowest.values()))
        for column, part in own.items():
            lowest[column] = part.base
    return gaps


def _starts_row(parts: list[Line | None], filled: int, columns: int) -> bool:
    first = parts[0]
    if filled < 2:
        return False
    if first is not None:
        return not first.text[:1].islower() and not first.text.startswith(("(", ")", "/"))
    return columns > 2 and filled >= max(2, round(0.6 * columns))


def _is_prose(rows: list[list[list[Line]]]) -> bool:
    """Whether the columns are running text side by side, and no table."""
    columns = len(rows[0])
    if columns > 3:
        return False
    lines = [[line for row in rows for line in row[column]] for column in range(columns)]
    counts = [len(column) for column in lines]
    lengths = [sum(len(line.text) for line in column) / max(1, len(column)) for column in lines]
    return min(counts) >= 6 and min(counts) > 0.6 * max(counts) and min(lengths) >= 26


def _is_list(rows: list[list[list[Line]]]) -> bool:
    """Whether the first column holds nothing but list marks."""
    if len(rows[0]) != 2:
        return False
    firsts = [line.text for row in rows for line in row[0]]
    return all(re.fullmatch(r"\W{1,2}|\(?[\da-zA-Z]{1,3}[.)]?", text) for text in firsts)

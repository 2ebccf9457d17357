"""Divides a PDF page into running lines and tables, in the order of reading."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.documents.pdf.lines import Line, PlacedLine, lines_of, make_line
from phasergun_desktop.documents.pdf.placed_words import Word
from phasergun_desktop.documents.pdf.rulings import RuledTable
from phasergun_desktop.documents.pdf.unruled_tables import Grid, find_grids

_MIN_COLUMN_LINES = 6
_MIN_COLUMN_CHARACTERS = 18


@dataclass(frozen=True, slots=True)
class TableCell:
    """The lines of a cell and the width of its column in points."""

    lines: tuple[Line, ...]
    width: float


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page. ``spanning`` marks rows that are one cell."""

    rows: tuple[tuple[TableCell, ...], ...]
    spanning: tuple[bool, ...]
    starts: tuple[float, ...]
    y0: float


@dataclass(frozen=True, slots=True)
class TextRun:
    """Consecutive lines of running text in a column of ``left`` to ``right``."""

    lines: tuple[Line, ...]
    left: float
    right: float


Element = PageTable | TextRun


@dataclass(frozen=True, slots=True)
class PageLayout:
    """What is on a page, in the order of reading; ``back`` maps it to the page as rendered."""

    page: int
    back: Affine
    elements: tuple[Element, ...]

    def placed(self, lines: Iterable[Line]) -> list[PlacedLine]:
        """Return ``lines`` with their rectangles on the page as rendered."""
        back, page = self.back.rect, self.page
        return [PlacedLine(line, page, back(line.x0, line.y0, line.x1, line.y1)) for line in lines]


def layout_elements(
    lines: list[Line], ruled: Sequence[RuledTable], pitch: float
) -> tuple[Element, ...]:
    """Return tables and running text of ``lines`` (all in one turned frame)."""
    tables: list[PageTable] = []
    rest = [word for line in lines for word in line.words] if ruled else []
    for table in ruled:
        inside = [word for word in rest if _within(word, table.box)]
        built = _ruled_table(table, inside)
        if built is not None:
            tables.append(built)
            taken = {id(word) for word in inside}
            rest = [word for word in rest if id(word) not in taken]
    if tables:
        lines = lines_of(rest)
    elements: list[Element] = []
    for region in _regions(lines):
        elements.extend(_region_elements(region, pitch))
    return tuple(_with_tables(elements, tables))


def _with_tables(elements: list[Element], tables: list[PageTable]) -> list[Element]:
    """Put ruled tables where they stand among running text; cut the text there."""
    for table in tables:
        at = next((k for k, each in enumerate(elements) if _reaches(each, table.y0)), len(elements))
        run = elements[at] if at < len(elements) else table
        if isinstance(run, PageTable):
            elements.insert(at, table)
            continue
        above = tuple(line for line in run.lines if line.y1 <= table.y0 + 2)
        below = tuple(line for line in run.lines if line.y1 > table.y0 + 2)
        around = [TextRun(lines, run.left, run.right) for lines in (above, below) if lines]
        elements[at : at + 1] = [*around[: bool(above)], table, *around[bool(above) :]]
    return elements


def _reaches(element: Element, y: float) -> bool:
    """Whether ``element`` starts below ``y``, or goes on below it where it is text."""
    return element.lines[-1].y1 > y if isinstance(element, TextRun) else element.y0 >= y


def _within(word: Word, box: Rect) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box.x0 - 1 <= x <= box.x1 + 1 and box.y0 - 1 <= y <= box.y1 + 1


def _ruled_table(table: RuledTable, words: list[Word]) -> PageTable | None:
    """Fill the cells; None where the lines are a frame around text, and no table."""
    columns = len(table.edges) - 1
    texts: list[list[tuple[Line, ...]]] = [
        [() for _ in range(columns)] for _ in range(table.row_count)
    ]
    filled = 0
    spanning = [False] * table.row_count
    left = set(range(len(words)))
    for cell in table.cells:
        own = [index for index in left if _within(words[index], cell.box)]
        left.difference_update(own)
        lines = tuple(lines_of([words[index] for index in sorted(own)]))
        filled += bool(lines)
        for row in range(*cell.rows):
            for column in range(*cell.columns):
                texts[row][column] = lines
            spanning[row] = columns > 1 and cell.columns == (0, columns)
    kept = [row for row in range(table.row_count) if any(texts[row])]
    used = [column for column in range(columns) if any(texts[row][column] for row in kept)]
    if filled < 2 or len(left) > 0.1 * len(words) or len(kept) * len(used) < 2:
        return None
    longest = max(len(texts[row][column]) for row in kept for column in used)
    if (len(used) == 1 and longest > 12) or (len(kept) <= 3 and longest > 25):
        return None
    widths = [table.edges[column + 1] - table.edges[column] for column in range(columns)]
    rows: list[tuple[TableCell, ...]] = []
    single: list[bool] = []
    for row in kept:
        cells = tuple(TableCell(texts[row][column], widths[column]) for column in used)
        parts = [cells] if spanning[row] else _stacked_rows(cells)
        rows.extend(parts)
        single.extend([spanning[row] and len(used) > 1] * len(parts))
    return PageTable(
        rows=tuple(rows),
        spanning=tuple(single),
        starts=tuple(table.edges[column] for column in used),
        y0=table.box.y0,
    )


def _stacked_rows(cells: tuple[TableCell, ...]) -> list[tuple[TableCell, ...]]:
    """Split a row whose cells all hold the same number of lines on the same base lines.

    Such tables rule off groups of rows only; a cell that wraps has fewer or more lines than
    its neighbours.
    """
    counts = [len(cell.lines) for cell in cells]
    count = counts[0]
    if count < 3 or len(cells) < 3 or any(other not in (0, count) for other in counts):
        return [cells]
    filled = [cell for cell in cells if cell.lines]
    for index in range(count):
        bases = [cell.lines[index].base for cell in filled]
        if max(bases) - min(bases) > 3.0:
            return [cells]
    return [
        tuple(TableCell(cell.lines[index : index + 1], cell.width) for cell in cells)
        for index in range(count)
    ]


def _region_elements(lines: list[Line], pitch: float) -> list[Element]:
    if not lines:
        return []
    left = min(line.x0 for line in lines)
    right = _right_edge(lines)
    elements: list[Element] = []
    position = 0
    for grid in find_grids(lines, pitch):
        if grid.first > position:
            elements.append(TextRun(tuple(lines[position : grid.first]), left, right))
        elements.append(_grid_table(grid, lines))
        position = grid.last
    if position < len(lines):
        elements.append(TextRun(tuple(lines[position:]), left, right))
    return elements


def _right_edge(lines: list[Line]) -> float:
    edges = sorted(line.x1 for line in lines)
    return edges[min(len(edges) - 1, int(len(edges) * 0.95))]


def _grid_table(grid: Grid, lines: list[Line]) -> PageTable:
    members = lines[grid.first : grid.last]
    widths = [
        max((line.x1 - line.x0 for row in grid.rows for line in row[column]), default=1.0)
        for column in range(len(grid.starts))
    ]
    rows: list[tuple[TableCell, ...]] = []
    for row in grid.rows:
        cells = [TableCell(tuple(part), widths[column]) for column, part in enumerate(row)]
        filled = sum(1 for cell in cells if cell.lines)
        above = rows[-1] if rows else ()
        if above and not cells[0].lines and filled >= max(2, round(0.6 * len(cells))):
            # The first cell of the group stands for the rows below it.
            cells[0] = above[0]
        rows.append(tuple(cells))
    return PageTable(
        rows=tuple(rows),
        spanning=tuple(False for _ in rows),
        starts=grid.starts,
        y0=members[0].y0,
    )


def _regions(lines: list[Line]) -> list[list[Line]]:
    """Split a page that is set in columns of running text; else return it as one region."""
    gutter = _page_gutter(lines)
    if gutter is None:
        return [lines]
    regions: list[list[Line]] = [[]]
    left: list[Line] = []
    right: list[Line] = []
    middle = (gutter[0] + gutter[1]) / 2

    def close() -> None:
        if left or right:
            regions.extend([*_regions(list(left)), *_regions(list(right)), []])
        left.clear()
        right.clear()

    for line in lines:
        if any(piece.x0 < gutter[0] - 1 and piece.x1 > gutter[1] + 1 for piece in line.pieces):
            close()
            regions[-1].append(line)
            continue
        for side, members in ((left, True), (right, False)):
            words = [word for word in line.words if ((word.x0 + word.x1) / 2 < middle) == members]
            if words:
                side.append(make_line(words))
    close()
    return [region for region in regions if region]


def _page_gutter(lines: list[Line]) -> tuple[float, float] | None:
    """Return the white strip between two columns of running text, or None."""
    if len(lines) < 2 * _MIN_COLUMN_LINES:
        return None
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    lefts = sorted([piece.x0 for line in lines for piece in line.pieces])
    rights = sorted([piece.x1 for line in lines for piece in line.pieces])
    height = _median([piece.height for line in lines for piece in line.pieces])
    limit = 0.4 * len(lines)
    step = max(1.0, height / 4)
    tried: list[tuple[int, float, float]] = []
    position = x0 + 0.25 * (x1 - x0)
    while position < x0 + 0.75 * (x1 - x0):
        start, end = position, position + 0.6 * height
        crossing = bisect_left(lefts, end) - bisect_right(rights, start)
        if crossing < limit:
            tried.append((crossing, start, end))
        position += step
    # The strip that the fewest lines cross, the leftmost of equals.
    for _, start, end in sorted(tried):
        if _both_sides_run(lines, start, end):
            return start, end
    return None


def _both_sides_run(lines: list[Line], start: float, end: float) -> bool:
    """Whether the text on both sides of a strip is running text."""
    left: list[Sequence[Word]] = []
    right: list[Sequence[Word]] = []
    for line in lines:
        words = line.words
        if line.x1 <= start:
            left.append(words)
        elif line.x0 >= end:
            right.append(words)
        elif not any(word.x0 < end and word.x1 > start for word in words):
            left.append([word for word in words if word.x1 <= start])
            right.append([word for word in words if word.x0 >= end])
    sides = [[words for words in side if words] for side in (left, right)]
    return all(_is_running(side) for side in sides)


def _is_running(side: list[Sequence[Word]]) -> bool:
    """Whether enough lines of a column are long, and follow one another as in paragraphs."""
    long = [words for words in side if _length(words) >= _MIN_COLUMN_CHARACTERS]
    if len(long) < _MIN_COLUMN_LINES:
        return False
    lines = [make_line(words) for words in long]
    height = _median([line.height for line in lines])
    gaps = [after - before for before, after in pairwise(sorted(line.y1 for line in lines))]
    return sum(1 for gap in gaps if gap < 1.6 * height) > 0.6 * len(gaps)


def _length(words: Sequence[Word]) -> int:
    return sum([len(word.text) for word in words]) + len(words) - 1


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]

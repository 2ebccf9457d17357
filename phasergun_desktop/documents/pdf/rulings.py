"""Finds the cells that ruling lines of a PDF page enclose (pdfplumber's table geometry)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.documents.pdf.placed_words import PageFrame

_PATH = 2
_IMAGE = 3
_FORM = 5
_THIN = 3.0
_MIN_LENGTH = 6.0
_MAX_OBJECTS = 20_000
_MAX_EDGES = 3_000
_MAX_COLUMNS = 60
_MAX_FORM_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its box in points and the columns and rows of the grid that it covers."""

    box: Rect
    columns: tuple[int, int]
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table that lines enclose; ``edges`` are the x positions of its column borders."""

    cells: tuple[Cell, ...]
    edges: tuple[float, ...]
    row_count: int
    box: Rect


@dataclass(slots=True)
class PageGraphics:
    """What is drawn on a page beside text, as it is rendered.

    ``boxes`` are those of straight lines and rectangles; ``objects`` counts all that is drawn;
    ``area`` is that of the page in square points, ``picture_share`` the share of it (0 to 1)
    that its largest picture covers.
    """

    objects: int
    area: float
    boxes: list[Rect] = field(default_factory=list)
    picture_share: float = 0.0


def page_graphics(page: Any, frame: PageFrame) -> PageGraphics:
    """Return the graphics of ``page``."""
    from pypdfium2 import raw  # noqa: PLC0415

    area = max(1.0, frame.width * frame.height)
    found = PageGraphics(max(0, raw.FPDFPage_CountObjects(page.raw)), area)
    for index in range(min(found.objects, _MAX_OBJECTS)):
        _collect(raw, raw.FPDFPage_GetObject(page.raw, index), frame.shown, found, 0)
        if len(found.boxes) > _MAX_EDGES:
            break
    return found


def ruled_tables(boxes: Sequence[Rect]) -> list[RuledTable]:
    """Return the tables with at least two cells that ``boxes`` rule off, top first.

    Everything is in the frame in which the writing of the page is upright.
    """
    edges: list[dict[str, Any]] = []
    for box in boxes:
        edges.extend(_edges(box))
        if len(edges) > _MAX_EDGES:
            return []
    if len(edges) < 4:
        return []
    from pdfplumber import table  # noqa: PLC0415

    merged = table.merge_edges(edges, 3, 3, 3, 3)
    crossings = table.edges_to_intersections(merged, 3, 3)
    groups = table.cells_to_tables(table.intersections_to_cells(crossings))
    found = [_ruled(cells) for cells in groups if len(cells) > 1]
    kept = [item for item in found if len(item.cells) > 1 and len(item.edges) <= _MAX_COLUMNS]
    return sorted(kept, key=lambda item: (item.box.y0, item.box.x0))


def _ruled(boxes: list[tuple[float, float, float, float]]) -> RuledTable:
    xs = _grid(value for box in boxes for value in (box[0], box[2]))
    ys = _grid(value for box in boxes for value in (box[1], box[3]))
    placed = [
        Cell(Rect(x0, y0, x1, y1), (_near(xs, x0), _near(xs, x1)), (_near(ys, y0), _near(ys, y1)))
        for x0, y0, x1, y1 in boxes
    ]
    solid = tuple(cell for cell in placed if cell.columns[1] > cell.columns[0])
    return RuledTable(solid, tuple(xs), len(ys) - 1, Rect(xs[0], ys[0], xs[-1], ys[-1]))


def _grid(values: Any) -> list[float]:
    grid: list[float] = []
    for value in sorted(values):
        if not grid or value - grid[-1] > 2.0:
            grid.append(value)
    return grid


def _near(grid: list[float], value: float) -> int:
    return min(range(len(grid)), key=lambda index: abs(grid[index] - value))


def _edges(box: Rect) -> list[dict[str, Any]]:
    """Return the sides of a box that are long enough to be rulings, as pdfplumber wants them."""
    x0, y0, x1, y1 = box.x0, box.y0, box.x1, box.y1
    across, down = (x0 + x1) / 2, (y0 + y1) / 2
    if y1 - y0 <= _THIN:
        sides = [(x0, down, x1, down)] if x1 - x0 >= _MIN_LENGTH else []
    elif x1 - x0 <= _THIN:
        sides = [(across, y0, across, y1)] if y1 - y0 >= _MIN_LENGTH else []
    else:
        sides = [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return [
        {
            "x0": left,
            "x1": right,
            "top": top,
            "bottom": bottom,
            "height": bottom - top,
            "orientation": "h" if top == bottom else "v",
        }
        for left, top, right, bottom in sides
    ]


def _collect(raw: Any, item: Any, outer: Affine, found: PageGraphics, depth: int) -> None:
    kind = raw.FPDFPageObj_GetType(item)
    if kind == _PATH:
        _collect_path(raw, item, outer.after(_matrix(raw, item)), found.boxes)
    elif kind == _IMAGE:
        # A picture is drawn into the unit square, which its matrix spreads over the page.
        placed = outer.after(_matrix(raw, item))
        share = min(1.0, abs(placed.a * placed.e - placed.b * placed.d) / found.area)
        found.picture_share = max(found.picture_share, share)
    elif kind == _FORM and depth < _MAX_FORM_DEPTH:
        inner = outer.after(_matrix(raw, item))
        for index in range(min(raw.FPDFFormObj_CountObjects(item), _MAX_OBJECTS)):
            _collect(raw, raw.FPDFFormObj_GetObject(item, index), inner, found, depth + 1)
            if len(found.boxes) > _MAX_EDGES:
                break


def _collect_path(raw: Any, path: Any, matrix: Affine, found: list[Rect]) -> None:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value and not stroke.value:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    subpath: list[tuple[float, float]] = []
    straight = True
    for index in range(min(raw.FPDFPath_CountSegments(path), 2_000)):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            _close(subpath, straight, bool(stroke.value), found)
            subpath, straight = [], True
        elif kind == raw.FPDF_SEGMENT_BEZIERTO:
            straight = False
        subpath.append(matrix.point(x.value, y.value))
        if raw.FPDFPathSegment_GetClose(segment) and len(subpath) > 2:
            subpath.append(subpath[0])
    _close(subpath, straight, bool(stroke.value), found)


def _close(
    points: list[tuple[float, float]],
    straight: bool,
    stroked: bool,
    found: list[Rect],
) -> None:
    if len(points) < 2 or not straight:
        return
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    box = Rect(min(xs), min(ys), max(xs), max(ys))
    if min(box.x1 - box.x0, box.y1 - box.y0) <= _THIN:
        found.append(box)
    elif stroked:
        for (x0, y0), (x1, y1) in pairwise(points):
            if abs(x0 - x1) < 1 or abs(y0 - y1) < 1:
                found.append(Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    elif len(points) in (4, 5):
        # A filled box: the shading of a cell; its sides stand for the rulings.
        found.append(box)


def _matrix(raw: Any, item: Any) -> Affine:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, matrix):
        return Affine()
    return Affine(matrix.a, matrix.c, matrix.e, matrix.b, matrix.d, matrix.f)

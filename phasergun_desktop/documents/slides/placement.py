"""The shapes of a slide, and the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

# Edges that meet or overlap by this share of the smaller side still leave two rows or columns.
_OVERLAP = 0.2
# Deeper than any real slide is divided: what is left is sorted by its corners.
_MAX_DIVISIONS = 40


@dataclass(frozen=True, slots=True)
class Box:
    """Where a shape stands, in any one unit, from the top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape as found in the file, ``number`` counted from 1 in the order of the file.

    ``number`` is 0 for a group, which has ``members``, and for a text whose shape is lost; ``box``
    is None where the file does not say it. ``is_margin``: a date, footer, header or number.
    ``element`` is the shape in a PPTX file, ``cells`` are those of a table in a PPT file.
    """

    number: int
    box: Box | None
    text: str = ""
    is_placeholder: bool = False
    is_title: bool = False
    is_margin: bool = False
    element: Element | None = None
    cells: tuple[Shape, ...] = ()
    members: tuple[Shape, ...] = ()


def flat(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the shapes and the members of groups in the order of the file."""
    for shape in shapes:
        if shape.members:
            yield from flat(shape.members)
        else:
            yield shape


def in_reading_order(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the shapes, members of a group together, from the top left to the bottom right."""
    for shape in reading_order(shapes):
        if shape.members:
            yield from in_reading_order(shape.members)
        else:
            yield shape


def reading_order(shapes: Sequence[Shape]) -> list[Shape]:
    """Return ``shapes`` row by row from the top, in each row column by column from the left.

    Shapes without a place keep the order of the file and come last.
    """
    known = [shape for shape in shapes if shape.box is not None]
    unknown = [shape for shape in shapes if shape.box is None]
    return _divided(known, _MAX_DIVISIONS) + unknown


def _divided(shapes: list[Shape], divisions: int) -> list[Shape]:
    if len(shapes) < 2:
        return shapes
    if divisions:
        for axis in ("y", "x"):
            parts = _strips(shapes, axis)
            if len(parts) > 1:
                return [shape for part in parts for shape in _divided(part, divisions - 1)]
    return sorted(shapes, key=lambda shape: (_side(shape, "y"), _side(shape, "x")))


def _strips(shapes: list[Shape], axis: Literal["x", "y"]) -> list[list[Shape]]:
    """Cut ``shapes`` into strips along ``axis`` wherever a gap runs through all of them."""
    strips: list[list[Shape]] = []
    end = shortest = 0.0
    for shape in sorted(shapes, key=lambda shape: _side(shape, axis)):
        start, length = _side(shape, axis)
        overlap = end - start
        if strips and overlap > _OVERLAP * min(length, shortest):
            strips[-1].append(shape)
            shortest = min(shortest, length)
            end = max(end, start + length)
        else:
            strips.append([shape])
            shortest, end = length, start + length
    return strips


def _side(shape: Shape, axis: Literal["x", "y"]) -> tuple[float, float]:
    """Return where ``shape`` begins along ``axis`` and how long it is there."""
    box = shape.box or Box(0, 0, 0, 0)
    return (box.x, box.width) if axis == "x" else (box.y, box.height)

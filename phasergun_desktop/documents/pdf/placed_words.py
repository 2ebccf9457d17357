"""Words with their boxes, and how the directions of writing on a page are turned upright."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple

from phasergun_desktop.documents.model import Rect

Affine = tuple[float, float, float, float, float, float]


class Word(NamedTuple):
    """A run of characters without a space, in the frame in which its writing is upright.

    Points, origin at the top left; ``base`` is the y of its base line, ``size`` the size
    of its font (the height of the box where the file tells none). ``quadrant`` is the
    direction of writing on the rendered page: 0 right, 1 down, 2 left, 3 up. ``spaced`` says
    that the file itself has a space character after the word; it is told only where one text
    object ends and another begins, which is where lines and cells end.

    A tuple, because a page has hundreds and they are made twice as fast as data classes.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: bool
    quadrant: int = 0
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class PageFrame:
    """How points of a page's own space appear on the rendered page: an affine map."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where (x, y) is on the rendered page, origin at the top left."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Return the upright rectangle around two corners."""
        px0, py0 = self.point(x0, y0)
        px1, py1 = self.point(x1, y1)
        return Rect(min(px0, px1), min(py0, py1), max(px0, px1), max(py0, py1))

    def turned(self, quadrant: int) -> Affine:
        """Return the map from the page's own space to the frame upright for ``quadrant``."""
        a, b, c, d, e, f = self.a, self.b, self.c, self.d, self.e, self.f
        w, h = self.width, self.height
        match quadrant:
            case 1:
                return d, e, f, -a, -b, w - c
            case 2:
                return -a, -b, w - c, -d, -e, h - f
            case 3:
                return -d, -e, h - f, a, b, c
        return a, b, c, d, e, f


def page_frame(page: Any) -> PageFrame:
    """Return the map from a page's space to its rendering, rotation and crop box included."""
    from pypdfium2 import raw  # noqa: PLC0415

    width, height = page.get_size()
    # The conversion returns whole numbers: sample on a grid that is fine enough.
    fine = 1000
    device = (0, 0, max(1, round(width * fine)), max(1, round(height * fine)), 0)

    def sample(x: float, y: float) -> tuple[float, float]:
        out_x, out_y = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page, *device, x, y, out_x, out_y)
        return out_x.value / fine, out_y.value / fine

    x_0, y_0 = sample(0, 0)
    x_1, y_1 = sample(100, 0)
    x_2, y_2 = sample(0, 100)
    return PageFrame(
        width=width,
        height=height,
        a=(x_1 - x_0) / 100,
        b=(x_2 - x_0) / 100,
        c=x_0,
        d=(y_1 - y_0) / 100,
        e=(y_2 - y_0) / 100,
        f=y_0,
    )


@dataclass(frozen=True, slots=True)
class Upright:
    """Turns a page so that text of one direction of writing runs from left to right."""

    quadrant: int
    width: float
    height: float

    @property
    def turned_height(self) -> float:
        """The height of the turned page."""
        return self.width if self.quadrant in (1, 3) else self.height

    def turned(
        self, x0: float, y0: float, x1: float, y1: float
    ) -> tuple[float, float, float, float]:
        """Return a box of the rendered page in the turned frame."""
        w, h = self.width, self.height
        match self.quadrant:
            case 1:
                return y0, w - x1, y1, w - x0
            case 2:
                return w - x1, h - y1, w - x0, h - y0
            case 3:
                return h - y1, x0, h - y0, x1
        return x0, y0, x1, y1

    def back(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Return a box of the turned frame as a rectangle on the rendered page."""
        w, h = self.width, self.height
        match self.quadrant:
            case 1:
                return Rect(w - y1, x0, w - y0, x1)
            case 2:
                return Rect(w - x1, h - y1, w - x0, h - y0)
            case 3:
                return Rect(y0, h - x1, y1, h - x0)
        return Rect(x0, y0, x1, y1)

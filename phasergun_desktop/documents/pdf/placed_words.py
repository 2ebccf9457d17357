"""Words with their boxes, and how the directions of writing on a page are turned upright."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple

from phasergun_desktop.documents.affine import Affine, quarter_turn


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
    """The size of the rendered page, and where points of the page's own space are on it."""

    width: float
    height: float
    shown: Affine

    def upright(self, quadrant: int) -> Affine:
        """Return the turn of the rendered page that sets the direction ``quadrant`` upright."""
        return quarter_turn(quadrant, self.width, self.height)

    def turned_height(self, quadrant: int) -> float:
        """Return the height of the page so turned."""
        return self.width if quadrant in (1, 3) else self.height

    def back(self, quadrant: int) -> Affine:
        """Return the turn of the page so turned back to the rendered one."""
        turned_width = self.height if quadrant in (1, 3) else self.width
        return quarter_turn(-quadrant % 4, turned_width, self.turned_height(quadrant))


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
    shown = Affine(
        a=(x_1 - x_0) / 100,
        b=(x_2 - x_0) / 100,
        c=x_0,
        d=(y_1 - y_0) / 100,
        e=(y_2 - y_0) / 100,
        f=y_0,
    )
    return PageFrame(width, height, shown)

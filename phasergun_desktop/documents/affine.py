"""Affine maps of points: how a page is turned, scaled and placed."""

from __future__ import annotations

from typing import NamedTuple

from phasergun_desktop.documents.model import Rect


class Affine(NamedTuple):
    """The map to (ax + by + c, dx + ey + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0
    e: float = 1.0
    f: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where (x, y) is mapped to."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Return the upright rectangle around the box between two corners when it is mapped."""
        corners = [self.point(x, y) for x in (x0, x1) for y in (y0, y1)]
        across, down = zip(*corners, strict=True)
        return Rect(min(across), min(down), max(across), max(down))

    def after(self, inner: Affine) -> Affine:
        """Return the map that applies ``inner`` first and then this one."""
        c, f = self.point(inner.c, inner.f)
        return Affine(
            self.a * inner.a + self.b * inner.d,
            self.a * inner.b + self.b * inner.e,
            c,
            self.d * inner.a + self.e * inner.d,
            self.d * inner.b + self.e * inner.e,
            f,
        )


def quarter_turn(quarters: int, width: float, height: float) -> Affine:
    """Return the turn to the left by 0 to 3 quarters of a page, origin at its top left."""
    match quarters:
        case 1:
            return Affine(0, 1, 0, -1, 0, width)
        case 2:
            return Affine(-1, 0, width, 0, -1, height)
        case 3:
            return Affine(0, -1, height, 1, 0, 0)
    return Affine()

"""Prepares a page for recognition: evenly lit, smooth, large enough and straight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phasergun_desktop.documents.affine import Affine, quarter_turn
from phasergun_desktop.documents.images.page_analysis import (
    DARKEST_PAPER,
    PageLook,
    stretched,
    without_dirt,
)

if TYPE_CHECKING:
    from PIL.Image import Image

_LEAST_SKEW_DEGREES = 0.2
# How far noise is smoothed: 1.2 pixels at 300 dpi.
_SMOOTHING_INCHES = 0.004
# How far blur is undone: 4 pixels at 300 dpi.
_SHARPENING_INCHES = 0.0133
_WANTED_DPI = 300.0
# Noise of coarse pictures, enlarged, looks like letters: these stay as they are.
_COARSE_DPI = 200.0
_HIGHEST_DPI = 450.0
_MOST_ENLARGED = 4.0
# A3 at 350 dpi.
_MOST_PIXELS = 25_000_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A picture to be recognised and its pixels per inch.

    ``placing`` maps its pixels to those of the page as it was given.
    """

    image: Image
    dpi: float
    placing: Affine


def unprepared(image: Image, dpi: float) -> Prepared:
    """Return the page as it is, shrunk only where it has more pixels than recognition needs."""
    page = Prepared(image, dpi, Affine())
    return _scaled(page, 1.0) if image.width * image.height > _MOST_PIXELS else page


def turned(page: Prepared, quarter_turns: int) -> Prepared:
    """Return ``page`` after 0 to 3 quarter turns to the right."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    quarters = quarter_turns % 4
    if not quarters:
        return page
    ways = pillow.Transpose.ROTATE_270, pillow.Transpose.ROTATE_180, pillow.Transpose.ROTATE_90
    image = page.image.transpose(ways[quarters - 1])
    placing = quarter_turn(quarters, *image.size)
    return Prepared(image, page.dpi, page.placing.after(placing))


def prepared(page: Prepared, look: PageLook) -> Prepared:
    """Return ``page`` with black letters on even white, without noise, near 300 dpi, straight."""
    from PIL import Image as pillow  # noqa: N813, PLC0415
    from PIL import ImageFilter  # noqa: PLC0415

    even = evened(page.image.convert("L"), look)
    factor = 1.0
    if look.is_noisy:
        even = pillow.fromarray(without_dirt(np.asarray(even)))
        radius = min(1.6, max(0.4, _SMOOTHING_INCHES * page.dpi))
        even = even.filter(ImageFilter.GaussianBlur(radius))
    elif page.dpi < _COARSE_DPI:
        factor = min(_MOST_ENLARGED, _WANTED_DPI / page.dpi)
    elif look.is_blurred:
        radius = min(6.0, _SHARPENING_INCHES * page.dpi)
        even = even.filter(ImageFilter.UnsharpMask(radius, percent=150, threshold=0))
    if page.dpi > _HIGHEST_DPI:
        factor = _WANTED_DPI / page.dpi
    return straightened(_scaled(Prepared(even, page.dpi, page.placing), factor), look)


def evened(page: Image, look: PageLook) -> Image:
    """Return ``page`` (mode L) with its paper white and its ink black everywhere."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    grey = np.asarray(page, dtype=np.float32)
    if look.is_negative:
        grey = 255.0 - grey
    share = grey / np.maximum(stretched(look.paper, grey.shape), DARKEST_PAPER)
    share -= look.darkest
    share *= 255.0 / max(1.0 - look.darkest, 0.02)
    return pillow.fromarray(share.clip(0, 255).astype(np.uint8))


def _scaled(page: Prepared, factor: float) -> Prepared:
    from PIL import Image as pillow  # noqa: N813, PLC0415

    width, height = page.image.size
    factor = min(factor, math.sqrt(_MOST_PIXELS / (width * height)))
    if abs(factor - 1) < 0.1:
        return page
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    image = page.image.resize(size, pillow.Resampling.LANCZOS)
    placing = Affine(a=width / size[0], e=height / size[1])
    return Prepared(image, page.dpi * factor, page.placing.after(placing))


def straightened(page: Prepared, look: PageLook) -> Prepared:
    """Return ``page`` with its lines level, on a sheet large enough for all of it."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    if abs(look.skew_degrees) < _LEAST_SKEW_DEGREES:
        return page
    angle = math.radians(look.skew_degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    width, height = page.image.size
    size = (
        math.ceil(width * cos + height * abs(sin)),
        math.ceil(width * abs(sin) + height * cos),
    )
    # About the middle: a step to the right on the level sheet is one along the line of text.
    c = width / 2 - cos * size[0] / 2 + sin * size[1] / 2
    f = height / 2 - sin * size[0] / 2 - cos * size[1] / 2
    placing = Affine(cos, -sin, c, sin, cos, f)
    image = page.image.transform(
        size,
        pillow.Transform.AFFINE,
        (cos, -sin, c, sin, cos, f),
        resample=pillow.Resampling.BICUBIC,
        fillcolor=255,
    )
    return Prepared(image, page.dpi, page.placing.after(placing))

"""Looks at a page before it is recognised: lighting, skew, noise, where there is ink."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_SKEW_DEGREES = 15.0
# The page is looked at with about this many pixels on its longer side.
_LOOK_PIXELS = 1_600
_TILE = 8
_FIELD = 32
_PAPER = 255.0
# Paper in the deepest shade that is lit up; below, it is the black rim of a scan.
DARKEST_PAPER = 20.0
# Ink is what lies below this share of the way from the darkest to the paper.
_INK_SHARE = 0.6
# As many pixels as a word has; fewer are dust.
_DARKEST_PERCENT = 0.02
_BLANK = 0.96
# The darkest of so many pixels of mere noise lies about four deviations below the paper.
_GRAIN_REACHES = 5.0
_LEAST_GRAIN = 0.5
_NOISY = 0.05
_DIRTY = 0.007
_BLURRED = 0.3
# A pixel of dirt stands out by this share of the contrast of ink and paper.
_DIRT_SHARE = 0.4
_LEAST_INK = 200
_CLEAR_LINES = 1.15
# Lines of text beside each other show this much more clearly than their letters do below
# each other.
_ON_ITS_SIDE = 1.2
_MOST_POINTS = 60_000
_COARSE_DEGREES = 0.5
_FINE_DEGREES = 0.05

Grey = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PageLook:
    """What a page looks like.

    ``skew_degrees`` is what the lines of text fall to the right (clockwise is positive), 0 where
    there are no lines to tell; ``is_on_its_side``: its lines run up or down.
    ``paper`` is the grey of the paper in tiles (0 to 255), ``darkest`` the ink's share of it
    (0 to 1); ``is_mere_grain``: it is no darker than the grain of the paper gets by chance.
    ``noise_share`` is the deviation of one pixel by the contrast of ink and paper;
    ``dirt_share`` the share of pixels that stand out from all of their neighbours.
    ``sharpness`` is the steepest step between two pixels by the same contrast.
    """

    skew_degrees: float
    is_on_its_side: bool
    paper: Grey
    darkest: float
    is_mere_grain: bool
    noise_share: float
    dirt_share: float
    sharpness: float
    is_negative: bool

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands out from the paper."""
        return self.darkest > _BLANK

    @property
    def is_noisy(self) -> bool:
        """Whether the letters should be smoothed."""
        return self.noise_share > _NOISY or self.dirt_share > _DIRTY

    @property
    def is_blurred(self) -> bool:
        """Whether the letters should be sharpened."""
        return not self.is_noisy and self.sharpness < _BLURRED

    @property
    def shade(self) -> float:
        """How bright the darkest of the paper is by the brightest, 0 to 1."""
        return float(np.percentile(self.paper, 2)) / max(1.0, float(np.percentile(self.paper, 98)))


def look_at(page: Image) -> PageLook:
    """Look at ``page``, a picture of mode L."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    shrink = max(1.0, max(page.size) / _LOOK_PIXELS)
    size = (max(1, round(page.width / shrink)), max(1, round(page.height / shrink)))
    small = np.asarray(page.resize(size, pillow.Resampling.BOX), dtype=np.float32)
    is_negative = _is_negative(small)
    if is_negative:
        small = _PAPER - small
    paper = paper_of(small)
    flat = small / np.maximum(stretched(paper, small.shape), DARKEST_PAPER)
    darkest = float(np.percentile(flat, _DARKEST_PERCENT))
    ink = flat < darkest + _INK_SHARE * (1 - darkest)
    middle = np.asarray(page.crop(_middle(page)))
    contrast = max(1.0, float(np.median(paper)) * (1 - darkest))
    grain = noise_of(small)
    skew, clearness = lines_of(ink)
    _, clearness_down = lines_of(ink.T)
    return PageLook(
        skew_degrees=skew,
        is_on_its_side=clearness_down > _ON_ITS_SIDE * clearness,
        paper=paper,
        darkest=darkest,
        is_mere_grain=grain > _LEAST_GRAIN and contrast < _GRAIN_REACHES * grain,
        noise_share=noise_of(middle) / contrast,
        dirt_share=dirt_of(middle, _DIRT_SHARE * contrast),
        sharpness=_steepest(middle) / contrast,
        is_negative=is_negative,
    )


def _is_negative(grey: Grey) -> bool:
    """Whether letters are lighter than the ground: what is rare is light, all over the page."""
    rows, columns = grey.shape[0] // _FIELD, grey.shape[1] // _FIELD
    if not rows or not columns or np.median(grey) > 128:
        return False
    fields = grey[: rows * _FIELD, : columns * _FIELD]
    fields = fields.reshape(rows, _FIELD, columns, _FIELD).swapaxes(1, 2)
    fields = fields.reshape(rows * columns, _FIELD * _FIELD)
    return float((fields.mean(axis=1) - np.median(fields, axis=1)).sum()) > 0


def paper_of(grey: Grey) -> Grey:
    """Return the grey of the paper behind the text in tiles of eight pixels."""
    from PIL import Image as pillow  # noqa: N813, PLC0415
    from PIL import ImageFilter  # noqa: PLC0415

    height, width = grey.shape
    size = (max(1, width // _TILE), max(1, height // _TILE))
    tiles = pillow.fromarray(grey.clip(0, 255).astype(np.uint8)).resize(size, pillow.Resampling.BOX)
    if min(size) >= 5:
        tiles = tiles.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.GaussianBlur(2))
    return np.asarray(tiles, dtype=np.float32)


def stretched(tiles: Grey, shape: tuple[int, ...]) -> Grey:
    """Return ``tiles`` enlarged smoothly to ``shape`` (height, width)."""
    from PIL import Image as pillow  # noqa: N813, PLC0415

    image = pillow.fromarray(tiles)
    return np.asarray(
        image.resize((shape[1], shape[0]), pillow.Resampling.BILINEAR), dtype=np.float32
    )


def noise_of(page: Pixels | Grey) -> float:
    """Return the deviation of single pixels in grey levels (Immerkær, with a median)."""
    grey = page.astype(np.float32)
    if min(grey.shape) < 3:
        return 0.0
    down = grey[:-2] - 2 * grey[1:-1] + grey[2:]
    both = down[:, :-2] - 2 * down[:, 1:-1] + down[:, 2:]
    return float(np.median(np.abs(both))) / (0.6745 * 6)


def dirt_of(page: Pixels, least: float) -> float:
    """Return the share of pixels that stand out from their neighbours by ``least`` grey levels."""
    changed = np.abs(without_dirt(page).astype(np.int16) - page)
    return float((changed > least).mean())


def _steepest(page: Pixels) -> float:
    """Return the step between neighbours in a row that one pair of 500 exceeds."""
    if page.shape[1] < 2:
        return 0.0
    return float(np.percentile(np.abs(np.diff(page.astype(np.int16), axis=1)), 99.8))


def without_dirt(page: Pixels) -> Pixels:
    """Return ``page`` with every pixel held between the third darkest and third lightest of nine.

    The nine are the pixel and its neighbours: specks of one or two pixels go, while a stroke,
    which passes through at least three of the nine, stays.
    """
    if min(page.shape) < 3:
        return page
    rows, columns = page.shape
    around = np.pad(page, 1, mode="edge")
    nine = [around[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    dark, nine = _third(nine, np.minimum, np.maximum)
    light, _ = _third(nine, np.maximum, np.minimum)
    return np.clip(page, dark, light)


def _third(layers: list[Pixels], first: np.ufunc, last: np.ufunc) -> tuple[Pixels, list[Pixels]]:
    """Return each pixel's third of ``layers`` in the order of ``first``, and those behind it."""
    taken = layers[0]
    for _ in range(3):
        taken, *layers = layers
        for place, layer in enumerate(layers):
            taken, layers[place] = first(taken, layer), last(taken, layer)
    return taken, layers


def _middle(page: Image) -> tuple[int, int, int, int]:
    width, height = min(page.width, 1_500), min(page.height, 1_500)
    left, top = (page.width - width) // 2, (page.height - height) // 2
    return left, top, left + width, top + height


def lines_of(ink: Mask) -> tuple[float, float]:
    """Return how far lines of text fall to the right in degrees, and how clearly they show.

    The lower edges of the letters, projected along a line of text, pile up in few rows: the
    angle with the largest sum of squares of the rows is the skew. How clearly is that sum by
    the one at a typical angle: 1 where no lines are seen; the skew is then 0.
    """
    down, across = np.nonzero(ink[:-1] & ~ink[1:])
    if len(down) < _LEAST_INK:
        return 0.0, 1.0
    if len(down) > _MOST_POINTS:
        chosen = np.linspace(0, len(down) - 1, _MOST_POINTS).astype(np.intp)
        down, across = down[chosen], across[chosen]
    points = (down.astype(np.float32), across.astype(np.float32))
    coarse = np.arange(-MAX_SKEW_DEGREES - 1, MAX_SKEW_DEGREES + 1.01, _COARSE_DEGREES)
    heights = [_pile(points, angle) for angle in coarse]
    best = float(coarse[int(np.argmax(heights))])
    fine = np.arange(best - _COARSE_DEGREES, best + _COARSE_DEGREES, _FINE_DEGREES)
    finest = [_pile(points, angle) for angle in fine]
    found = float(fine[int(np.argmax(finest))])
    clearness = max(finest) / float(np.median(heights))
    if clearness < _CLEAR_LINES or abs(found) > MAX_SKEW_DEGREES:
        return 0.0, 1.0
    return found, clearness


def _pile(points: tuple[Grey, Grey], degrees: float) -> float:
    down, across = points
    angle = math.radians(degrees)
    rows = down * math.cos(angle) - across * math.sin(angle)
    counts = np.bincount((rows - rows.min()).astype(np.intp))
    return float((counts.astype(np.float64) ** 2).sum())

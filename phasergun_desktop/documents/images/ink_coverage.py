"""Says how much of a page's ink the recognised words cover."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from phasergun_desktop.documents.images.page_analysis import Mask, PageLook
from phasergun_desktop.documents.model import Rect

# Runs of ink this long, on the shrunk page, are rules and pictures rather than letters.
_RULE_PIXELS = 45
# A cell counts as text where this much of it is ink; below is dirt, above are pictures.
_CELL = 12
_LEAST_INK, _MOST_INK = 0.04, 0.65


def text_cells(look: PageLook) -> Mask:
    """Return which cells of the shrunk page seem to hold text."""
    ink = look.ink & ~_long_runs(look.ink) & ~_long_runs(look.ink.T).T
    rows, columns = ink.shape[0] // _CELL, ink.shape[1] // _CELL
    whole = ink[: rows * _CELL, : columns * _CELL].reshape(rows, _CELL, columns, _CELL)
    share = whole.mean(axis=(1, 3))
    return np.asarray((share > _LEAST_INK) & (share < _MOST_INK))


def coverage(look: PageLook, words: Iterable[Rect], scale: float = 1.0) -> float:
    """Return the share of the cells with text that ``words`` touch, 0 to 1.

    ``words`` are rectangles which, times ``scale``, are in pixels of the page that was looked
    at. 1 where no cell seems to
    hold text.
    """
    cells = text_cells(look)
    wanted = int(cells.sum())
    if not wanted:
        return 1.0
    touched = np.zeros_like(cells)
    scale /= look.shrink * _CELL
    for word in words:
        top, bottom = max(0, int(word.y0 * scale)), int(word.y1 * scale) + 1
        left, right = max(0, int(word.x0 * scale)), int(word.x1 * scale) + 1
        touched[top:bottom, left:right] = True
    return float((cells & touched).sum()) / wanted


def _long_runs(ink: Mask) -> Mask:
    """Mark the ink that belongs to a run of at least ``_RULE_PIXELS`` along its row."""
    length = _RULE_PIXELS
    if ink.shape[1] < length:
        return np.zeros_like(ink)
    sums = np.cumsum(np.pad(ink, ((0, 0), (1, 0))), axis=1, dtype=np.int32)
    starts = (sums[:, length:] - sums[:, :-length]) == length
    marks = np.zeros((ink.shape[0], ink.shape[1] + 1), dtype=np.int32)
    marks[:, : starts.shape[1]] += starts
    marks[:, length : length + starts.shape[1]] -= starts
    return np.asarray(np.cumsum(marks, axis=1)[:, :-1] > 0)

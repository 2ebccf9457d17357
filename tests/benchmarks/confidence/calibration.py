"""How far the scores of the confidence are from the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_BINS = 10
_SAMPLES = 2000
_SEED = 20261122


def calibration_error(scores: Sequence[float], right: Sequence[bool]) -> float:
    """Return the expected calibration error (0..1) over ten bins of equal width: the mean of
    |mean score - share right| of the bins, weighted by their numbers."""
    values, truth = np.array(scores, dtype=float), np.array(right, dtype=float)
    bins = np.minimum((values * _BINS).astype(int), _BINS - 1)
    error = 0.0
    for number in range(_BINS):
        inside = bins == number
        if inside.any():
            gap = abs(float(values[inside].mean()) - float(truth[inside].mean()))
            error += gap * float(inside.mean())
    return error


def interval(scores: Sequence[float], right: Sequence[bool]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the calibration error (2,000 samples)."""
    random = np.random.default_rng(_SEED)
    values, truth = np.array(scores), np.array(right)
    errors = []
    for _ in range(_SAMPLES):
        chosen = random.integers(0, len(values), len(values))
        errors.append(calibration_error(values[chosen].tolist(), truth[chosen].tolist()))
    low, high = np.percentile(errors, [2.5, 97.5])
    return float(low), float(high)

"""Figures of a yes-or-no decision, with bootstrap intervals that respect groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_RESAMPLES = 1000
_SEED = 20

Flags = NDArray[np.bool_]
Scores = NDArray[np.float64]
Metric = Callable[[Flags, Scores], float]
Statistic = Callable[[Scores], float | np.floating]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % bootstrap interval; all NaN where it is not defined."""

    value: float
    low: float
    high: float


def area_under_curve(positive: Flags, scores: Scores) -> float:
    """Return the chance that a positive row scores above a negative one; ties count half.

    Both of shape (rows,). NaN where a class is absent.
    """
    ups = int(positive.sum())
    downs = len(positive) - ups
    if not ups or not downs:
        return float("nan")
    _, at, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = last - (counts - 1) / 2
    return float((ranks[at][positive].sum() - ups * (ups + 1) / 2) / (ups * downs))


def balanced_accuracy(positive: Flags, chosen: Flags) -> float:
    """Return the mean of the shares of positives and of negatives that were told right.

    Both of shape (rows,). NaN where a class is absent.
    """
    if positive.all() or not positive.any():
        return float("nan")
    return float((chosen[positive].mean() + (~chosen[~positive]).mean()) / 2)


def f1_score(positive: Flags, chosen: Flags) -> float:
    """Return the harmonic mean of precision and recall; 0 where nothing was chosen rightly,
    NaN where no row is positive."""
    if not positive.any():
        return float("nan")
    right = int((positive & chosen).sum())
    return 2 * right / (int(positive.sum()) + int(chosen.sum()))


def calibration_error(
    positive: Flags, probabilities: Scores, bins: int = 10, weights: Scores | None = None
) -> float:
    """Return the expected calibration error: the mean distance, over equal bins of probability
    weighted by their rows, of what was said and what was so (0..1).

    ``weights``, shape (rows,), let rows count more: with classes that weigh the same, a
    probability that is meant for even odds can be judged on uneven data.
    """
    counted = np.ones(len(positive)) if weights is None else weights
    places = np.minimum((probabilities * bins).astype(int), bins - 1)
    error = 0.0
    for place in range(bins):
        inside = places == place
        if counted[inside].sum() > 0:
            said = np.average(probabilities[inside], weights=counted[inside])
            so = np.average(positive[inside], weights=counted[inside])
            error += abs(float(said) - float(so)) * float(counted[inside].sum() / counted.sum())
    return error


def estimate(
    metric: Metric,
    positive: Flags,
    scores: Scores,
    groups: Sequence[str],
    *,
    resamples: int = _RESAMPLES,
) -> Estimate:
    """Return ``metric`` with its interval, by drawing whole ``groups`` with replacement.

    Rows of one group (the same claim) are not independent, so they stay together. Resamples
    that lack a class are left out.
    """
    value = metric(positive, scores)
    _, of = np.unique(np.asarray(groups, dtype=object).astype(str), return_inverse=True)
    order = np.argsort(of, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(of))[:-1]) if len(of) else []
    random = np.random.default_rng(_SEED)
    drawn: list[float] = []
    for _ in range(resamples if members else 0):
        picked = random.integers(0, len(members), len(members))
        rows = np.concatenate([members[at] for at in picked])
        found = metric(positive[rows], scores[rows])
        if np.isfinite(found):
            drawn.append(found)
    if not drawn or not np.isfinite(value):
        return Estimate(value, float("nan"), float("nan"))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(value, float(low), float(high))


def estimate_share(chosen: Sequence[bool], groups: Sequence[str]) -> Estimate:
    """Return the share of rows that are ``chosen``, with its interval by ``groups``."""
    flags = np.asarray(chosen, dtype=np.bool_)
    return estimate(_share, flags, np.zeros(len(flags)), groups)


def _share(chosen: Flags, _scores: Scores) -> float:
    return float(chosen.mean()) if len(chosen) else float("nan")


def estimate_of(values: Sequence[float], statistic: Statistic = np.mean) -> Estimate:
    """Return ``statistic`` of independent ``values`` with its interval; NaN without any."""
    rows = np.asarray(values, dtype=np.float64)
    if not len(rows):
        return Estimate(float("nan"), float("nan"), float("nan"))
    random = np.random.default_rng(_SEED)
    drawn = [
        float(statistic(rows[random.integers(0, len(rows), len(rows))])) for _ in range(_RESAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(float(statistic(rows)), float(low), float(high))


def rounded(value: float) -> float | None:
    """Return a figure for JSON; None where it is not defined."""
    return round(value, 4) if np.isfinite(value) else None


def interval(figure: Estimate) -> list[float | None]:
    """Return the two ends of an interval for JSON."""
    return [rounded(figure.low), rounded(figure.high)]

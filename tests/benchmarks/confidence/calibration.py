"""Fitting the weights of the confidence, and how far its scores are from the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.writing.confidence_weights import WEIGHTS

_BINS = 10
_SAMPLES = 2000
_SEED = 20261122
# A weight may differ from what is judged by about 1 (its prior's standard deviation).
_RIDGE = 1.0
# A wrong answer that is called right costs more than a right one that is doubted.
_WRONG_COUNTS = 1.5
_STEPS = 20_000
_RATE = 0.02
# What a part is judged to weigh where the answers do not show it (an extractive answer is always
# fully supported); the fit is drawn to these.
_PRIOR = {
    "answer": 3.0,
    "support": 2.0,
    "agreement": 1.0,
    "subject": 3.0,
    "form": 2.0,
    "ocr": 1.0,
}


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression: log-odds are ``bias`` + the sum of weight * (part - usual)."""

    bias: float
    weights: dict[str, tuple[float, float]]

    def probability(self, parts: dict[str, float]) -> float:
        """Return the probability (0..1) that an answer with ``parts`` is right."""
        odds = self.bias + sum(
            self.weights[name][0] * (score - self.weights[name][1]) for name, score in parts.items()
        )
        return float(1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30))))


def fitted(parts: Sequence[dict[str, float]], right: Sequence[bool]) -> Fit:
    """Fit by gradient descent with a ridge towards what is judged beforehand; no weight is below
    0, since every part is made so that more of it speaks for the answer. A part that is absent
    counts as usual."""
    names = list(WEIGHTS)
    usual = {
        name: float(np.mean([one[name] for one in parts if name in one] or [WEIGHTS[name].usual]))
        for name in names
    }
    rows = np.array([[one.get(name, usual[name]) - usual[name] for name in names] for one in parts])
    truth = np.array(right, dtype=float)
    prior = np.array([_PRIOR[name] for name in names])
    weights, bias = prior.copy(), 0.0
    for _ in range(_STEPS):
        wrong = 1.0 / (1.0 + np.exp(-(rows @ weights + bias))) - truth
        wrong *= np.where(truth == 1.0, 1.0, _WRONG_COUNTS)
        weights = weights - _RATE * (rows.T @ wrong + _RIDGE * (weights - prior))
        weights = np.maximum(weights, 0.0)
        bias -= _RATE * float(wrong.sum()) / 10.0
    return Fit(
        round(bias, 3),
        {n: (round(float(w), 3), round(usual[n], 3)) for n, w in zip(names, weights, strict=True)},
    )


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

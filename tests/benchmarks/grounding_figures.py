"""The support check on published claims: cross-validated, across sets, with odds, in seconds.

Nothing here is measured on rows that were learnt from: every figure is of fits on other claims.
The language model's odds are read from ``scifact_odds.jsonl`` (or ``PHASERGUN_ODDS``), written by
``python -m tests.benchmarks.grounding_odds``: they take most of an hour and are kept.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.evaluation.metrics import (
    Estimate,
    area_under_curve,
    balanced_accuracy,
    calibration_error,
    estimate,
    f1_score,
)
from tests.benchmarks.frame import Figure, Unavailable
from tests.benchmarks.grounding_training import (
    KEPT_ODDS,
    Fit,
    Pool,
    balanced,
    contradiction_opinion,
    crossed,
    crossed_contradiction,
    crossed_support,
    fit,
    measured_sets,
    pool,
    read_odds,
    support_opinion,
    support_signs,
)

Flags = NDArray[np.bool_]
Scores = NDArray[np.float64]
# What the issue asks for: SciFact, Climate-FEVER, and SciFact with the odds.
_TARGETS = {"scifact_train": 0.77, "climate_fever_pairs": 0.70}
_WITH_ODDS = 0.83


def grounding_figures() -> Iterator[Figure]:
    """Yield every figure of the support check."""
    data = Path(os.environ.get("PHASERGUN_TEST_DATA") or "../shared/data") / "grounding"
    if not data.is_dir():
        raise Unavailable("the claims are not on this machine")
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise Unavailable("scikit-learn (extra custom-models) is not installed") from error
    started = time.perf_counter()
    pooled = pool(*measured_sets(data))
    spent = time.perf_counter() - started
    rows = len(pooled.supported)
    yield _one("seconds per 1,000 pairs", "s", spent / rows * 1000, rows)
    outside = crossed_support(pooled)
    yield from _of_sets(pooled, outside)
    yield from _across(pooled)
    yield from _contradictions(pooled)
    odds = Path(os.environ.get("PHASERGUN_ODDS") or KEPT_ODDS)
    if odds.is_file():
        yield from _with_odds(pooled, outside, read_odds(odds))


def _of_sets(pooled: Pool, outside: Scores) -> Iterator[Figure]:
    """The one model of the product, each set apart; and a model of that set alone."""
    for at, rows in enumerate(pooled.sets):
        inside = pooled.of_set == at
        truth, scores = rows.supported, outside[inside]
        yield from _decision(rows.name, truth, scores, rows.claims, _TARGETS.get(rows.name))
        alone = crossed(rows.features, truth, rows.claims, _zeros(truth), support_signs())
        yield _interval(
            f"{rows.name}: AUC, learnt on this set alone",
            estimate(area_under_curve, truth, alone, rows.claims),
            len(truth),
            _TARGETS.get(rows.name),
        )
        weights = balanced(truth, _zeros(truth))
        error = calibration_error(truth, scores, weights=weights)
        yield _one(f"{rows.name}: calibration error, classes alike", "", error, len(truth))
        raw = calibration_error(truth, scores)
        yield _one(f"{rows.name}: calibration error, rows as they are", "", raw, len(truth))


def _across(pooled: Pool) -> Iterator[Figure]:
    """Learnt on one set, tested on the other."""
    for learnt in pooled.sets:
        weights = balanced(learnt.supported, _zeros(learnt.supported))
        made: Fit = fit(learnt.features, learnt.supported, weights, support_signs())
        for other in pooled.sets:
            if other is not learnt:
                scores = made.probabilities(other.features)
                found = estimate(area_under_curve, other.supported, scores, other.claims)
                name = f"{other.name}: AUC, learnt on {learnt.name}"
                yield _interval(name, found, len(scores))


def _contradictions(pooled: Pool) -> Iterator[Figure]:
    found = crossed_contradiction(pooled)
    for at, rows in enumerate(pooled.sets):
        inside = (pooled.of_set == at) & ~np.isnan(found)
        claims = [claim for claim, kept in zip(pooled.claims, inside, strict=True) if kept]
        name = f"{rows.name}: contradicted against supported"
        yield from _decision(name, pooled.contradicted[inside], found[inside], claims, None)


def _with_odds(pooled: Pool, outside: Scores, odds: dict[str, float]) -> Iterator[Figure]:
    name = pooled.sets[0].name
    support = support_opinion(pooled, outside, odds)
    first = estimate(area_under_curve, support.positive, support.columns[:, 0], support.claims)
    alone = estimate(area_under_curve, support.positive, support.columns[:, 1], support.claims)
    rows = len(support.positive)
    yield _interval(f"{name}, rows with odds: AUC before", first, rows)
    yield _interval(f"{name}, rows with odds: AUC of the odds alone", alone, rows)
    yield from _decision(
        f"{name}, rows with odds", support.positive, support.outside, support.claims, _WITH_ODDS
    )
    against = contradiction_opinion(pooled, odds)
    yield from _decision(
        f"{name}, rows with odds: contradicted against supported",
        against.positive,
        against.outside,
        against.claims,
        None,
    )


def _decision(
    name: str, truth: Flags, scores: Scores, claims: list[str], target: float | None
) -> Iterator[Figure]:
    rows = len(truth)
    area = estimate(area_under_curve, truth, scores, claims)
    yield _interval(f"{name}: AUC", area, rows, target)
    told = estimate(lambda t, s: balanced_accuracy(t, s >= 0.5), truth, scores, claims)
    yield _interval(f"{name}: balanced accuracy at 0.5", told, rows)
    both = estimate(lambda t, s: f1_score(t, s >= 0.5), truth, scores, claims)
    yield _interval(f"{name}: F1 at 0.5", both, rows)


def _zeros(truth: Flags) -> NDArray[np.int64]:
    return np.zeros(len(truth), dtype=np.int64)


def _interval(name: str, found: Estimate, rows: int, target: float | None = None) -> Figure:
    """``minimum`` and ``maximum`` are the ends of the 95 % interval."""
    return Figure(
        name,
        "",
        rows,
        found.low,
        found.value,
        found.high,
        found.high,
        target,
        at_least=True,
        note="cross-validated or across sets; minimum and maximum: 95 % interval by claim",
    )


def _one(name: str, unit: str, value: float, rows: int) -> Figure:
    return Figure(name, unit, rows, value, value, value, value)

"""What an evaluation of the support check found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.evaluation.grounding_pairs import CONTRADICTED, GroundingPair
from phasergun_desktop.evaluation.metrics import (
    Estimate,
    area_under_curve,
    balanced_accuracy,
    calibration_error,
    estimate,
    f1_score,
    interval,
    rounded,
)
from phasergun_desktop.grounding.model import Support


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair with what the check says: ``score`` and ``contradiction`` in 0..1."""

    pair: GroundingPair
    support: Support
    score: float
    contradiction: float


@dataclass(frozen=True, slots=True)
class Cell:
    """How many rows of ``label`` the check calls ``support``."""

    label: str
    support: Support
    rows: int


@dataclass(frozen=True, slots=True)
class Opinions:
    """What the second opinion cost: rows asked about, answers kept from before, seconds."""

    model: str = ""
    asked: int = 0
    kept: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """Figures with 95 % intervals, rows of one claim drawn together.

    The first three are of supported against the rest, a row being chosen where it is called
    supported; ``contradicted_*`` of contradicted against supported rows alone (NaN where there
    are none). ``calibration_error`` is in 0..1.
    """

    rows: int
    claims: int
    balanced_accuracy: Estimate
    auc: Estimate
    f1: Estimate
    calibration_error: float
    contradicted_auc: Estimate
    contradicted_balanced_accuracy: Estimate
    cells: tuple[Cell, ...]
    seconds: float
    opinions: Opinions = Opinions()


def report_of(
    judged: Sequence[JudgedPair], seconds: float, opinions: Opinions = Opinions()
) -> GroundingReport:
    """Return the figures of judged rows (at least one). ``seconds`` is the whole run's."""
    positive = np.array([each.pair.is_supported for each in judged])
    scores = np.array([each.score for each in judged])
    chosen = np.array([float(each.support is Support.SUPPORTED) for each in judged])
    claims = [each.pair.claim for each in judged]
    denied = [each for each in judged if each.pair.label == CONTRADICTED]
    about = [each for each in judged if each.pair.is_supported or each.pair.label == CONTRADICTED]
    opposite = np.array([each.pair.label == CONTRADICTED for each in about], dtype=bool)
    against = np.array([each.contradiction for each in about])
    of_claims = [each.pair.claim for each in about]
    nothing = Estimate(float("nan"), float("nan"), float("nan"))
    counts = Counter((each.pair.label, each.support) for each in judged)
    return GroundingReport(
        rows=len(judged),
        claims=len(set(claims)),
        balanced_accuracy=estimate(
            lambda truth, made: balanced_accuracy(truth, made > 0.5), positive, chosen, claims
        ),
        auc=estimate(area_under_curve, positive, scores, claims),
        f1=estimate(lambda truth, made: f1_score(truth, made > 0.5), positive, chosen, claims),
        calibration_error=calibration_error(positive, scores),
        contradicted_auc=(
            estimate(area_under_curve, opposite, against, of_claims) if denied else nothing
        ),
        contradicted_balanced_accuracy=(
            estimate(
                lambda truth, made: balanced_accuracy(truth, made >= 0.5),
                opposite,
                against,
                of_claims,
            )
            if denied
            else nothing
        ),
        cells=tuple(
            Cell(label, support, counts[label, support])
            for label in sorted({each.pair.label for each in judged})
            for support in Support
        ),
        seconds=seconds,
        opinions=opinions,
    )


def report_json(report: GroundingReport) -> dict[str, object]:
    """Return the report for ``eval --json``; what is not defined is null."""
    by_label: dict[str, dict[str, int]] = {}
    for cell in report.cells:
        by_label.setdefault(cell.label, {})[cell.support.value] = cell.rows
    named = (
        ("balanced_accuracy", report.balanced_accuracy),
        ("auc", report.auc),
        ("f1", report.f1),
        ("contradicted_auc", report.contradicted_auc),
        ("contradicted_balanced_accuracy", report.contradicted_balanced_accuracy),
    )
    return {
        "status": "complete",
        "metrics": {
            **{name: rounded(each.value) for name, each in named},
            "calibration_error": rounded(report.calibration_error),
        },
        "intervals": {name: interval(each) for name, each in named},
        "rows": report.rows,
        "claims": report.claims,
        "by_label": by_label,
        "seconds": round(report.seconds, 2),
        "second_opinion": {
            "model": report.opinions.model,
            "asked": report.opinions.asked,
            "kept": report.opinions.kept,
            "seconds": round(report.opinions.seconds, 2),
        },
    }

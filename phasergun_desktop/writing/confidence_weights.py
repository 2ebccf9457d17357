"""What each part of the confidence weighs, fitted on questions whose answers were judged.

``python -m tests.benchmarks confidence`` asks the questions and prints what it fits. A
part moves the confidence by ``weight * (score - usual)`` in log-odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Weight:
    """``usual`` is the mean score of the part over the answers it was fitted on (0..1)."""

    weight: float
    usual: float


# Fitted on the 34 answers that the bundled 1.5B model gave to the fitting half of the 120
# questions, drawn to what was judged beforehand.
BIAS = 1.667
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "retrieval": Weight(2.076, 0.802),
        "margin": Weight(1.274, 0.231),
        "support": Weight(2.188, 0.797),
        "agreement": Weight(1.013, 0.522),
        "coverage": Weight(2.0, 1.0),
        "subject": Weight(2.811, 0.845),
        "known": Weight(3.673, 0.895),
        "form": Weight(2.0, 1.0),
        "ocr": Weight(1.0, 0.951),
    }
)

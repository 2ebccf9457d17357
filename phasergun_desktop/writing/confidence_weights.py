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


# Fitted on the 69 answers, word for word, to the fitting half of 243 questions on 23 projects;
# drawn to what was judged beforehand.
BIAS = 1.101
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "retrieval": Weight(0.558, 0.906),
        "margin": Weight(1.440, 0.425),
        "support": Weight(2.0, 1.0),
        "agreement": Weight(0.711, 0.512),
        "coverage": Weight(2.0, 1.0),
        "subject": Weight(3.204, 0.750),
        "known": Weight(3.606, 0.818),
        "form": Weight(1.649, 0.959),
        "ocr": Weight(1.0, 0.964),
    }
)

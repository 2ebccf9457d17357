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


# Fitted on the 68 answers, word for word, to the fitting half of 243 questions on 23 projects;
# drawn to what was judged beforehand, wrong answers counted one and a half times.
BIAS = 1.867
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "answer": Weight(2.482, 0.773),
        "support": Weight(2.0, 1.0),
        "agreement": Weight(1.046, 0.505),
        "subject": Weight(3.009, 0.743),
        "form": Weight(2.0, 1.0),
        "ocr": Weight(1.0, 0.964),
    }
)

# How many of the units that a text states answer what was asked for, by the log odds of their
# probability, which is fitted on small projects: in larger ones much is said in many places
# (``python -m tests.benchmarks evidence``: 0.27 of those below 0.2, 0.35 below 0.4, 0.43 below 0.6,
# 0.88 below 0.8, 0.90 above; this says 0.21, 0.42, 0.57, 0.72, 0.87).
SELECTION_BIAS, SELECTION_SLOPE = 0.3, 0.75

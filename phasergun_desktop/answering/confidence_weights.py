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


# Fitted on 38 answers given without a model to the fitting half of the 120 questions, drawn to
# what was judged beforehand; to be fitted again on answers of the language model.
BIAS = 0.539
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "retrieval": Weight(1.88, 0.75),
        "margin": Weight(1.341, 0.217),
        "support": Weight(2.0, 1.0),
        "values": Weight(1.5, 1.0),
        "agreement": Weight(1.05, 0.487),
        "coverage": Weight(2.0, 1.0),
        "subject": Weight(3.332, 0.778),
        "known": Weight(4.206, 0.865),
        "form": Weight(2.347, 0.931),
        "ocr": Weight(1.0, 0.939),
    }
)

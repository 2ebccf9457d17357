"""Figures of one ranking against what was judged relevant."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

CUT = 10


@dataclass(frozen=True, slots=True)
class Ranking:
    """How good a ranking is, each 0..1. ``recall_…`` are shares of what is relevant, or 0 and 1
    where any one of it is enough; the rest looks at the first ten."""

    recall_1: float
    recall_5: float
    recall_10: float
    reciprocal_rank: float
    gain: float
    precision: float


# The names of ``eval --json``.
RANKING_NAMES: Mapping[str, str] = dict(
    zip(
        (each.name for each in fields(Ranking)),
        ("recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "map@10"),
        strict=True,
    )
)


def judged(found: Sequence[str], gains: Mapping[str, float], *, any_is_enough: bool) -> Ranking:
    """Judge ``found``, best first and each once. ``gains`` has at least one above 0: that of what
    is relevant; the others count as not relevant.

    As ``trec_eval`` counts: gains are not raised to powers, and what is relevant and not found
    lowers the average precision.
    """
    relevant = {name for name, gain in gains.items() if gain > 0}
    hits = [name in relevant for name in found[:CUT]]
    first = next((at for at, is_hit in enumerate(hits, start=1) if is_hit), 0)
    best = sorted((gain for gain in gains.values() if gain > 0), reverse=True)
    reached = _discounted([gains[n] if n in relevant else 0.0 for n in found[:CUT]])
    precisions = [sum(hits[:at]) / at for at, is_hit in enumerate(hits, start=1) if is_hit]

    def recall(k: int) -> float:
        if any_is_enough:
            return float(any(hits[:k]))
        return sum(hits[:k]) / len(relevant)

    return Ranking(
        recall(1),
        recall(5),
        recall(CUT),
        1 / first if first else 0.0,
        reached / _discounted(best[:CUT]),
        sum(precisions) / len(relevant),
    )


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(at + 1) for at, gain in enumerate(gains, start=1))

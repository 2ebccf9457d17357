"""Searches for questions whose documents are known, and judges what was found."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial

import numpy as np

from phasergun_desktop.evaluation.metrics import Estimate, estimate_of, interval, rounded
from phasergun_desktop.retrieval.model import SearchResult

CUT = 10
LATENCIES = {"p50": 0.5, "p95": 0.95}
# The query and how many chunks are wanted.
Search = Callable[[str, int], SearchResult]
_MOST_CHUNKS = 640


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


@dataclass(frozen=True, slots=True)
class Searched:
    """A question and what a search found for it: documents, best first; ``ms`` is that of the
    search."""

    question_id: str
    text: str
    ranking: Ranking
    files: tuple[str, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """Means over the questions with 95 % intervals by their names in JSON; milliseconds."""

    ranking: tuple[tuple[str, Estimate], ...]
    latency: tuple[tuple[str, Estimate], ...]


def searched(
    search: Search, question_id: str, text: str, gains: Mapping[str, float], *, any_is_enough: bool
) -> Searched:
    """Search for ``text`` and judge the documents found, each by its best chunk.

    A document of many chunks may hide others: it is searched again for more chunks until ten
    documents are found. The time is that of the first search.
    """
    wanted = CUT
    started = time.perf_counter()
    hits = search(text, wanted).hits
    ms = (time.perf_counter() - started) * 1000
    files = dict.fromkeys(hit.file for hit in hits)
    while len(files) < CUT and len(hits) >= wanted and wanted < _MOST_CHUNKS:
        wanted *= 4
        hits = search(text, wanted).hits
        files = dict.fromkeys(hit.file for hit in hits)
    found = tuple(files)[:CUT]
    ranking = judged(found, gains, any_is_enough=any_is_enough)
    return Searched(question_id, text, ranking, found, ms)


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


def search_figures(questions: Sequence[Searched]) -> SearchFigures:
    """Work out the figures."""
    rows = [asdict(each.ranking) for each in questions]
    times = [each.ms for each in questions]
    return SearchFigures(
        tuple(
            (name, estimate_of([row[field] for row in rows]))
            for field, name in RANKING_NAMES.items()
        ),
        tuple(
            (name, estimate_of(times, partial(np.quantile, q=share)))
            for name, share in LATENCIES.items()
        ),
    )


def figures_json(figures: SearchFigures) -> tuple[dict[str, object], dict[str, object]]:
    """Return the figures and their intervals for ``eval --json``; what is not defined is null."""
    metrics: dict[str, object] = {name: rounded(each.value) for name, each in figures.ranking}
    intervals: dict[str, object] = {name: interval(each) for name, each in figures.ranking}
    metrics["latency_ms"] = {name: rounded(each.value) for name, each in figures.latency}
    intervals["latency_ms"] = {name: interval(each) for name, each in figures.latency}
    return metrics, intervals


def question_json(question: Searched) -> dict[str, object]:
    """Return one question with its figures, which is what two runs are compared by."""
    ranking = asdict(question.ranking)
    return {
        "id": question.question_id,
        "question": question.text,
        **{name: rounded(ranking[field]) for field, name in RANKING_NAMES.items()},
        "ms": round(question.ms, 2),
        "found": list(question.files),
    }

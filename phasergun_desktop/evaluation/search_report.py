"""The figures of searches on questions whose documents are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from phasergun_desktop.evaluation.metrics import Estimate, estimate_of, rounded
from phasergun_desktop.evaluation.ranked import RANKING_NAMES
from phasergun_desktop.evaluation.searching import Searched

LATENCIES = {"p50": 0.5, "p95": 0.95}


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A question, its documents, and what was found."""

    question_id: str
    text: str
    searched: Searched


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """Means over the questions with 95 % intervals by their names in JSON; milliseconds."""

    ranking: tuple[tuple[str, Estimate], ...]
    latency: tuple[tuple[str, Estimate], ...]


def search_figures(questions: Sequence[SearchedQuestion]) -> SearchFigures:
    """Work out the figures."""
    rows = [asdict(each.searched.ranking) for each in questions]
    times = [each.searched.ms for each in questions]
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


def interval(estimate: Estimate) -> list[float | None]:
    """Return the two ends of an interval for JSON."""
    return [rounded(estimate.low), rounded(estimate.high)]


def question_json(question: SearchedQuestion) -> dict[str, object]:
    """Return one question with its figures, which is what two runs are compared by."""
    ranking = asdict(question.searched.ranking)
    return {
        "id": question.question_id,
        "question": question.text,
        **{name: rounded(ranking[field]) for field, name in RANKING_NAMES.items()},
        "ms": round(question.searched.ms, 2),
        "found": list(question.searched.files),
    }

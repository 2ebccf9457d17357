"""Evaluation runs as the panel shows them: figures in words a writer knows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from phasergun_desktop.evaluation.run_store import EvaluationRun
from phasergun_desktop.ui.chart import Series
from phasergun_desktop.ui.wording import when_in_words

# Shares of 0 to 1, in the order in which they are told.
FIGURES: Mapping[str, str] = {
    "recall@1": "File found first",
    "recall@5": "File among the first 5",
    "recall@10": "File among the first 10",
    "mrr@10": "Reciprocal rank (mean)",
    "ndcg@10": "nDCG of the first 10",
    "map@10": "Precision of the first 10 (mean)",
    "answers_right": "Answers right",
    "right": "Answers right",
    "refused_rightly": "Refused rightly",
    "refused_wrongly": "Refused wrongly",
    "wrong": "Wrong answers",
    "wrong_sure": "Wrong with high confidence",
    "citation_precision": "Cited files that are right",
    "citation_recall": "Right file cited",
    "calibration_error": "Confidence off by (mean)",
}
KINDS = {
    "questions": "Questions",
    "beir": "Test collection",
    "drafts": "Drafts",
    "grounding": "Support check",
}


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run with its figures and their intervals; ``missed`` are questions that went wrong."""

    run: EvaluationRun
    rows: int
    figures: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    p50_ms: float | None = None
    p95_ms: float | None = None
    missed: tuple[str, ...] = ()

    def told(self, name: str) -> str:
        """Return a figure in words, empty where the run has none."""
        value = self.figures.get(name)
        return share(value) if value is not None else ""


def share(value: float) -> str:
    """Return a share in per cent with one decimal."""
    return f"{100 * value:.1f} %"


def row_of(run: EvaluationRun) -> RunRow:
    """Read what a run reported; what cannot be read is left out."""
    try:
        report = json.loads(run.report)
    except ValueError:
        report = {}
    report = report if isinstance(report, dict) else {}
    metrics, intervals = _object(report, "metrics"), _object(report, "intervals")
    latency = _object(metrics, "latency_ms")
    rows = report.get("rows")
    return RunRow(
        run,
        rows if isinstance(rows, int) else 0,
        {name: float(v) for name in FIGURES if isinstance(v := metrics.get(name), int | float)},
        {
            name: (float(ends[0]), float(ends[1]))
            for name in FIGURES
            if isinstance(ends := intervals.get(name), list) and None not in ends and ends
        },
        _number(latency, "p50"),
        _number(latency, "p95"),
        tuple(_missed(report.get("questions"))),
    )


def series_over_time(rows: Sequence[RunRow], name: str) -> Series:
    """Return a figure over all runs that have it, the first one first."""
    found = [row for row in sorted(rows, key=lambda row: row.run.run_id) if name in row.figures]
    return Series(
        FIGURES[name],
        tuple(f"Run {row.run.run_id}, {when_in_words(row.run.made)}" for row in found),
        tuple(100 * row.figures[name] for row in found),
        "%",
        1,
        is_line=True,
    )


def _missed(questions: object) -> list[str]:
    told = []
    for row in questions if isinstance(questions, list) else ():
        if not isinstance(row, dict):
            continue
        what = [
            words
            for is_so, words in (
                (row.get("recall@10") == 0, "file not among the first 10"),
                (row.get("wrong") == 1, "wrong answer"),
                (row.get("refused") == 1 and row.get("right") == 0, "refused wrongly"),
            )
            if is_so
        ]
        if what:
            told.append(f"{row.get('id')}  {row.get('question')}\n      {', '.join(what)}")
    return told


def _object(values: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _number(values: Mapping[str, object], key: str) -> float | None:
    found = values.get(key)
    return float(found) if isinstance(found, int | float) else None

"""Two runs on the same questions, compared question by question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.evaluation.metrics import Estimate, estimate_of, interval, rounded
from phasergun_desktop.evaluation.run_store import EvaluationRun

# What a question is compared by.
COMPARED = (
    "recall@1",
    "recall@5",
    "recall@10",
    "mrr@10",
    "ndcg@10",
    "map@10",
    "right",
    "citation_precision",
    "citation_recall",
    "wrong",
    "wrong_sure",
)
_LESS_IS_BETTER = frozenset({"wrong", "wrong_sure"})
# Rounding of the figures that are kept.
_SAME = 1e-4
_Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure in both runs, over the questions that both have. ``difference`` is second minus
    first with its paired interval; the second run won, lost or was the same on so many."""

    name: str
    first: float
    second: float
    difference: Estimate
    won: int
    lost: int
    same: int


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """A question with the figures that differ: name, first, second."""

    question_id: str
    text: str
    differs: tuple[tuple[str, float, float], ...]

    @property
    def gain(self) -> float:
        """How much better the second run did it, over all figures; below 0 it did worse."""
        return sum((a - b) if name in _LESS_IS_BETTER else (b - a) for name, a, b in self.differs)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side. ``only_one`` counts the questions that one of them lacks."""

    first: EvaluationRun
    second: EvaluationRun
    figures: tuple[ComparedFigure, ...]
    questions: tuple[ComparedQuestion, ...]
    only_one: int


def compare(first: EvaluationRun, second: EvaluationRun) -> Comparison:
    """Compare two runs. Raises ``PhaserGunError`` where they have no question in common."""
    ones, others = _rows(first), _rows(second)
    both = [name for name in ones if name in others]
    if not both:
        raise PhaserGunError(
            "Nothing to compare",
            f"The runs {first.run_id} and {second.run_id} have no question in common.",
            "Choose two runs on the same questions; “phasergun eval --runs” lists them.",
        )
    figures = []
    for name in COMPARED:
        pairs = [
            (a, b)
            for each in both
            if (a := _number(ones[each], name)) is not None
            and (b := _number(others[each], name)) is not None
        ]
        if pairs:
            figures.append(_figure(name, pairs))
    questions = tuple(_question(name, ones[name], others[name]) for name in both)
    only_one = len(ones) + len(others) - 2 * len(both)
    return Comparison(first, second, tuple(figures), questions, only_one)


def comparison_json(comparison: Comparison) -> dict[str, object]:
    """Return the comparison for ``eval --compare --json``."""
    return {
        "status": "complete",
        "first": run_json(comparison.first),
        "second": run_json(comparison.second),
        "metrics": {
            each.name: {
                "first": rounded(each.first),
                "second": rounded(each.second),
                "difference": rounded(each.difference.value),
                "interval": interval(each.difference),
                "won": each.won,
                "lost": each.lost,
                "same": each.same,
            }
            for each in comparison.figures
        },
        "questions": [
            {
                "id": each.question_id,
                "question": each.text,
                "differs": {name: [a, b] for name, a, b in each.differs},
            }
            for each in comparison.questions
        ],
        "only_one": comparison.only_one,
    }


def run_json(run: EvaluationRun) -> dict[str, object]:
    """Return a run without its questions."""
    report = json.loads(run.report)
    return {
        "run": run.run_id,
        "kind": run.kind,
        "made": run.made,
        "file": run.file,
        "sha256": run.sha256,
        "versions": run.versions,
        "rows": report.get("rows"),
        "metrics": report.get("metrics", {}),
    }


def _figure(name: str, pairs: list[tuple[float, float]]) -> ComparedFigure:
    sign = -1 if name in _LESS_IS_BETTER else 1
    gains = [sign * (b - a) for a, b in pairs]
    won, lost = sum(gain > _SAME for gain in gains), sum(gain < -_SAME for gain in gains)
    return ComparedFigure(
        name,
        sum(a for a, _ in pairs) / len(pairs),
        sum(b for _, b in pairs) / len(pairs),
        estimate_of([b - a for a, b in pairs]),
        won,
        lost,
        len(pairs) - won - lost,
    )


def _question(name: str, one: _Row, other: _Row) -> ComparedQuestion:
    differs = tuple(
        (figure, a, b)
        for figure in COMPARED
        if (a := _number(one, figure)) is not None
        and (b := _number(other, figure)) is not None
        and abs(a - b) > _SAME
    )
    return ComparedQuestion(name, str(one.get("question", "")), differs)


def _rows(run: EvaluationRun) -> dict[str, _Row]:
    report = json.loads(run.report)
    rows = report.get("questions", ()) if isinstance(report, dict) else ()
    return {str(row.get("id")): row for row in rows if isinstance(row, dict)}


def _number(row: _Row, name: str) -> float | None:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else None

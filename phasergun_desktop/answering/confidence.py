"""How far a draft can be trusted, from what was measured while it was written."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.answering.model import Confidence, ConfidenceLevel, Criterion, Plan
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, Support, UnitKind

_STATING = (UnitKind.SENTENCE, UnitKind.LIST_ITEM, UnitKind.TABLE_ROW)
_WORTH = {
    Support.SUPPORTED: 1.0,
    Support.PARTLY: 0.5,
    Support.UNSUPPORTED: 0.0,
    Support.CONTRADICTED: 0.0,
}


def confidence_of(units: Sequence[DraftSentence], plan: Plan, gaps: int) -> Confidence:
    """Return the confidence; every part is computed from this draft, none is constant.

    The score is the product of support and coverage, pulled to the middle by retrieval: a
    draft whose passages barely match its points is not to be trusted however well it copies.
    Bands: high from 0.8, medium from 0.6, low from 0.4.
    """
    stating = [unit for unit in units if unit.kind in _STATING and not unit.is_header]
    if not stating:
        return Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), "Nothing could be stated.")
    support = sum(_WORTH[unit.support] for unit in stating) / len(stating)
    wrong = sum(
        any(problem.code is ProblemCode.VALUE_MISSING for problem in unit.problems)
        for unit in stating
    )
    values = 1.0 - wrong / len(stating)
    asked = max(1, len(plan.points))
    coverage = max(0.0, 1.0 - gaps / asked)
    searched = [point.relevance for point in plan.points if point.relevance > 0]
    relevance = _relevance(searched) if searched else 1.0
    score = max(0.0, min(1.0, support * coverage * (0.7 + 0.3 * relevance)))
    unsupported = sum(unit.support is Support.UNSUPPORTED for unit in stating)
    criteria = (
        Criterion(
            "support", support, f"{len(stating) - unsupported} of {len(stating)} have a source"
        ),
        Criterion("values", values, f"{wrong} with a value that its source does not state"),
        Criterion("coverage", coverage, f"{gaps} of {asked} points not found in the sources"),
        Criterion("retrieval", relevance, "how well the passages match the points"),
    )
    weakest = min(criteria, key=lambda criterion: criterion.score)
    return Confidence(
        _level(score), round(score, 4), criteria, f"Weakest part: {weakest.explanation}."
    )


def _relevance(cosines: Sequence[float]) -> float:
    """Map the mean best cosine to 0..1: with the bundled embedder 0.2 is noise, 0.6 a match."""
    mean = sum(cosines) / len(cosines)
    return max(0.0, min(1.0, (mean - 0.2) / 0.4))


def _level(score: float) -> ConfidenceLevel:
    if score >= 0.8:
        return ConfidenceLevel.HIGH
    if score >= 0.6:
        return ConfidenceLevel.MEDIUM
    return ConfidenceLevel.LOW if score >= 0.4 else ConfidenceLevel.VERY_LOW

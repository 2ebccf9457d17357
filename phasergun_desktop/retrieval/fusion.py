"""One score from keyword and vector search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SCORE_DIGITS = 10


def reciprocal_rank_scores(
    keyword: Mapping[int, float], similarity: Mapping[int, float], rank_constant: int
) -> dict[int, float]:
    """Return the sum of 1 / (``rank_constant`` + rank) over both searches, scaled to 0..1.

    1 is the best of both. Inputs and rounding as in ``convex_scores``.
    """
    if rank_constant < 0:
        raise ValueError(f"rank_constant must not be negative, but is {rank_constant}")
    scores = dict.fromkeys(keyword.keys() | similarity.keys(), 0.0)
    for found in (keyword, similarity):
        ordered = sorted(found, key=lambda each: (-found[each], each))
        for rank, each in enumerate(ordered, start=1):
            scores[each] += (rank_constant + 1) / (rank_constant + rank) / 2
    return {each: round(score, SCORE_DIGITS) for each, score in scores.items()}


def convex_scores(
    keyword: Mapping[int, float], similarity: Mapping[int, float], keyword_weight: float
) -> dict[int, float]:
    """Return a score in 0..1 for every id of either search.

    ``keyword`` holds BM25 scores (above 0) and counts as its share of the best one;
    ``similarity`` holds cosines (-1..1) and counts by its place between the lowest and the
    highest. ``keyword_weight`` (0..1) goes to the first, the rest to the second; what a search
    did not find counts 0 there. Scores are rounded to 1e-10, so that ties are ties.
    """
    if not 0.0 <= keyword_weight <= 1.0:
        raise ValueError(f"keyword_weight must lie in 0..1, not {keyword_weight}")
    top = max(keyword.values(), default=0.0)
    lowest = min(similarity.values(), default=0.0)
    spread = max(similarity.values(), default=0.0) - lowest
    scores: dict[int, float] = {}
    for each in keyword.keys() | similarity.keys():
        by_words = keyword.get(each, 0.0) / top if top > 0 else 0.0
        by_vector = 0.0
        if each in similarity:
            by_vector = (similarity[each] - lowest) / spread if spread > 0 else 1.0
        score = keyword_weight * by_words + (1.0 - keyword_weight) * by_vector
        scores[each] = round(score, SCORE_DIGITS)
    return scores


def weighted_mean(cosines: Sequence[float]) -> float:
    """Return the mean of ``cosines``, best rank first, each weighted by 1/rank; 0 for none."""
    weights = [1.0 / rank for rank in range(1, len(cosines) + 1)]
    total = sum(weight * cosine for weight, cosine in zip(weights, cosines, strict=True))
    return round(total / sum(weights), SCORE_DIGITS) if weights else 0.0

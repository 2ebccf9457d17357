"""One score from two searches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.retrieval.fusion import convex_scores, reciprocal_rank_scores

BM25 = st.dictionaries(st.integers(0, 20), st.floats(0.001, 50))
COSINE = st.dictionaries(st.integers(0, 20), st.floats(-1, 1))


@given(BM25, COSINE, st.floats(0, 1))
def test_scores_lie_between_0_and_1_and_cover_both(
    keyword: dict[int, float], similarity: dict[int, float], weight: float
) -> None:
    for scores in (
        convex_scores(keyword, similarity, weight),
        reciprocal_rank_scores(keyword, similarity, 10),
    ):
        assert set(scores) == set(keyword) | set(similarity)
        assert all(0 <= score <= 1 and score == round(score, 10) for score in scores.values())


def test_the_mix_is_the_stated_one() -> None:
    scores = convex_scores({1: 10.0, 2: 5.0}, {1: 0.2, 3: 0.6, 2: 0.4}, 0.6)
    assert scores == {1: 0.6, 2: pytest.approx(0.5), 3: 0.4}


def test_the_best_of_both_has_rank_score_1() -> None:
    scores = reciprocal_rank_scores({1: 9.0, 2: 1.0}, {1: 0.9, 3: 0.1}, 10)
    assert scores[1] == 1.0
    assert scores[2] == scores[3] < 0.5


def test_a_weight_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="keyword_weight"):
        convex_scores({}, {}, 1.5)

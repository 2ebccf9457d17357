from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.evaluation.metrics import estimate_of
from phasergun_desktop.evaluation.searching import judged


def test_a_hand_worked_ranking() -> None:
    ranking = judged(["a", "x", "b"], {"a": 1, "b": 2, "c": 1, "x": 0}, any_is_enough=False)
    assert ranking.recall_1 == pytest.approx(1 / 3)
    assert ranking.recall_5 == pytest.approx(2 / 3)
    assert ranking.reciprocal_rank == 1.0
    # Precision 1 at the first, 2/3 at the third, nothing for the one that was not found.
    assert ranking.precision == pytest.approx((1 + 2 / 3) / 3)
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert ranking.gain == pytest.approx((1 + 2 / 2) / ideal)


def test_any_gold_file_is_enough_for_questions() -> None:
    ranking = judged(["x", "b"], {"a": 1, "b": 1}, any_is_enough=True)
    assert (ranking.recall_1, ranking.recall_5, ranking.recall_10) == (0.0, 1.0, 1.0)
    assert ranking.reciprocal_rank == 0.5


def test_what_comes_after_the_tenth_does_not_count() -> None:
    found = [str(at) for at in range(10)] + ["a"]
    ranking = judged(found, {"a": 1}, any_is_enough=False)
    assert {ranking.recall_10, ranking.reciprocal_rank, ranking.gain} == {0.0}


@given(st.permutations([str(at) for at in range(8)]), st.sets(st.integers(0, 7), min_size=1))
def test_the_ideal_order_is_the_best(found: list[str], relevant: set[int]) -> None:
    gains = {str(at): 1.0 for at in relevant}
    best = judged(sorted(found, key=lambda name: name not in gains), gains, any_is_enough=False)
    ranking = judged(found, gains, any_is_enough=False)
    assert best.gain == pytest.approx(1.0)
    assert best.precision == best.reciprocal_rank == 1.0
    assert 0 <= ranking.precision <= 1
    assert 0 <= ranking.gain <= 1 + 1e-9
    assert ranking.recall_10 == 1.0


def test_an_interval_is_around_its_figure_and_always_alike() -> None:
    values = [float(at % 3 == 0) for at in range(60)]
    found = estimate_of(values)
    assert found.low < found.value < found.high
    assert found == estimate_of(values)
    assert math.isnan(estimate_of([]).value)

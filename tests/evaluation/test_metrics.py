from __future__ import annotations

import math

import numpy as np
import pytest

from phasergun_desktop.evaluation.metrics import (
    area_under_curve,
    balanced_accuracy,
    calibration_error,
    estimate,
    f1_score,
)


def _flags(text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.array([each == "+" for each in text])


def test_area_under_the_curve_counts_pairs() -> None:
    # Pairs of a positive above a negative: (0.9 > 0.8, 0.3, 0.1), (0.4 > 0.3, 0.1): 5 of 6.
    scores = np.array([0.9, 0.4, 0.8, 0.3, 0.1])
    assert area_under_curve(_flags("++---"), scores) == pytest.approx(5 / 6)


def test_ties_count_half() -> None:
    assert area_under_curve(_flags("+-"), np.array([0.5, 0.5])) == 0.5
    # 0.5 ties with one negative (½) and beats the other (1): 1.5 of 2.
    assert area_under_curve(_flags("+--"), np.array([0.5, 0.5, 0.2])) == 0.75


@pytest.mark.parametrize("labels", ["+++", "---"])
def test_one_class_alone_has_no_area(labels: str) -> None:
    assert math.isnan(area_under_curve(_flags(labels), np.array([0.1, 0.2, 0.3])))
    assert math.isnan(balanced_accuracy(_flags(labels), _flags("+-+")))


def test_area_ignores_the_scale_of_scores() -> None:
    random = np.random.default_rng(1)
    truth = random.random(200) < 0.4
    scores = np.round(random.random(200), 2)
    assert area_under_curve(truth, scores) == pytest.approx(
        area_under_curve(truth, np.exp(3 * scores))
    )
    assert area_under_curve(truth, scores) == pytest.approx(1 - area_under_curve(truth, -scores))


def test_balanced_accuracy_weighs_both_classes_alike() -> None:
    # One of two positives, four of four negatives.
    assert balanced_accuracy(_flags("++----"), _flags("+-----")) == 0.75


def test_f1_of_a_hand_worked_case() -> None:
    # Two right of three chosen, four positives: precision 2/3, recall 1/2.
    assert f1_score(_flags("++++--"), _flags("++--+-")) == pytest.approx(4 / 7)
    assert f1_score(_flags("+-"), _flags("--")) == 0.0


def test_calibration_error_is_the_gap_between_said_and_so() -> None:
    said = np.array([0.75, 0.75, 0.75, 0.75, 0.15, 0.15])
    # 0.75 is said of four, of which three are so; 0.15 of two, of which one is.
    assert calibration_error(_flags("+++-+-"), said) == pytest.approx(0.35 * 2 / 6)


def test_weights_make_classes_count_alike() -> None:
    truth, said = _flags("+---"), np.array([0.55, 0.55, 0.55, 0.55])
    assert calibration_error(truth, said) == pytest.approx(0.3)
    weights = np.array([3.0, 1.0, 1.0, 1.0])
    assert calibration_error(truth, said, weights=weights) == pytest.approx(0.05)


def test_an_interval_draws_whole_claims() -> None:
    random = np.random.default_rng(7)
    truth = np.repeat(random.random(30) < 0.5, 20)
    scores = np.repeat(random.random(30), 20)
    alone = estimate(area_under_curve, truth, scores, [str(at) for at in range(600)])
    together = estimate(area_under_curve, truth, scores, [str(at // 20) for at in range(600)])
    assert together.value == alone.value
    assert together.low <= together.value <= together.high
    # Twenty copies of a row say no more than one.
    assert together.high - together.low > 2 * (alone.high - alone.low)
    again = estimate(area_under_curve, truth, scores, [str(at // 20) for at in range(600)])
    assert again == together

"""The questions are what they claim, and the error is computed as it is defined."""

from __future__ import annotations

import pytest

from tests.benchmarks.confidence.asked_questions import (
    asked_questions,
    check_absent,
    small_project_questions,
)
from tests.benchmarks.confidence.calibration import calibration_error, fitted, interval
from tests.benchmarks.frame import Unavailable
from tests.benchmarks.glucose import ROOT

PROJECTS = {each.parent.name for each in (ROOT / "packaging/selector_data").glob("*/project")}


def test_sixty_questions_have_an_answer_and_sixty_have_none() -> None:
    questions = asked_questions()
    assert sum(one.is_answerable for one in questions) == 60
    assert sum(not one.is_answerable for one in questions) == 60
    assert len({one.name for one in questions}) == len({one.text for one in questions}) == 120
    halves = [one.is_for_fitting for one in questions]
    assert 40 <= sum(halves) <= 80
    for first, second in zip(questions[::2], questions[1::2], strict=True):
        assert first.is_for_fitting == second.is_for_fitting


def test_people_wrote_questions_with_and_without_an_answer() -> None:
    questions = small_project_questions()
    assert len({one.name for one in questions}) == len(questions)
    assert 20 <= sum(not one.is_answerable for one in questions) <= len(questions) / 2
    assert 0.4 < sum(one.is_for_fitting for one in questions) / len(questions) < 0.6
    assert {one.project for one in questions} <= PROJECTS


def test_what_must_be_absent_is_looked_for() -> None:
    made = next(one for one in asked_questions() if one.rule == "another attribute")
    check_absent((made,), {made.project: "Nothing of the kind."})
    with pytest.raises(Unavailable):
        check_absent((made,), {made.project: "The mercury, price, latex, gamma, recycled, tariff,"
                               " magnetic field and royalty."})  # fmt: skip


def test_the_calibration_error() -> None:
    assert calibration_error([0.95, 0.95, 0.05, 0.05], [True, True, False, False]) == (
        pytest.approx(0.05)
    )
    assert calibration_error([0.95, 0.95], [False, False]) == pytest.approx(0.95)
    # Half of the answers of a bin of 0.5 are right.
    assert calibration_error([0.5, 0.5], [True, False]) == pytest.approx(0.0)
    low, high = interval([0.95] * 20, [True, False] * 10)
    assert 0.0 < low < 0.45 < high < 1.0


def test_a_part_that_tells_right_from_wrong_gets_weight() -> None:
    parts = [{"subject": 0.9, "support": 0.8}] * 20 + [{"subject": 0.2, "support": 0.8}] * 20
    fit = fitted(parts, [True] * 20 + [False] * 20)
    assert fit.weights["subject"][0] > 1.0
    assert all(weight >= 0.0 for weight, _ in fit.weights.values())
    assert fit.probability(parts[0]) > 0.7
    assert fit.probability(parts[-1]) < 0.3

"""The questions are what they claim, and the error is computed as it is defined."""

from __future__ import annotations

import pytest

from tests.benchmarks.confidence.asked_questions import (
    asked_questions,
    check_absent,
    small_project_questions,
)
from tests.benchmarks.confidence.calibration import calibration_error, interval
from tests.benchmarks.frame import Unavailable
from tests.benchmarks.glucose import ROOT

PROJECTS = {each.parent.name for each in (ROOT / "packaging/selector_data").glob("*/project")}


def test_sixty_questions_have_an_answer_and_sixty_have_none() -> None:
    questions = asked_questions()
    assert sum(one.is_answerable for one in questions) == 60
    assert sum(not one.is_answerable for one in questions) == 60
    assert len({one.name for one in questions}) == len({one.text for one in questions}) == 120


def test_people_wrote_questions_with_and_without_an_answer() -> None:
    questions = small_project_questions()
    assert len({one.name for one in questions}) == len(questions)
    assert 20 <= sum(not one.is_answerable for one in questions) <= len(questions) / 2
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

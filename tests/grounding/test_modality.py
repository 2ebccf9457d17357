"""Obligation and permission are not interchangeable."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.modality import differ_in_force, modality_problems


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The plan shall be reviewed.", "The plan may be reviewed."),
        ("The plan may be reviewed.", "The plan shall be reviewed."),
        ("The plan was approved by the lead.", "The plan should be approved by the lead."),
    ],
)
def test_marked(sentence: str, source: str) -> None:
    assert [problem.code for problem in modality_problems(sentence, source)] == ["modality"]


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The plan is reviewed.", "The plan is reviewed."),
        ("The plan must be reviewed.", "The plan shall be reviewed."),
        ("The study was repeated.", "The study was repeated, which should help."),
        ("The audit is held in May 2026.", "The audit must be held on 2026-05-14."),
        ("The audit is held in May.", "The audit must be held on 2026-05-14."),
        ("The audit is held on 14 May.", "The audit must be held on 2026-05-14."),
    ],
)
def test_not_marked(sentence: str, source: str) -> None:
    assert modality_problems(sentence, source) == []


def test_force_of_single_words() -> None:
    assert differ_in_force("shall", "may")
    assert differ_in_force("should", "must")
    assert not differ_in_force("shall", "must")
    assert not differ_in_force("shall", "reviewed")

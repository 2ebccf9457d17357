"""Obligation, permission, negation and completion are not interchangeable."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.modality import modality_problems


@pytest.mark.parametrize(
    ("sentence", "source", "code"),
    [
        ("The plan shall be reviewed.", "The plan may be reviewed.", "modality"),
        ("The plan may be reviewed.", "The plan shall be reviewed.", "modality"),
        (
            "The plan was approved by the lead.",
            "The plan should be approved by the lead.",
            "modality",
        ),
        ("It is not intended for screening.", "It is intended for screening.", "negation"),
    ],
)
def test_marked(sentence: str, source: str, code: str) -> None:
    assert [problem.code for problem in modality_problems(sentence, source)] == [code]


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The plan is reviewed.", "The plan is reviewed."),
        ("The plan must be reviewed.", "The plan shall be reviewed."),
        ("The study was repeated.", "The study was repeated, which should help."),
        ("It is not sterile.", "The device is supplied without sterilisation."),
    ],
)
def test_not_marked(sentence: str, source: str) -> None:
    assert modality_problems(sentence, source) == []

"""Clauses that no source states are found; those that one states are left alone."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.clause_checks import added_clauses


@pytest.mark.parametrize(
    ("sentence", "source", "added"),
    [
        (
            "The alarm sounds at 78 dB, which reassures anxious relatives.",
            "The alarm sounds at 78 dB.",
            ["which reassures anxious relatives"],
        ),
        (
            "Results reach the phone by Bluetooth, making it more convenient without Wi-Fi.",
            "Results reach the phone by Bluetooth Low Energy.",
            ["making it more convenient without Wi-Fi"],
        ),
        (
            "The strip carries a mediator, which makes the current proportional to glucose.",
            "A strip carries a mediator; the current is proportional to the glucose.",
            [],
        ),
        ("The form, which is kept, is FRM-1.", "FRM-1 is the form that is kept.", []),
    ],
)
def test_a_clause_that_the_source_knows_nothing_of_is_named(
    sentence: str, source: str, added: list[str]
) -> None:
    assert added_clauses(sentence, source) == added

"""Provisos and reservations that are left out, and reasons that are made up, are found."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.restrictions import added_reason, dropped_restrictions


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "The residual risk is acceptable, and the validation shows that it is understood.",
            "Residual risk: acceptable, provided the validation shows that it is understood.",
        ),
        (
            "The longest time of 30 injections was 14.2 ms.",
            "30 injections, longest time 14.2 ms apart from the pressure class.",
        ),
        (
            "The product has been shown to be safe for its users.",
            "The product has been found to be reasonably safe for its users.",
        ),
    ],
)
def test_a_restriction_that_is_left_out_is_found(sentence: str, source: str) -> None:
    assert [problem.code for problem in dropped_restrictions(sentence, source)] == ["modality"]
    assert not list(dropped_restrictions(source, source))


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "The factor may be used only where the error is known.",
            "The factor is not used unless the error is known.",
        ),
        (
            "Roughly half of the drug is left after a month.",
            "About half the drug is left after one month.",
        ),
        (
            "The pump was dropped three times.",
            "The pump was dropped three times. The case is made of approximately 4 parts.",
        ),
    ],
)
def test_a_restriction_in_other_words_or_on_something_else_is_none(
    sentence: str, source: str
) -> None:
    assert not list(dropped_restrictions(sentence, source))


def test_a_reason_needs_one_in_the_source() -> None:
    source = "One participant fell asleep. One video was lost."
    assert added_reason("Because one participant fell asleep, one video was lost.", source)
    assert not added_reason("One participant fell asleep, and one video was lost.", source)
    assert not added_reason("One video was lost because of sleep.", "One video was lost due to it.")

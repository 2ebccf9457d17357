"""Rules of the binder beside the trained check: conditions of two sources, names in headings."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.binding import is_condition_of_two

CONTROLLER = "The controller shall trigger an alarm when the screen does not answer."
PRESSURE = "The overpressure alarm fires above 60 cmH2O."


@pytest.mark.parametrize(
    "sentence",
    [
        "If the risk is acceptable, the documents are linked to the hazard.",
        "The documents are linked to the hazard when the risk is acceptable.",
    ],
)
def test_a_condition_of_two_sources_is_none(sentence: str) -> None:
    apart = ("Determine whether the risk is acceptable.", "Link the documents to the hazard.")
    assert is_condition_of_two(sentence, apart)
    assert not is_condition_of_two(sentence, (" ".join(apart), apart[0]))


def test_one_source_may_state_a_condition() -> None:
    sentence = "When the screen does not answer, the controller triggers an alarm."
    assert not is_condition_of_two(sentence, (CONTROLLER, PRESSURE))
    assert not is_condition_of_two(sentence, (CONTROLLER,))


def test_a_sentence_without_a_condition_is_left_alone() -> None:
    assert not is_condition_of_two("The alarm fires above 60 cmH2O.", (CONTROLLER, PRESSURE))

"""Clauses that no source states are found; those that one states are left alone."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.clause_checks import (
    added_clauses,
    is_condition_of_two,
    stated_exceptions,
)

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


def test_a_condition_may_not_borrow_what_only_another_source_has() -> None:
    unresponsive = "Controller shall trigger an alarm in case GUI is unresponsive for one second"
    overpressure = "GUI displays an overpressure alarm"
    joined = "The overpressure alarm is triggered by the controller when GUI is unresponsive."
    assert is_condition_of_two(joined, (unresponsive, overpressure))
    plain = "The alarm is triggered by the controller when GUI is unresponsive."
    assert not is_condition_of_two(plain, (unresponsive, overpressure))
    assert not is_condition_of_two(joined, (unresponsive, overpressure), "Overpressure alarms")


def test_what_a_source_takes_out_is_not_stated_by_it() -> None:
    source = "The sponsor should describe the cycle but not the validation data itself."
    joined = "The sponsor should describe the cycle and the validation data."
    assert stated_exceptions(joined, (source, "1. a description of the cycle;"))
    assert stated_exceptions("The sponsor should describe the cycle.", (source,)) == []
    assert stated_exceptions(source, (source,)) == []
    kit = "The kit includes lancets but not control solution."
    assert stated_exceptions("The kit includes lancets and control solution.", (kit,))
    assert stated_exceptions("Control solution is not included in the kit.", (kit,)) == []
    mild = "The study is done. No adverse events were reported except mild irritation."
    assert stated_exceptions("Mild irritation was reported.", (mild,)) == []
    both = "The cycle is described, other than the cycle of the dryer."
    assert stated_exceptions("The cycle is described.", (both,)) == []

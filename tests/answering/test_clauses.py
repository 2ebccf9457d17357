from __future__ import annotations

import pytest

from phasergun_desktop.answering.outlines.clauses import after_colon, section_names, split_list


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("weight, size and colour", ["weight", "size", "colour"]),
        ("weight, size, and colour.", ["weight", "size", "colour"]),
        ("alarm and display", ["alarm", "display"]),
        ("alarm", ["alarm"]),
        ("display (colour, size), alarm", ["display (colour, size)", "alarm"]),
        ("", []),
    ],
)
def test_a_list_is_split(text: str, items: list[str]) -> None:
    assert [item for item in split_list(text) if item] == items


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Write the Purpose, Scope and Approval sections of the plan.",
         ["Purpose", "Scope", "Approval"]),
        ("Draft a Substantial Equivalence discussion comparing A with B.",
         ["Substantial Equivalence"]),
        ("Write the Device Description section for H1: alarm.", ["Device Description"]),
    ],
)  # fmt: skip
def test_sections_are_named(sentence: str, names: list[str]) -> None:
    found = section_names(sentence)
    assert found is not None
    assert found[0] == names


def test_a_sentence_without_a_section_names_none() -> None:
    assert section_names("How heavy is the heater?") is None


def test_a_colon_in_a_title_lists_nothing() -> None:
    assert after_colon("Describe it: alarm, weight") == ["alarm", "weight"]
    assert after_colon("Summarise “Alarms: a study”") == []
    assert after_colon("Describe the alarm") == []

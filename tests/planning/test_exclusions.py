"""What a prompt says not to write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.planning.exclusions import without_exclusions


@pytest.mark.parametrize(
    ("prompt", "gone", "left_out"),
    [
        (
            "Device description, no test data, and no predicate.",
            ["no test data", "no predicate"],
            ("test data", "predicate"),
        ),
        ("Bench summary (not the old report)", ["not the old report"], ("the old report",)),
        ("EMC section. Leave out the battery", ["Leave out the battery"], ("the battery",)),
        ("Sizes and materials - skip prices", ["skip prices"], ("prices",)),
        (
            "Please leave the reference device out of it",
            ["leave the reference device out"],
            ("the reference device",),
        ),
        (
            "Aufbereitung, bitte ohne den alten Bericht",
            ["ohne den alten Bericht"],
            ("den alten Bericht",),
        ),
        (
            "Résumé du nettoyage. Pas de stérilisation",
            ["Pas de stérilisation"],
            ("stérilisation",),
        ),
        # These ask for something.
        ("Flow, not only its volume but also its delay", [], ()),
        ("Labelling, and don't forget the symbols", [], ()),
        ("Why was it raised? Not tested?", [], ()),
        ("Recommended for: __\nNot recommended for: __", [], ()),
        ("Non-clinical tests; notified body; nothing else", [], ()),
        ("What happens with no water?", [], ()),
        ("Without mains power, how long does it run?", [], ()),
        # Nothing would be left.
        ("No test data", [], ()),
    ],
)
def test_a_clause_that_leaves_something_out_is_blanked(
    prompt: str, gone: list[str], left_out: tuple[str, ...]
) -> None:
    expected = prompt
    for part in gone:
        expected = expected.replace(part, " " * len(part))
    assert without_exclusions(prompt, ()) == (expected, left_out)


def test_a_clause_that_names_a_document_stays() -> None:
    prompt = "Describe the alarm, not from [Report 7]"
    start = prompt.index("[")
    assert without_exclusions(prompt, [(start, len(prompt))]) == (prompt, ())


@given(st.text("no,. leave out\n-(x", max_size=60))
def test_every_other_character_stays_in_its_place(prompt: str) -> None:
    made, _ = without_exclusions(prompt, ())
    assert len(made) == len(prompt)
    assert all(new in (old, " ") for old, new in zip(prompt, made, strict=True))

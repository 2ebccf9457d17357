"""The abbreviations that a text defines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.text.abbreviations import abbreviations_in, agreed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Each enzyme electrode strip (EES) is cut.", ("EES", "enzyme electrode strip")),
        ("The limit of detection (LoD) is low.", ("LoD", "limit of detection")),
        ("Two “high-level disinfections” (HLDs).", ("HLD", "high-level disinfections")),
        (
            "Sent to the Office of Combination Products (OCP)",
            ("OCP", "Office of Combination Products"),
        ),
        ("The over-temperature alarm (OTA) sounds.", ("OTA", "over-temperature alarm")),
        ("EES: enzyme electrode strip.", ("EES", "enzyme electrode strip")),
        ("EES (enzyme electrode strip) is cut.", ("EES", "enzyme electrode strip")),
        ("EES | enzyme electrode strip", ("EES", "enzyme electrode strip")),
        ("**PR** – pulse rate", None),
        ("PR = pulse rate", ("PR", "pulse rate")),
        ("We all use: ATS artificial test soil; and more", ("ATS", "artificial test soil")),
        # The first letters of other words, of more words, or of too few to tell.
        ("The strip of the meter (EES) is cut.", None),
        ("6 Report. The report (TR) is signed.", None),
        ("SC: separate Cortex-M4 core", None),
        ("the PR pulse rate", None),
        ("Electrode 3 strip (ES)", None),
        ("", None),
    ],
)
def test_first_letters_tell_what_an_abbreviation_stands_for(
    text: str, found: tuple[str, str] | None
) -> None:
    assert abbreviations_in([text]) == ((found,) if found else ())


def test_what_stands_for_several_things_is_left_out() -> None:
    assert agreed(
        [
            ("EES", "enzyme electrode strip"),
            ("EES", "Enzyme-electrode strips"),
            ("IDE", "investigational device exemption"),
            ("IDE", "integrated development environment"),
        ]
    ) == (("EES", "enzyme electrode strip"),)


@given(st.text(alphabet="AaBb .(:)|=-\n", max_size=80))
def test_any_text_is_read(text: str) -> None:
    for short, words in abbreviations_in([text]):
        assert len(short) >= 2
        assert words in " ".join(text.split())

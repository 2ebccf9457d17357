from __future__ import annotations

import pytest

from phasergun_desktop.writing.repetition import loops


@pytest.mark.parametrize(
    "text",
    [
        "The pump stops and the valve opens and " * 4,
        "the the the the the the",
        "yes no yes no yes no yes no yes no yes no",
        " ".join(f"word{number}" for number in range(200)),
    ],
)
def test_loops_and_endless_sentences_are_found(text: str) -> None:
    assert loops(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The record of the review is filed with the record of the approval of the review.",
        "It holds 4 mL at level 1, 4 mL at level 2, 4 mL at level 3, and 4 mL at level 4.",
        "within 5 mg/dL or 5 percent, within 10 mg/dL or 10 percent, within 15 mg/dL or 15 percent",
    ],
)
def test_what_a_person_writes_is_no_loop(text: str) -> None:
    assert not loops(text)

"""Questions for all of something, and for how many there are."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.whole_lists import asks_for_all, asks_for_number
from phasergun_desktop.retrieval.model import SearchScope


def _need(text: str) -> Need:
    return Need("n1", text, 0, len(text), text, SearchScope())


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("How many hazards does the log have?", True),
        ("What is the number of lots?", True),
        ("How many months of aging did the units have?", False),
        ("Within how many work days is it sent?", False),
        ("How many mL/min flow?", False),
        ("By how many degrees was it bent in rev C?", False),
        ("How many?", True),
        ("How long does it last?", False),
    ],
)
def test_a_measure_is_not_counted(question: str, counts: bool) -> None:
    assert asks_for_number(_need(question)) == counts
    assert not asks_for_all(_need(question))


def test_all_is_asked_for_by_its_words() -> None:
    assert asks_for_all(_need("List all hazards of the log"))

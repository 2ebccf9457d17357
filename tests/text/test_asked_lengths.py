"""How long a text shall be, as prompts say it."""

from __future__ import annotations

import pytest

from phasergun_desktop.text.asked_lengths import asked_length


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max. 120 words", 120),
        ("Two paragraphs for the reviewer", 240),
        ("One page at most", 500),
        ("half a page", 250),
        ("ca. 150 Wörter", 150),
        ("one or two lines each", 30),
        ("about 1,200 words", 1200),
        ("trois phrases", 105),
        ("en une demi-page", 250),
        ("auf einer halben Seite", 250),
        ("en media página", 250),
    ],
)
def test_a_length_is_read_in_words(text: str, words: float) -> None:
    found = asked_length(text)
    assert found is not None
    assert found[0] == words


@pytest.mark.parametrize(
    "text",
    ["the first page of the report", "table of all pages", "words", "in 2 or 3 patients", ""],
)
def test_a_number_alone_or_a_unit_alone_is_no_length(text: str) -> None:
    assert asked_length(text) is None

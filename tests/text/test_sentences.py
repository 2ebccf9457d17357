"""Sentences end where regulatory prose ends them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.text.sentences import (
    complete_sentences,
    sentence_spans,
    sentences,
    without_leading_address,
    without_list_mark,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It meets 21 CFR 820.30(a) and ISO 14971. The rest follows.", 2),
        ("Use a strip, e.g. GT2-210, once. Discard it.", 2),
        ("See No. 5 of the list. It is 0.6 µL. Dr. J. Smith signed.", 3),
        ("The limit is 20.5 percent.", 1),
        ("See ch. 8, app. 9, tab. 2, eq. 4 and pt. 3, esp. para. 5, a.k.a. the rules.", 1),
        ("It is a new app. It runs.", 2),
        ("1. First step.\n2. Second step.", 2),
        ("Items:\n- one\n- two", 3),
        ("Is it sterile? No. It is not.", 3),
        ("The flow is max. under load. It is min. at rest, see no. five.", 2),
        ("Die Firma liefert ab 1. Juli 2026 den Klebstoff (Zeugnis-Nr. 17). Er härtet.", 2),
        ("An z. Hd. Dipl.-Ing. H. Zwerger, d. h. u. a. Titan, z. B. im 2. Quartal.", 1),
        ("Die Messung ergab 12. Das Gerät wurde geprüft, i. d. R. Stück für Stück.", 2),
        ("Open the CAPA. c. Find the cause. Never mind. 75 is only a constant.", 4),
        ("Items:\n  \n  - one\n  - two", 3),
        ("It stops at 43 °C. The alarm sounds. It runs on 12 V. The cell is of type B. Done.", 5),
    ],
)
def test_counts(text: str, expected: int) -> None:
    assert len(sentences(text)) == expected, sentences(text)


@given(st.text(max_size=300))
def test_spans_are_ordered_and_lose_nothing_but_space(text: str) -> None:
    spans = sentence_spans(text)
    covered: set[int] = set()
    last = 0
    for start, end in spans:
        assert last <= start < end
        covered.update(range(start, end))
        last = end
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)


def test_last_sentence_is_complete_only_when_something_follows() -> None:
    assert complete_sentences("It holds 20.") == ([], "It holds 20.")
    done, rest = complete_sentences("It holds 20. The")
    assert (done, rest) == (["It holds 20."], "The")


def test_list_mark_is_removed_once() -> None:
    assert without_list_mark("2. Identify hazards") == "Identify hazards"
    assert without_list_mark("- 5 strips") == "5 strips"


def test_a_web_address_stands_between_two_sentences() -> None:
    text = "Use the Yellow Card. https://example.org/report If it was exposed, call."
    first, second = sentences(text)
    assert first == "Use the Yellow Card."
    assert without_leading_address(second) == "If it was exposed, call."
    assert without_leading_address("Call us.") == "Call us."

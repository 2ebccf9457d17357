"""The measures of fidelity on texts whose answer is known."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.benchmarks.reading.word_metrics import (
    cell_overlap,
    lcs_length,
    letters,
    missing_words,
    order,
    overlap,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The post-market\nsurveillance", ["the", "postmarket", "surveillance"]),
        ("post-\n  market and/or  it's", ["postmarket", "and", "or", "its"]),
        ("sur\u00ad\nveillance, \u201cquoted\u201d", ["surveillance", "quoted"]),
        ("\ufb01nal 5 \u00b5g/mL \u2013 1,000", ["final", "5", "\u03bcg", "ml", "1", "000"]),
        ("CN-\nProduct co-\n\nworker", ["cn", "product", "co", "worker"]),
        ("3-\n4 of 510(k)", ["3", "4", "of", "510", "k"]),
        ("Stra\u00dfe \u0130\u200bx", ["strasse", "ix"]),
        ("\u6771\u4eac Tower", ["\u6771", "\u4eac", "tower"]),
        ("cafe\u0301 caf\u00e9", ["caf\u00e9", "caf\u00e9"]),
        ("_a_ \u2022 - \u2192", ["a"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_recall_counts_repeated_words() -> None:
    found = overlap(["a", "b", "b", "c"], ["b", "b", "b", "a"])
    assert (found.common, found.wanted, found.recall) == (3, 4, 0.75)
    assert overlap(["a"], []).recall == 1.0
    assert overlap([], ["a"]).recall == 0.0
    assert missing_words(["a"], ["a", "b", "b", "c"]) == ["b\u00d72", "c\u00d71"]


def test_longest_common_subsequence_against_the_textbook_table() -> None:
    drawn = random.Random(7)
    for length, other, letters_used in itertools.product((0, 1, 9, 70, 130), (0, 8, 131), (2, 30)):
        alphabet = [f"w{number}" for number in range(letters_used)]
        first = drawn.choices(alphabet, k=length)
        second = drawn.choices(alphabet, k=other)
        assert lcs_length(first, second) == _by_table(first, second)
    same = drawn.choices("abc", k=200)
    assert lcs_length(same, same) == 200
    assert lcs_length(same, [*same[:50], "x", *same[51:]]) in (199, 200)


def _by_table(first: list[str], second: list[str]) -> int:
    row = [0] * (len(second) + 1)
    for word in first:
        previous = row
        row = [0]
        for index, other in enumerate(second):
            row.append(
                previous[index] + 1 if word == other else max(previous[index + 1], row[index])
            )
    return row[-1]


def test_order_is_of_the_shared_words_only() -> None:
    assert order(["a", "b", "c", "d"], ["a", "x", "b", "y", "c", "d", "z"]) == 1.0
    assert order(["c", "d", "a", "b"], ["a", "b", "c", "d"]) == 0.5
    assert order(["a"], ["b"]) == 1.0


def test_a_hundred_thousand_words_take_seconds() -> None:
    drawn = random.Random(3)
    text = [f"w{drawn.randint(0, 4000)}" for _ in range(20_000)]
    moved = text[10_000:] + text[:10_000]
    assert 10_000 <= lcs_length(text, moved) < 14_000


def test_cells_are_looked_for_as_cells_and_in_the_text() -> None:
    wanted = ["A  1", "B", "B", "gone", " ", "B\nmore"]
    found = cell_overlap(wanted, ["A 1", "B", "x"], "A 1 | 1. B and 2. more")
    assert (found.wanted, found.as_cells, found.in_text, found.absent) == (5, 2, 4, ("gone",))


def test_letters() -> None:
    assert letters("a-B _1\u00e9 \u00b7") == "aB1\u00e9"

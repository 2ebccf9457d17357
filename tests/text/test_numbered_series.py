"""Identifiers of a series, and ranges of them."""

from __future__ import annotations

import pytest

from phasergun_desktop.text.numbered_series import numbered_in, range_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is the index of H-09?", {("h-", 9)}),
        ("H-9, TC-031-01 and CAPA-25-014", {("h-", 9), ("tc-031-", 1), ("capa-25-", 14)}),
        ("SRS-01 to SRS-03", {("srs-", 1), ("srs-", 2), ("srs-", 3)}),
        ("SRS-01 – 03.", {("srs-", 1), ("srs-", 2), ("srs-", 3)}),
        ("ISO 14971, IEC 60601-1-2, version 1.0.2, 5-10 mm, RP-14L, 2026-03-18", set()),
    ],
)
def test_numbered_things_are_known_by_series_and_number(
    text: str, found: set[tuple[str, int]]
) -> None:
    assert numbered_in(text) == found


def test_a_range_joins_two_of_one_series() -> None:
    assert range_in("R-2 to R-4") == {("r-", 2), ("r-", 3), ("r-", 4)}
    assert not range_in("H-02 to R-04, CAPA-25-034, R-4 to R-2, from R-2 to 5.5 mm")


def test_hostile_numbers_name_nothing() -> None:
    assert numbered_in("H-" + "1" * 5000) == frozenset()
    assert range_in("SRS-01 to SRS-18.5") == frozenset()
    assert range_in("SRS-1 to 2024-05") == frozenset()

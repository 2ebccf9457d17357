"""Values agree when they mean the same, and only then."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.values import extract_values, missing_values


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("It needs 0.6 microlitres.", "Sample Volume: 0.6 µL"),
        ("It needs 600 nL or 0.6 µL.", "600 nL or 0.0006 mL"),
        ("The range is 20 to 600 mg/dL.", "20–600 mg/dL"),
        ("Results lie within 15% for 95% of tests.", "within 15 percent for 95 percent of results"),
        ("Altitude up to 10745 feet.", "up to 10,745 ft"),
        ("Reviewed on August 14, 2026.", "Date: 2026-08-14."),
        ("Two levels are supplied.", "2 levels, 4 mL each"),
        ("It follows ISO 14971.", "per ISO 14971:2019"),
        ("See 21 CFR 820.", "21 CFR 820.30(g) requires"),
        ("Part GT2-100 is the meter.", "Meter; Part number: GT2-100"),
        ("It reads 50 mg/dL.", "Range (mg/dL): 50 to 550"),
    ],
)
def test_agreeing_values_are_not_missing(sentence: str, source: str) -> None:
    assert missing_values(sentence, source) == []


@pytest.mark.parametrize(
    ("sentence", "source", "value"),
    [
        ("It needs 0.5 microlitres.", "Sample Volume: 0.6 µL", "0.5 microlitres"),
        ("It needs 0.6 mL.", "Sample Volume: 0.6 µL", "0.6 ml"),
        ("The range is 20 to 650 mg/dL.", "20 to 600 mg/dL", "650 mg/dl"),
        ("Reviewed on 2026-08-15.", "August 14, 2026", "2026-08-15"),
        ("It follows ISO 14971:2012.", "per ISO 14971:2019", "iso 14971:2012"),
        ("See 21 CFR 820.40.", "21 CFR 820.30", "21 cfr 820.40"),
        ("The predicate is K231193.", "Predicate Device: K231192", "k231193"),
        ("Part GT2-110 is the meter.", "GT2-100", "gt2-110"),
        ("It takes 5 minutes.", "Test Time: 5 seconds", "5 minutes"),
    ],
)
def test_changed_values_are_found(sentence: str, source: str, value: str) -> None:
    assert [found.text for found in missing_values(sentence, source)] == [value]


def test_hyphenated_words_are_not_identifiers() -> None:
    text = "An over-the-counter, in-vitro, non-invasive blood-glucose meter"
    assert extract_values(text) == []

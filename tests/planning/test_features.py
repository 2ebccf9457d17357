"""The numbers that the selector reads of needs and units."""

from __future__ import annotations

import numpy as np
import pytest

from phasergun_desktop.index.unit_index import UnitTable
from phasergun_desktop.planning.features import (
    UNIT_FEATURES,
    is_of_another_language,
    unit_features,
    unknown_name,
)

WORDS = "the pump weighs with its stand describe alarm of a corvane px system"


def is_known(word: str) -> bool:
    return word.casefold() in WORDS.split()


def table_of(vectors: list[list[float]], sections: list[int]) -> UnitTable:
    size = len(vectors)
    places = np.arange(size)
    return UnitTable(
        unit_ids=places,
        documents=np.zeros(size, dtype=np.int64),
        start=places,
        end=places + 1,
        block=places,
        words=np.array([10] * size),
        sections=np.array(sections),
        steps=np.array(vectors, dtype=np.int8),
        scales=np.ones(size, dtype=np.float32),
    )


def test_a_rare_word_covers_more_of_a_need_than_one_that_every_unit_has() -> None:
    table = table_of([[1, 0], [0, 1], [0, 1], [0, 1]], [0, 0, 1, 1])
    everywhere, rare, nowhere = np.arange(4), np.array([2]), np.array([], dtype=np.int64)
    looked = unit_features(
        table, np.arange(4), np.array([1.0, 0.0], np.float32), [everywhere, rare, nowhere], []
    )
    coverage = looked.columns[:, UNIT_FEATURES.index("coverage")]
    assert coverage[2] > 4 * coverage[0] > 0
    assert coverage[0] == coverage[1] == coverage[3]
    assert 0.5 < looked.unknown_words < 1
    of_section = looked.columns[:, UNIT_FEATURES.index("section_coverage")]
    assert of_section[2] == of_section[3] > of_section[0]
    cosine = looked.columns[:, UNIT_FEATURES.index("cosine")]
    assert cosine[0] == pytest.approx(3**0.5)
    assert cosine.mean() == pytest.approx(0)


def test_a_need_of_one_word_is_covered_by_less_where_many_units_have_it() -> None:
    table = table_of([[1, 0]] * 8, [0] * 8)
    vector = np.array([1.0, 0.0], np.float32)
    common, rare = (
        unit_features(table, np.arange(8), vector, [np.arange(count)], []).columns[0]
        for count in (6, 1)
    )
    coverage, rarity = map(UNIT_FEATURES.index, ("coverage", "rarity"))
    assert common[coverage] == rare[coverage] == 1.0
    assert 0 < 4 * common[rarity] < rare[rarity]


def test_units_that_are_not_allowed_change_nothing() -> None:
    vector = np.array([1.0, 0.0], np.float32)
    small = table_of([[1, 0], [0, 1]], [0, 1])
    large = table_of([[1, 0], [0, 1], [1, 1], [1, 0]], [0, 1, 0, 1])
    rows = np.array([0, 1])
    alone = unit_features(small, rows, vector, [np.array([0])], [np.array([1])])
    among = unit_features(large, rows, vector, [np.array([0, 2, 3])], [np.array([1, 3])])
    assert np.array_equal(alone.columns, among.columns)
    assert alone.cosine == among.cosine


def test_a_need_without_words_is_unknown() -> None:
    table = table_of([[1, 0]], [0])
    looked = unit_features(table, np.array([0]), np.array([1.0, 0.0], np.float32), [], [])
    assert looked.unknown_words == 1.0
    assert looked.columns[0, UNIT_FEATURES.index("coverage")] == 0.0


@pytest.mark.parametrize(
    ("prompt", "share"),
    [
        ("Describe the pump of the Corvane PX System", 0.0),
        ("Describe the pump of the Zephyr Glow System", 2 / 3),
        ("Deficiency 3: the pump", 0.0),
        ("describe the zephyr", 0.0),
    ],
)
def test_the_name_of_another_device_is_unknown(prompt: str, share: float) -> None:
    assert unknown_name(prompt, is_known) == pytest.approx(share)


def test_a_prompt_in_another_language_is_told_by_its_common_words() -> None:
    assert is_of_another_language("Bitte nur auf den alarm eingehen und", is_known)
    assert not is_of_another_language("describe the alarm of a Zephyr, please", is_known)
    assert not is_of_another_language("isocentre, shielding, bore", is_known)
    assert not is_of_another_language("", is_known)

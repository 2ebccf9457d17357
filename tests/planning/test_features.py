"""The numbers that the selector reads of needs and units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.unit_table import UnitTable
from phasergun_desktop.planning.features import (
    UNIT_FEATURES,
    Column,
    NeedMatch,
    best_match,
    is_of_another_language,
    match_need,
    unit_features,
    unknown_name,
)

WORDS = "the pump weighs with its stand describe alarm of a corvane px system"


def is_known(word: str) -> bool:
    return word.casefold() in WORDS.split()


def counts(word: str) -> list[int]:
    return [100 if is_known(word) else 0]


def table_of(
    vectors: list[list[float]], sections: list[int], documents: list[int] | None = None
) -> UnitTable:
    size = len(vectors)
    places = np.arange(size, dtype=np.int32)
    return UnitTable(
        unit_ids=np.arange(size, dtype=np.int64),
        documents=np.array(documents or [0] * size, dtype=np.int32),
        start=places,
        end=places + 1,
        words=np.full(size, 10, dtype=np.int32),
        sections=np.array(sections, dtype=np.int32),
        steps=np.array(vectors, dtype=np.int8),
        scales=np.ones(size, dtype=np.float32),
    )


NO_RULES = np.array([], dtype=np.int64)
EAST, NORTH = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)


def places(*rows: int) -> NDArray[np.int64]:
    return np.array(rows, dtype=np.int64)


def matched(
    table: UnitTable,
    terms: Sequence[NDArray[np.int64]],
    vector: Vector = EAST,
    allowed: Sequence[int] | None = None,
    rules: NDArray[np.int64] = NO_RULES,
) -> NeedMatch:
    everything = np.arange(len(table))
    is_allowed = np.ones(len(table), bool) if allowed is None else np.isin(everything, allowed)
    return match_need(table, everything, is_allowed, cosines_to(table, vector), terms, rules)


def cosines_to(table: UnitTable, vector: Vector) -> NDArray[np.float32]:
    cosines: NDArray[np.float32] = table.cosines(np.arange(len(table)), vector[None])[0]
    return cosines


def columns(table: UnitTable, *matches: NeedMatch, topic: Vector = EAST) -> dict[str, Column]:
    made = unit_features(table, np.arange(len(table)), matches, [(cosines_to(table, topic), [])])
    return dict(zip(UNIT_FEATURES, made.columns.T, strict=True))


def test_a_rare_word_covers_more_of_a_need_than_one_that_every_unit_has() -> None:
    table = table_of([[1, 0], [0, 1], [0, 1], [0, 1]], [0, 0, 1, 1])
    match = matched(table, [np.arange(4), places(2), places()])
    assert match.coverage[2] > 4 * match.coverage[0] > 0
    assert match.coverage[0] == match.coverage[1] == match.coverage[3]
    assert 0.5 < match.unknown_words < 1
    assert match.cosine[0] == pytest.approx(3**0.5)
    assert match.cosine.mean() == pytest.approx(0)


def test_a_need_of_one_word_is_covered_by_less_where_many_units_have_it() -> None:
    table = table_of([[1, 0]] * 8, [0] * 8)
    common, rare = (matched(table, [np.arange(count)]) for count in (6, 1))
    assert common.coverage[0] == rare.coverage[0] == 1.0
    assert 0 < 4 * common.rarity[0] < rare.rarity[0]


def test_each_unit_is_compared_with_the_name_that_it_goes_with_best() -> None:
    table = table_of([[1, 0], [0, 1], [1, 0], [0, 1]], [0, 0, 1, 1])
    own = matched(table, [places(0), places()], EAST)
    other = matched(table, [places(1)], NORTH)
    joined = best_match([own, other])
    assert joined.coverage.tolist() == np.maximum(own.coverage, other.coverage).tolist()
    assert joined.cosine[1] == other.cosine[1] > own.cosine[1]
    assert joined.unknown_words == other.unknown_words == 0.0
    assert joined.terms == own.terms
    assert best_match([own]) is own


def test_a_need_without_words_is_unknown() -> None:
    match = matched(table_of([[1, 0]], [0]), [])
    assert match.unknown_words == 1.0
    assert match.coverage.tolist() == [0.0]


def test_a_unit_goes_with_the_need_that_it_covers_best_of_those_that_allow_it() -> None:
    table = table_of([[1, 0], [0, 1], [1, 1]], [0, 1, 2])
    first = matched(table, [places(0)], EAST, allowed=[0, 1])
    second = matched(table, [places(1)], NORTH, allowed=[1])
    made = unit_features(table, np.arange(3), [first, second], [(cosines_to(table, EAST), [])])
    assert made.rows.tolist() == [0, 1]
    assert made.needs.tolist() == [0, 1]
    by_name = dict(zip(UNIT_FEATURES, made.columns.T, strict=True))
    assert by_name["rarity"][1] == second.rarity[0]
    assert by_name["needs"].tolist() == pytest.approx([np.log(2)] * 2)


def test_a_narrow_scope_changes_nothing_of_how_far_a_unit_stands_out() -> None:
    table = table_of([[1, 0], [0, 1], [0, 1], [0, 1]], [0] * 4)
    wide, narrow = (matched(table, [places(0)], allowed=a) for a in (None, [0, 1]))
    assert narrow.rows.tolist() == [0, 1]
    assert narrow.cosine.tolist() == wide.cosine[:2].tolist()
    assert narrow.rarity.tolist() == wide.rarity[:2].tolist()


def test_a_document_and_a_section_are_as_good_as_their_best_units() -> None:
    table = table_of([[1, 0], [0, 1], [0, 1], [0, 1]], [0, 0, 1, 2], documents=[0, 0, 0, 1])
    found = columns(table, matched(table, [places(0)]))
    assert found["document"][0] == found["document"][2] == 0.0
    assert found["document"][3] < 0
    assert found["section"][0] == found["section"][1] > found["section"][2]


def test_neighbours_are_those_of_the_same_document() -> None:
    table = table_of([[1, 0], [0, 1], [0, 1]], [0, 0, 0], documents=[0, 0, 1])
    match = matched(table, [])
    found = columns(table, match)
    assert found["neighbours"][1] == pytest.approx(match.merit[0])
    assert found["neighbours"][0] == pytest.approx(match.merit[1])
    assert found["neighbours"][2] == pytest.approx(match.merit.mean())
    assert found["neighbours_of_prompt"][1] == pytest.approx(found["cosine_of_prompt"][0])


def test_rules_are_told_where_the_need_does_not_name_them() -> None:
    table = table_of([[1, 0], [0, 1]], [0, 1], documents=[0, 1])
    told = columns(table, matched(table, [], rules=places(1)))
    assert told["procedure"].tolist() == [0.0, 1.0]
    assert columns(table, matched(table, []))["procedure"].tolist() == [0.0, 0.0]


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
    assert is_of_another_language("Bitte nur auf den alarm eingehen und", counts, 1000)
    assert not is_of_another_language("describe the alarm of a Zephyr, please", counts, 1000)
    assert not is_of_another_language("isocentre, shielding, bore", counts, 1000)
    # Keywords have no grammar.
    assert not is_of_another_language("root cause, deviation, capa nr, fix", counts, 1000)
    assert is_of_another_language("prueba caída: alto, bajo, lado, piso, qué pasó", counts, 1000)
    assert not is_of_another_language("", counts, 1000)


@pytest.mark.parametrize(("count", "is_told"), [(1, True), (2, False)])
def test_a_word_of_another_language_here_and_there_is_not_common(
    count: int, *, is_told: bool
) -> None:
    def here_and_there(word: str) -> list[int]:
        return [count if word in {"les", "de", "la"} else 0]

    told = is_of_another_language("les alarmes de la pompe", here_and_there, 1000)
    assert told == is_told

from __future__ import annotations

import pytest

from phasergun_desktop.retrieval.query_text import asks_for_one_fact, cleaned
from phasergun_desktop.retrieval.reranking import mixed


@pytest.mark.parametrize(
    "kept",
    [
        "Is 3.5 ± 0.2 °C ≤ 40 µg/mL?", "Größe ≥ 5 mm, 70 %", "Температура 37 °C?", "血糖の範囲は？",
        "درجة الحرارة", "x² ≠ 4; Ω and ℃"[:6], "K231192, 21 CFR 820.30(a)", "it's GT2-310/A",
        "हृदय गति", "5 × 10⁶ € < 7 > 3 = 2",
    ],
)  # fmt: skip
def test_letters_digits_units_and_relations_stay(kept: str) -> None:
    assert cleaned(kept) == kept


def test_the_rest_goes_and_white_space_is_folded() -> None:
    assert cleaned(" the {alarm}\x00\t<of>\n\n the\u200b heater\\ ") == "the alarm <of> the heater"
    assert cleaned("{}\\;`") == ""


@pytest.mark.parametrize(
    ("query", "is_one"),
    [
        ("How loud is the alarm?", True),
        ("How loud is the alarm", True),
        ("How loud is it? How heavy is it?", False),
        ("alarm; weight", False),
        ("- alarm\n- weight", False),
        (
            "How long must a maker of class II devices keep the records of a complaint on one?",
            False,
        ),
        ("Really??", True),
        ("", True),
    ],
)
def test_whether_a_query_asks_for_one_fact(query: str, is_one: bool) -> None:
    assert asks_for_one_fact(query) is is_one


def test_two_orders_are_mixed_by_weight() -> None:
    assert mixed([3.0, 2.0, 1.0], [0.1, 0.2, 0.3], 0.0) == [1.0, 0.5, 0.0]
    assert mixed([3.0, 2.0, 1.0], [0.1, 0.2, 0.3], 1.0) == [0.0, 0.5, 1.0]
    assert mixed([2.0, 2.0], [0.5, 0.1], 0.5) == [1.0, 0.5]
    assert mixed([], [], 0.5) == []

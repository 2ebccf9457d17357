"""The figures of the selector: what they say, and that a damaged file is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.features import NEED_FEATURES, UNIT_FEATURES
from phasergun_desktop.planning.selector import (
    SELECTOR_FILE,
    Logistic,
    Selector,
    load_selector,
)

SHIPPED = resources_path() / "models" / SELECTOR_FILE


def selector_of(
    clause: Logistic,
    *,
    asks_from: float = 0.0,
    answered_from: float = 0.0,
) -> Selector:
    return Selector("model", clause, clause, clause, asks_from, answered_from)


def test_what_covers_more_of_the_prompt_or_stands_in_its_document_is_more_probable() -> None:
    selector = load_selector(SHIPPED)
    for name in ("rarity", "coverage_of_prompt", "cosine_of_prompt", "document", "section"):
        rows = np.zeros((3, len(UNIT_FEATURES)))
        rows[:, UNIT_FEATURES.index(name)] = (-1.0, 0.0, 1.0)
        least, some, most = selector.unit.probabilities(rows)
        assert 0 < least < some < most < 1


def test_clauses_that_ask_for_nothing_are_told_by_their_vectors() -> None:
    selector = selector_of(Logistic(0.0, (4.0, -4.0)), asks_from=0.5)
    asks, remark = [1.0, 0.0], [0.0, 1.0]
    vectors = np.array([asks, remark, asks], np.float32)
    assert selector.asks(vectors, "model-int8:12ab") == [True, False, True]
    assert selector.asks(vectors[1:2], "model-int8:12ab") == [True]
    assert selector.asks(vectors, "another") == [True, True, True]
    doubtful = np.array([[0.05, 0.0], asks], np.float32)
    assert selector.asks(doubtful, "model") == [True, True]
    assert selector.clearly_asks(doubtful, "model") == [False, True]
    assert selector.clearly_asks(doubtful, "another") == [True, True]


def test_an_unknown_name_makes_an_answer_less_probable() -> None:
    need = load_selector(SHIPPED).need
    rows = np.zeros((2, len(NEED_FEATURES)))
    rows[1, NEED_FEATURES.index("unknown_name")] = 1.0
    known, unknown = need.probabilities(rows)
    assert unknown < known


def test_a_need_is_a_gap_by_itself() -> None:
    selector = selector_of(Logistic(0.0, (1.0,)), answered_from=0.1)
    chances = {"likely": 0.7, "doubtful": 0.2, "unlikely": 0.02}
    assert selector.answered(chances) == {"likely", "doubtful"}
    assert selector.answered({"unlikely": 0.02}) == frozenset()
    assert selector.answered({}) == frozenset()


def test_odds_beyond_measure_do_not_overflow() -> None:
    assert Logistic(0.0, (1e9,)).probabilities(np.array([[-1.0], [1.0]])).tolist() == [
        pytest.approx(0.0),
        pytest.approx(1.0),
    ]


@pytest.mark.parametrize("damage", ["", "{}", "feature", "absent"])
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / SELECTOR_FILE
    if damage == "feature":
        content = json.loads(SHIPPED.read_text("utf-8"))
        content["unit"]["weights"]["colour"] = 1.0
        path.write_text(json.dumps(content), "utf-8")
    elif damage != "absent":
        path.write_text(damage, "utf-8")
    with pytest.raises(ModelError):
        load_selector(path)

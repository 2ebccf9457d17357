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


def test_what_covers_more_of_the_need_is_more_probable() -> None:
    selector = load_selector(SHIPPED)
    rows = np.zeros((3, len(UNIT_FEATURES)))
    rows[:, UNIT_FEATURES.index("words")] = np.log1p(15)
    rows[:, UNIT_FEATURES.index("words_squared")] = np.log1p(15) ** 2
    rows[:, UNIT_FEATURES.index("coverage")] = (0.0, 0.4, 0.9)
    least, some, most = selector.unit.probabilities(rows)
    assert 0 < least < some < most < 1


def test_an_unknown_name_makes_an_answer_less_probable() -> None:
    need = load_selector(SHIPPED).need
    rows = np.zeros((2, len(NEED_FEATURES)))
    rows[1, NEED_FEATURES.index("unknown_name")] = 1.0
    known, unknown = need.probabilities(rows)
    assert unknown < known


def test_a_need_is_a_gap_by_itself_and_all_are_where_none_is_probable() -> None:
    only_first = Logistic(0.0, (1.0,))
    selector = Selector(only_first, only_first, answered_from=0.1, stated_from=0.3)
    chances = {"likely": 0.7, "doubtful": 0.2, "unlikely": 0.02}
    assert selector.answered(chances) == {"likely", "doubtful"}
    del chances["likely"]
    assert selector.answered(chances) == frozenset()
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

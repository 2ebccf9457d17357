"""A condition that a copied sentence leaves out is told; one said in another way is not."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.alignment import copied_sentence
from phasergun_desktop.grounding.dropped_conditions import dropped_conditions


def _dropped(sentence: str, source: str) -> list[str]:
    copy = copied_sentence(sentence, source)
    assert copy is not None
    return [problem.value for problem in dropped_conditions(sentence, copy.changes)]


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("The strip is used here only if the pouch is dry.", "only"),
        ("The strip is used here unless it is wet.", "unless"),
        ("The strip is used here, except in neonates.", "except"),
        ("The strip is used here, but only by adults.", "only"),
        ("Until it is opened, the strip is used here.", "until"),
    ],
)
def test_a_condition_left_out_is_told(source: str, word: str) -> None:
    assert _dropped("The strip is used here.", source) == [word]


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The strip is used here.", "The strip is used here by trained staff."),
        ("The strip is used here.", "The strip is used here, and if it is wet, another one."),
        ("The strip is used here.", "The strip is not only used here but also at home."),
        ("The strip is used here.", "The strip is used here, even if it is wet."),
        ("When dry, the strip is used here.", "The strip is used here only if it is dry."),
    ],
)
def test_a_shortened_sentence_is_left_alone(sentence: str, source: str) -> None:
    assert _dropped(sentence, source) == []

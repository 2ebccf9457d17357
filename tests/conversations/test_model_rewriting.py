"""A model makes a follow-up whole, in the words of the two questions and no others."""

from __future__ import annotations

import pytest

from phasergun_desktop.conversations.model_rewriting import rewritten_by_model
from tests.fakes.scripted_model import ScriptedModel

BEFORE = "What does the label say about latex?"


@pytest.mark.parametrize(
    ("reply", "taken"),
    [
        ("What does the IFU say about latex?", True),
        ("What does the IFU of the Calmera say about latex?", False),
        ("What does the label say about latex?", False),
        ("The IFU says nothing about latex.", False),
        ("", False),
    ],
)
def test_what_brings_words_or_loses_them_is_not_taken(reply: str, *, taken: bool) -> None:
    model = ScriptedModel([reply])
    made = rewritten_by_model(model, "and the IFU?", BEFORE, lambda: False)
    assert made == (reply if taken else "")
    (prompt,) = model.prompts
    assert BEFORE in prompt.task

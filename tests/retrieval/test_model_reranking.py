"""The language model as a reranker: grades in JSON, and what is said where there are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from phasergun_desktop.retrieval.model_reranking import LanguageModelReranker
from tests.fakes.scripted_model import ScriptedModel

QUERY = "At which temperature does the alarm sound?"
TEXTS = ["It weighs 3.2 kg.", "The alarm sounds at 42.5 °C.", "words " * 3000]


def _scores(reply: str, texts: list[str] = TEXTS) -> list[float]:
    return LanguageModelReranker(ScriptedModel([reply])).scores(QUERY, texts)


def test_grades_are_scores_in_the_order_of_the_passages() -> None:
    model = ScriptedModel(['{"grades": [0, 9, 3]}'])
    made = LanguageModelReranker(model).scores(QUERY, TEXTS)
    assert made == [0.0, 1.0, pytest.approx(1 / 3)]
    (prompt,) = model.prompts
    assert QUERY in prompt.task
    assert "2. The alarm sounds at 42.5 °C." in prompt.shared
    # What is too long is cut to its share of what a small model reads.
    assert 300 < len(prompt.shared.split()) <= 500
    assert LanguageModelReranker(model).scores(QUERY, []) == []


def test_twenty_passages_are_graded_at_most() -> None:
    grades = [at % 10 for at in range(20)]
    model = ScriptedModel([json.dumps({"grades": grades})])
    made = LanguageModelReranker(model).scores(QUERY, ["a text"] * 23)
    assert made == [*(grade / 9 for grade in grades), 0.0, 0.0, 0.0]
    assert "21." not in model.prompts[0].shared


@pytest.mark.parametrize(
    "reply",
    ["", "NOT FOUND", '{"grades": [1, 2]}', '{"grades": [1, 2, 3, 4]}', '{"grades": [1, 2, 10]}',
     '{"grades": [1, 2, -1]}', '{"grades": [1, 2, true]}', '{"grades": "123"}', '{"grade": [1]}',
     "[1, 2, 3]", '{"grades": [1, 2, 3', '{"grades": [1, 2, 2.5]}'],
)  # fmt: skip
def test_what_is_no_list_of_grades_is_told(reply: str) -> None:
    with pytest.raises(ModelError, match="did not grade") as caught:
        _scores(reply)
    assert "Settings" in caught.value.remedy


def test_a_stop_is_passed_on() -> None:
    model = ScriptedModel(['{"grades": [1, 2, 3]}'])
    with pytest.raises(Cancelled):
        LanguageModelReranker(model).scores(QUERY, TEXTS, lambda: True)


class _Heard(LlamaModel):
    """A real model that keeps what it said."""

    said = ""

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """As it does."""
        for piece in super().generate(prompt, settings, metrics, should_stop):
            self.said += piece
            yield piece


def test_the_grammar_makes_a_real_model_grade_every_passage(smollm2_path: Path) -> None:
    model = _Heard(LlamaSettings(smollm2_path, "small", "0" * 64, 1024, 2))
    try:
        texts = [*TEXTS[:2], "An alarm is a sound.", 'A "quoted" line\nand a second one.']
        made = LanguageModelReranker(model).scores(QUERY, texts)
        grades = json.loads(model.said)["grades"]
        assert made == [grade / 9 for grade in grades]
        assert len(made) == len(texts)
    finally:
        model.close()

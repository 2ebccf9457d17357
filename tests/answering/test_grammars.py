"""The forms that the real llama.cpp holds a model to; what is said in them is checked elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.answering.writing.grammars import pair_grammar
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from phasergun_desktop.language_models.protocol import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)

_PASSAGE = 'The pump is powered by a "lithium" cell of 800 mAh. It weighs 2.4 kg.'


@pytest.fixture(scope="module")
def model(smollm2_path: Path) -> Iterator[LlamaModel]:
    loaded = LlamaModel(LlamaSettings(smollm2_path, "small", "digest", 2048))
    yield loaded
    loaded.close()


def _line(model: LlamaModel, task: str, grammar: str, tokens: int = 60) -> str:
    settings = GenerationSettings(tokens, stop=("\n",), grammar=grammar)
    prompt = ModelPrompt("Copy facts.", _PASSAGE, task)
    pieces = model.generate(prompt, settings, GenerationMetrics(), lambda: False)
    return "".join(pieces)


@pytest.mark.parametrize("answer", ["800 mAh", 'Basic, as in "level 1"', "Yes. It is §5 (a) \\ b"])
def test_a_sentence_holds_the_answer_word_for_word(model: LlamaModel, answer: str) -> None:
    task = "Write one sentence on the power source."
    text = _line(model, task, pair_grammar(answer), tokens=160)
    assert answer.rstrip(".") in text


def test_words_with_line_breaks_are_one_line_in_the_form() -> None:
    assert '"two words"' in pair_grammar("two\n  words.")

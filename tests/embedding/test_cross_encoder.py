"""The bundled cross-encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding.cross_encoder import CrossEncoder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path

MODELS = resources_path() / "models"
FILE, TOKENIZER = MODELS / "cross-encoder-int8.onnx", MODELS / "tokenizer.json"
QUESTION = "How long does the pump run on a new battery?"
TEXTS = [
    "TR 12 Endurance test : 4 Results : A new battery ran the pump for 11.4 hours at 5 mL/h.",
    "TR 12 Endurance test : 1 Purpose : This report describes the endurance test of the battery.",
    "SOP 3 Document control : 2 Scope : Records are kept for five years after the last sale.",
    "",
]


@pytest.fixture
def model() -> Iterator[CrossEncoder]:
    made = CrossEncoder(FILE, TOKENIZER)
    yield made
    made.close()


def test_what_answers_comes_before_what_speaks_of_the_same(model: CrossEncoder) -> None:
    answers = model.logits(QUESTION, TEXTS)[:, 0]
    assert int(answers.argmax()) == 0
    assert answers[0] > 0.0 > answers[1:].max()


def test_logits_depend_on_the_pair_alone(model: CrossEncoder) -> None:
    together = model.logits(QUESTION, TEXTS)
    alone = np.concatenate([model.logits(QUESTION, [text]) for text in TEXTS])
    assert together.shape == (4, 2)
    assert np.array_equal(together, alone)
    assert np.array_equal(model.logits(QUESTION, TEXTS[::-1]), together[::-1])
    assert model.logits(QUESTION, []).shape == (0, 2)


def test_pieces_beyond_what_it_was_trained_with_are_not_read(model: CrossEncoder) -> None:
    long = " ".join(["pump"] * 200)
    one, other = model.logits(QUESTION, [long, f"{long} The battery lasts for 11 hours."])
    assert np.array_equal(one, other)


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_missing_or_damaged_file_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "cross-encoder.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=r"cross-encoder\.onnx"):
        CrossEncoder(path, TOKENIZER).logits(QUESTION, TEXTS)

"""The bundled cross-encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from phasergun_desktop.embedding.cross_encoder import CrossEncoder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path

MODELS = resources_path() / "models"
FILE, TOKENIZER = MODELS / "cross-encoder-int8.onnx", MODELS / "tokenizer.json"
Reading = Callable[[CrossEncoder, str, Sequence[str]], NDArray[np.float64]]
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
    answers = model.answering(QUESTION, TEXTS)
    assert int(answers.argmax()) == 0
    assert answers[0] > 0.0 > answers[1:].max()


@pytest.mark.parametrize(
    "read_with", [CrossEncoder.answering, CrossEncoder.belonging, CrossEncoder.stating]
)
def test_odds_depend_on_the_pair_alone(model: CrossEncoder, read_with: Reading) -> None:
    together = read_with(model, QUESTION, TEXTS)
    alone = np.concatenate([read_with(model, QUESTION, [text]) for text in TEXTS])
    assert together.shape == (4,)
    assert np.array_equal(together, alone)
    assert np.array_equal(read_with(model, QUESTION, TEXTS[::-1]), together[::-1])
    assert read_with(model, QUESTION, []).shape == (0,)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "Who is the manufacturer?",
            "Project Master Record : Manufacturer: Tarnbeck Medical",
            "Project Master Record : Device Name: Vital Pulse 1",
        ),
        ("How heavy is it?", "The handpiece weighs 52 g.", "The pack holds 52 pieces."),
        (
            "From what height was it dropped?",
            "Each unit was dropped from 1 m onto hardwood.",
            "Two units showed a scratch of 4 mm on the rear shell.",
        ),
    ],
)
def test_plain_questions_find_their_answer(
    model: CrossEncoder, question: str, answer: str, other: str
) -> None:
    right, wrong = model.answering(question, [answer, other])
    # Before plain questions were learnt it was at most 4.6.
    assert right > wrong + 5.0


def test_pieces_beyond_what_it_was_trained_with_are_not_read(model: CrossEncoder) -> None:
    long = " ".join(["pump"] * 200)
    one, other = model.answering(QUESTION, [long, f"{long} The battery lasts for 11 hours."])
    assert np.array_equal(one, other)


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_missing_or_damaged_file_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "cross-encoder.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=r"cross-encoder\.onnx"):
        CrossEncoder(path, TOKENIZER).answering(QUESTION, TEXTS)

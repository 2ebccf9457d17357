"""The bundled cross-encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding.cross_encoder import (
    PIECES,
    QUERY_PIECES,
    CrossEncoder,
    Pieces,
    UnitRun,
)
from phasergun_desktop.embedding.onnx_files import whole_tokenizer
from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path

MODELS = resources_path() / "models"
FILE, TOKENIZER = MODELS / "cross-encoder-int8.onnx", MODELS / "tokenizer.json"
PROMPT = "How long the pump runs on a battery."
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
    # What has no words, which no unit is, stands for nothing.
    answers = model.answering(QUESTION, list(filter(None, TEXTS)))
    assert int(answers.argmax()) == 0
    assert answers[0] > 0.0 > answers[1:].max()


def test_the_last_cell_of_a_wide_row_is_read(model: CrossEncoder) -> None:
    columns = ("Inner diameter", "Outer diameter", "Flange diameter", "Wall", "Colour", "Material")
    cells = [f"{name} (mm): {at}.25 to {at}.75" for at, name in enumerate(columns, 1)]
    rows = [
        " | ".join(["Sizes : Catalogue number: T-130", *cells, f"{last}: 12.0"])
        for last in ("Length (mm)", "Mass (g)")
    ]
    length, mass = model.answering("What is the length of the T-130?", rows)
    assert length > mass + 2.0


def test_odds_depend_on_the_pair_alone(model: CrossEncoder) -> None:
    together = model.answering(QUESTION, TEXTS)
    alone = np.concatenate([model.answering(QUESTION, [text]) for text in TEXTS])
    assert together.shape == (4,)
    assert np.array_equal(together, alone)
    assert np.array_equal(model.answering(QUESTION, TEXTS[::-1]), together[::-1])
    assert model.answering(QUESTION, []).shape == (0,)


def test_odds_of_units_depend_on_those_beside_them_and_on_no_other_run(model: CrossEncoder) -> None:
    runs = [UnitRun("Endurance test", (("Results", each),)) for each in TEXTS[:3]]
    together = model.belonging(PROMPT, runs)
    assert together.shape == (3,)
    alone = np.concatenate([model.belonging(PROMPT, [run]) for run in runs])
    assert np.array_equal(together, alone)
    in_a_row = UnitRun("Endurance test", tuple(unit for run in runs for unit in run.units))
    assert not np.array_equal(model.belonging(PROMPT, [in_a_row]), together)
    assert model.belonging(PROMPT, []).shape == (0,)


def test_what_belongs_is_told_from_what_stands_beside_it(model: CrossEncoder) -> None:
    # By itself the second one says of nothing that it was tested.
    said = ("The pump was dropped from 1 m onto concrete.", "It ran on without a fault.")
    other = "Visitors may park behind the building."
    run = UnitRun("TR 9 Drop test", tuple(("Results", text) for text in (*said, other)))
    first, second, last = model.belonging("Summarise the drop test of the pump.", [run])
    assert min(first, second) > max(0.0, last + 1.0)


def test_units_are_read_in_windows_that_the_network_can_hold() -> None:
    pieces = Pieces(whole_tokenizer(TOKENIZER))
    long = " ".join(["pump"] * 300)
    units = (("A", "Short."), ("A", long), ("B", "Short too."), ("", long), ("B", long))
    windows = list(pieces.windows(UnitRun(long, units)))
    assert sum(len(window.spans) for window in windows) == len(units)
    for window in windows:
        assert QUERY_PIECES + 2 + len(window.pieces) <= PIECES
        assert all(window.pieces[end - 1] == pieces.behind for _, end in window.spans)
    # What stands above several is read once, and again in another window.
    (window,) = pieces.windows(UnitRun("T", (("Above", "One."), ("Above", "Two."))))
    assert window.pieces.count(pieces.of("above", 1)[0]) == 1
    parted = list(pieces.windows(UnitRun("T", (("Above", "One."), ("Above", "Two."))), 6))
    assert [len(each.spans) for each in parted] == [1, 1]
    assert all(pieces.of("above", 1)[0] in each.pieces for each in parted)


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

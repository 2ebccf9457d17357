"""Statements read together with their evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.judge import Evidence, EvidenceText, Judge, load_judge
from phasergun_desktop.grounding.model import ProblemCode, Support
from phasergun_desktop.grounding.statement_reading import StatementReader, source_text
from phasergun_desktop.paths import resources_path
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder

SOURCE = "The second sensor drives the cut-off, which opens the valve at 300 mmHg."


@dataclass
class CountedModel:
    """Says the same of everything, or fails; keeps what it was given."""

    error: ModelError | None = None
    read: list[tuple[str, str]] = field(default_factory=list)

    def carrying(self, statement: str, text: str) -> float:
        self.read.append((statement, text))
        if self.error:
            raise self.error
        return 1.5


def test_a_heading_is_said_once_for_what_stands_below_it() -> None:
    pieces = [("Report 4 Results", "It passed"), ("Report 4 Results", "n = 3."), ("", "Why?")]
    assert source_text(pieces) == "Report 4 Results: It passed.\nn = 3.\nWhy?"


def test_a_statement_is_read_once_and_a_copy_never() -> None:
    model = CountedModel()
    reader = StatementReader(model)
    pieces = [("Safety", SOURCE)]
    assert reader.odds("the second  sensor drives the cut-off", pieces) is None
    assert not model.read
    for _ in range(2):
        assert reader.odds("A second sensor opens the valve.", pieces, "Pump 4") == 1.5
    assert model.read == [("A second sensor opens the valve.", f"Pump 4 Safety: {SOURCE}")]


def test_without_the_model_nothing_is_said() -> None:
    reader = StatementReader(CountedModel(ModelError("It is damaged.", "Install it again.")))
    assert reader.odds("A second sensor opens it.", [("", SOURCE)]) is None


def test_what_is_longer_than_the_model_reads_is_left_to_the_other_checks() -> None:
    assert bundled_cross_encoder().carrying("The valve opens.", SOURCE * 5) is not None
    assert bundled_cross_encoder().carrying("The valve opens.", SOURCE * 40) is None


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    models = resources_path() / "models"
    embedder = OnnxEmbedder(models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json")
    yield load_judge(embedder, bundled_cross_encoder())
    embedder.close()


@pytest.mark.parametrize(
    ("statement", "is_carried"),
    [
        ("At 300 mmHg the valve is opened by the cut-off, which a second sensor drives.", True),
        ("The cut-off is driven by a second sensor and opens the valve at 300 mmHg.", True),
        ("Because users asked for it, the cut-off opens the valve at 300 mmHg.", False),
        ("The cut-off opens the valve at 300 mmHg only while a patient is connected.", False),
        ("The cut-off was shown to open the valve at 300 mmHg in all pumps tested.", False),
    ],
)
def test_what_words_and_values_do_not_tell_is_read(
    judge: Judge, statement: str, is_carried: bool
) -> None:
    found = judge.judge(statement, Evidence((EvidenceText(SOURCE, "Pump Safety"),)))
    assert (found.support is Support.SUPPORTED) == is_carried
    told = [
        (each.code, each.message.startswith("The cited passage says")) for each in found.problems
    ]
    assert told == ([] if is_carried else [(ProblemCode.NO_SOURCE, True)])

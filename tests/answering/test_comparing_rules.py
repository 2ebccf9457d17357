"""Which device a value belongs to, which attribute it is of, and whether two values agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.answering.comparing.comparison import (
    Cell,
    bound_cell,
    differs,
    same_value,
)
from phasergun_desktop.answering.comparing.counterpart import counterpart
from phasergun_desktop.answering.comparing.devices import is_named_in, named_devices
from phasergun_desktop.answering.comparing.slots import stated_in, states_value
from phasergun_desktop.answering.comparing.stated_values import stated_value
from phasergun_desktop.answering.model import PointKind
from phasergun_desktop.answering.writing.verbatim import word_for_word
from phasergun_desktop.documents.model import Block, BlockKind, LineLocator
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.language_models.protocol import ModelPrompt
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import ReferenceKind, ResolvedReference, SourceValue
from phasergun_desktop.retrieval.model import Passage, SearchScope
from tests.answering.conftest import PREDICATE, REPORT, Desk
from tests.answering.test_devices import _Documents
from tests.fakes.fake_documents import fake_document


def _span(
    text: str,
    kind: BlockKind = BlockKind.PARAGRAPH,
    cells: tuple[tuple[str, str], ...] = (),
    context: str = "",
) -> CandidateSpan:
    passage = Passage(1, "a.md", "", "a", Layer.ONGOING, ChunkId("c"), 0, len(text), text, (), 1.0)
    block = Block(0, kind, 0, len(text), LineLocator(1), cells=cells)
    return CandidateSpan(passage, block, 0, len(text), text, context)


def _field(name: str, value: str) -> ResolvedReference:
    return ResolvedReference(
        ReferenceKind.MASTER_RECORD,
        f"[Master Record|{name}]",
        0,
        0,
        name,
        value=SourceValue(value, REPORT, 0, len(value)),
    )


def test_a_device_is_compared_once_and_its_class_is_none() -> None:
    fields = [
        _field("Device Name", "Heater H1"),
        _field("Device Class", "Class II"),
        _field("Device Name", "Heater H1"),
        _field("Manufacturer Name", "Warm Ltd"),
        _field("Predicate Device", "K111222"),
    ]
    named = [each.value.text for each in named_devices(fields) if each.value is not None]
    assert named == ["Heater H1", "K111222"]


def test_a_name_inside_another_is_not_it() -> None:
    assert is_named_in("G2", "The G2 meter")
    assert not is_named_in("G2", "The G20 meter")


def test_a_study_called_a_comparison_compares_no_devices(desk: Desk) -> None:
    plan = desk.plan(
        "Write the Clinical section for [Master Record|Device Name]: method comparison, and alarm."
    )
    assert {point.kind for point in plan.points} == {PointKind.DESCRIBE}
    ordered = desk.plan("Compare [Master Record|Device Name] with K111222. Cover alarm.")
    assert PointKind.COMPARE in {point.kind for point in ordered.points}


def test_where_values_differ_is_no_question_of_its_own(desk: Desk) -> None:
    plan = desk.plan(
        "Compare [Master Record|Device Name] with [Master Record|Predicate Device]. Cover alarm."
        " State where the claims agree and where the test conditions differ."
    )
    assert {point.kind for point in plan.points} == {PointKind.COMPARE}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Not for use in neonates", "For use in neonates"),
        ("≥ 95 %", "≤ 95 %"),
        ("more than 5 seconds", "5 seconds"),
    ],
)
def test_opposite_values_are_not_the_same(left: str, right: str) -> None:
    assert not same_value(left, right)


def test_equal_values_are_the_same_and_other_bounds_differ() -> None:
    assert same_value("Fresh capillary whole blood", "Fresh capillary wholeblood")
    assert differs("≥ 95 %", "≤ 95 %")
    assert not differs("20 to 600 mg/dL", "20 - 600 mg/dL")


def test_a_denied_clause_is_no_counterpart() -> None:
    example = "glucose dehydrogenase (GDH-FAD)"
    denied = _span("The strip does not contain glucose dehydrogenase; it uses glucose oxidase.")
    found = counterpart(example, [denied])
    assert found is None or "dehydrogenase" not in found.text
    stated = counterpart(example, [_span("The strip contains glucose dehydrogenase.")])
    assert stated is not None
    assert stated.text == "glucose dehydrogenase"


def test_a_number_of_another_attribute_is_marked() -> None:
    row = _span(
        "Measuring range: 20 - 600 mg/dL",
        BlockKind.TABLE_ROW,
        (("", "Measuring range"), ("H1", "20 - 600 mg/dL")),
    )
    right = bound_cell(Cell("measuring range", "H1", "20 - 600 mg/dL"), word_for_word(row))
    wrong = bound_cell(Cell("hematocrit range", "H1", "20 - 600 mg/dL"), word_for_word(row))
    assert right.binding is not None
    assert wrong.binding is not None
    assert (right.binding.support, wrong.binding.support) == (Support.SUPPORTED, Support.PARTLY)
    assert "hematocrit range" in wrong.binding.problems[0].message
    words = bound_cell(Cell("sample type", "H1", "whole blood"), word_for_word(row))
    assert words.binding is not None
    assert words.binding.problems == ()


def test_the_column_of_the_device_itself_is_read() -> None:
    cells = (("", "Test time"), ("Contour Next One", "8 s"), ("Contour Next", "5 s"))
    text = "Test time; Contour Next One: 8 s; Contour Next: 5 s"
    parsed = fake_document([text])
    block = replace(parsed.blocks[0], kind=BlockKind.TABLE_ROW, cells=cells)
    documents = _Documents({"Context/Predicates/K1.md": replace(parsed, blocks=(block,))})
    scope = SearchScope(layers=frozenset(), files=frozenset({"Context/Predicates/K1.md"}))
    value = stated_value("test time", "Contour Next", scope, documents, is_subject=False)
    assert value is not None
    assert value.text == "5 s"


def test_an_answer_on_the_predicate_is_the_predicates(desk: Desk) -> None:
    desk.project.write(
        "Bootstrap/answers.md",
        "# Questions and answers\n\nQ: What is the alarm of the predicate?\n\nA: 80 dB\n",
    )
    desk = Desk(desk.project)
    plan = desk.plan(
        "Using [Bootstrap|answers], compare [Master Record|Device Name] with "
        "[Master Record|Predicate Device]. Cover alarm."
    )
    answered = [point.device for point in plan.points if point.pairs]
    assert answered == ["K111222"]


@pytest.mark.parametrize(
    ("value", "text", "is_stated"),
    [
        ("5 s", "The result appears after 5 s.", True),
        ("5 s", "The result appears after 15 s.", False),
        ("5 s", "The result appears after 1.5 s.", False),
        ("95 %", "At least 95 % of the results.", False),
        ("20%", "The range is 20% to 70%.", False),
        ("70 %", "The range is 20 to 70 %.", False),
        ("20 to 70 %", "The range is 20 to 70 %.", True),
        ("4G", "Data Transmission; K243060: 4G; K233058: Same", True),
        ("4G", "It has 14G of memory.", False),
        ("input charge voltage", "5V inputcharge voltage", True),
        ("for use in neonates", "Not for use in neonates", False),
        ("20%", "It was adjusted to levels of 20% , 25% , and 70% .", False),
        ("20%", "It was adjusted to 20% and 25%.", False),
        ("70%", "It was adjusted to 20% and 70%.", True),
        ("0.8 µL", "It needs 0.8 µL, 5 seconds and a strip.", True),
    ],
)
def test_a_value_stands_as_it_is_or_not_at_all(value: str, text: str, is_stated: bool) -> None:
    assert states_value(value, text) is is_stated


def test_a_row_states_its_cells_and_not_its_headers() -> None:
    cells = (("Dimensions", "Dimensions"), ("Height: 18.6 inches", "Width: 12.9 inches"))
    text = "Dimensions: Dimensions; Height: 18.6 inches: Width: 12.9 inches"
    row = _span(text, BlockKind.TABLE_ROW, cells)
    assert states_value("12.9 inches", stated_in(row))
    assert not states_value("18.6 inches", stated_in(row))
    assert stated_in(_span("It is 18.6 inches high.")) == "It is 18.6 inches high."


def test_of_two_long_sentences_nothing_is_said_to_differ(desk: Desk) -> None:
    long = "The {0} was heard by {1} persons who had been asked to come into the ward at night."
    desk.project.write(REPORT, f"# Report\n\n## Alarm\n\n{long.format('alarm', 12)}\n")
    desk.project.write(PREDICATE, f"# K111222\n\n## Alarm\n\n{long.format('alarm', 19)}\n")
    prompt = (
        "Compare [Master Record|Device Name] with [Master Record|Predicate Device]. Cover alarm."
    )

    def value(prompt: ModelPrompt) -> str:
        number = 12 if "12 persons" in prompt.shared else 19
        return long.format("alarm", number)

    text = Desk(desk.project).write(prompt, value).result.text
    assert "12 persons" in text
    assert "19 persons" in text
    assert "differ" not in text

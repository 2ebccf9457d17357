from __future__ import annotations

import time

import pytest

from phasergun_desktop.answering.model import PointKind
from phasergun_desktop.answering.outlines.outline import MOST_POINTS, Outline, outline_of
from phasergun_desktop.references.resolver import PromptResolver
from tests.answering.conftest import PREDICATE, REPORT, Desk
from tests.fakes.fake_documents import FakeDocuments


def _kinds(desk: Desk, prompt: str) -> list[PointKind]:
    return [point.kind for point in desk.plan(prompt).points]


def test_a_section_goes_point_by_point(desk: Desk) -> None:
    plan = desk.plan("Write the Device Description section for H1: alarm, weight and display.")
    assert plan.title == "Device Description"
    assert [point.kind for point in plan.points] == [PointKind.DESCRIBE] * 3
    assert [point.instruction for point in plan.points] == ["alarm", "weight", "display"]


def test_several_sections_are_headings(desk: Desk) -> None:
    plan = desk.plan("Write the Purpose, Scope and Approval sections of the heater plan.")
    assert [point.heading for point in plan.points] == ["Purpose", "Scope", "Approval"]


def test_a_question_asks_for_a_value(desk: Desk) -> None:
    assert _kinds(desk, "How heavy is the heater?") == [PointKind.VALUE]
    assert _kinds(desk, "State the weight and the alarm temperature.") == [PointKind.VALUE] * 2


def test_a_sentence_on_how_to_write_asks_for_nothing(desk: Desk) -> None:
    alone = desk.plan("Write the Description section: alarm, weight.")
    told = desk.plan("Write the Description section: alarm, weight. State differences plainly.")
    assert len(told.points) == len(alone.points)


def test_a_field_is_used_word_for_word(desk: Desk) -> None:
    plan = desk.plan("State the device name: [Master Record|Device Name].")
    [point] = plan.points
    assert point.kind is PointKind.VERBATIM
    assert point.value is not None
    assert point.value.text == "Heater H1"


def test_a_comparison_asks_each_device_for_each_attribute(desk: Desk) -> None:
    plan = desk.plan(
        "Compare [Master Record|Device Name] with [Master Record|Predicate Device]. "
        "Cover alarm and weight."
    )
    asked = [(point.attribute, point.device) for point in plan.points]
    assert asked == [
        ("alarm", "Heater H1"), ("alarm", "K111222"),
        ("weight", "Heater H1"), ("weight", "K111222"),
    ]  # fmt: skip
    for point in plan.points:
        files = {passage.file for passage in point.passages}
        if point.device == "K111222":
            assert files <= {PREDICATE}
        else:
            assert PREDICATE not in files


def test_a_plan_reads_only_what_the_prompt_allows(desk: Desk) -> None:
    files = {passage.file for passage in desk.plan("How much does the heater weigh?").passages}
    assert REPORT in files
    assert "Context/General/note.md" not in files


def test_a_blocked_prompt_has_no_points(desk: Desk) -> None:
    plan = desk.plan("Describe [Context|Initiation|absent.docx]. How heavy is the heater?")
    assert plan.is_blocked
    assert plan.points == ()


FRENCH = (
    "Décrivez le principe de l'appareil et les composants.\nIndiquez la durée de vie:\n"
    "- des bandelettes\n- de la batterie"
)


def _outline(prompt: str) -> Outline:
    return outline_of(PromptResolver(FakeDocuments({})).resolve(prompt))


def _asked(prompt: str) -> list[str]:
    return [point.attribute or point.instruction for point in _outline(prompt).points]


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Write the Alarm section. Include:\n- sound level\n- colour\n1. duration",
         ["sound level", "colour", "duration"]),
        ("Describe the heater. Cover:\n\n* weight;\n* stand.", ["weight", "stand"]),
        ("Describe the alarm, weight and display of the heater.",
         ["the alarm of the heater", "weight of the heater", "display of the heater"]),
        ("Describe the alarm and the display.", ["the alarm", "the display"]),
        ("Describe the design and development plan.", ["design and development plan"]),
        ("Describe the alarm and its limits.", ["alarm and its limits"]),
        ("Describe the heater, which weighs 3 kg, in plain words.",
         ["heater, which weighs 3 kg, in plain words"]),
        ("Summarize the alarm. Explain the display.", ["alarm", "display"]),
        ("Please could you describe the alarm?", ["alarm"]),
        ("I need a short summary of the alarm test.", ["alarm test"]),
        ("Write a paragraph on the alarm.", ["alarm"]),
        ("You are a writer. The firm makes heaters. Describe the alarm.", ["alarm"]),
        ("Describe the alarm and list the spare parts.", ["alarm", "the spare parts"]),
        ("The section should cover the alarm, the stand and the display.",
         ["the alarm", "the stand", "the display"]),
        ("Include (1) alarm, (2) weight and (3) display.", ["alarm", "weight", "display"]),
        ("Cover: intended use; technology; range.", ["intended use", "technology", "range"]),
        ("Do not include:\n- prices\n- names\nDescribe the alarm.", ["alarm"]),
        ("Explain:\n- why the range changed\n- Describe the stand", ["why the range changed",
                                                                    "stand"]),
    ],
)  # fmt: skip
def test_prompts_of_many_shapes(prompt: str, asked: list[str]) -> None:
    assert _asked(prompt) == asked
    assert not [point.heading for point in _outline(prompt).points if point.heading]


def test_remarks_on_form_ask_for_nothing() -> None:
    for remark in ("Use a table.", "No more than 200 words.", "Use bullet points."):
        [point] = _outline(f"Describe the alarm. {remark}").points
        assert point.query == "alarm"
        assert remark in point.instruction


def test_a_prompt_of_remarks_alone_still_asks_for_something() -> None:
    assert _asked("List of abbreviations") == ["List of abbreviations"]


def test_headings_that_the_prompt_gives_are_used_and_no_others() -> None:
    outline = _outline(
        "# Device Description\n\n## Principle\nDescribe how it works.\n\n"
        "## Parts\n- meter\n- strip\n\n## Packaging\n"
    )
    assert outline.title == "Device Description"
    assert [point.heading for point in outline.points] == ["Principle", "Parts", "", "Packaging"]
    assert outline.points[0].query == "Principle: how it works"
    assert outline.points[3].instruction == "Packaging"


def test_headings_that_order_the_prompt_are_not_the_sections() -> None:
    outline = _outline("## Task\nDescribe the alarm.\n## Output format\nUse a table.")
    assert [(point.heading, point.query) for point in outline.points] == [("", "alarm")]
    assert outline.title == ""


@pytest.mark.parametrize(
    "prompt",
    ["Write a short summary of the alarm.", "Draft an executive summary.", "Write one paragraph."],
)
def test_a_length_is_no_heading(prompt: str) -> None:
    assert _outline(prompt).title == ""


def test_questions_are_parted_and_ask_for_values() -> None:
    outline = _outline("What is the range? How is it calibrated, and who approves the lots?")
    assert [point.kind for point in outline.points] == [PointKind.VALUE] * 3
    assert outline.points[2].instruction == "Who approves the lots?"
    [point] = _outline("Is action A-17 still open?").points
    assert point.kind is PointKind.VALUE


def test_listed_questions_are_questions() -> None:
    outline = _outline("Answer these questions:\n1. What is the range?\n2. Is it sterile?\n3. Mass")
    assert [point.kind for point in outline.points] == [PointKind.VALUE] * 3


def test_a_list_under_a_comparison_names_attributes() -> None:
    outline = _outline("Compare the device with its predicate. Cover:\n- weight\n- alarm")
    assert [point.attribute for point in outline.points] == ["weight", "alarm"]


def test_a_comparison_with_a_limit_compares_no_devices() -> None:
    [point] = _outline("Describe how the results compare with the acceptance limit.").points
    assert point.kind is PointKind.DESCRIBE


@pytest.mark.parametrize(
    ("prompt", "count"),
    [
        ("描述设备的工作原理。列出所有部件及其编号。说明保质期。", 3),
        ("Beschreiben Sie das Prinzip und die Teile mit den Nummern. Nennen Sie das Gewicht.", 2),
        (FRENCH, 3),
    ],
)  # fmt: skip
def test_another_language_is_one_point_for_each_sentence(prompt: str, count: int) -> None:
    points = _outline(prompt).points
    assert [point.kind for point in points] == [PointKind.DESCRIBE] * count
    for point in points:
        assert point.instruction in prompt


def test_a_long_prompt_has_a_bounded_outline_that_names_what_it_left_out() -> None:
    long = "\n\n".join(
        f"Describe part {number} of the heater. " + "It is used at home. " * 20
        for number in range(90)
    )
    started = time.perf_counter()
    outline = _outline(long)
    assert time.perf_counter() - started < 2
    assert len(outline.points) == MOST_POINTS
    assert len(outline.left_out) == 90 - MOST_POINTS
    assert "part 24" in outline.left_out[0]


def test_what_a_plan_leaves_out_is_said(desk: Desk) -> None:
    plan = desk.plan(" ".join(f"Describe part {number}." for number in range(40)))
    [problem] = [each for each in plan.problems if each.code == "outline_cut"]
    assert "part 24" in problem.message
    assert not plan.is_blocked


def test_a_comparison_without_devices_takes_those_of_the_master_record(desk: Desk) -> None:
    plan = desk.plan("Compare the device with its predicate. Cover alarm.")
    assert [(p.attribute, p.device) for p in plan.points] == [
        ("alarm", "Heater H1"), ("alarm", "K111222"),
    ]  # fmt: skip


def test_what_is_not_compared_is_still_written(desk: Desk) -> None:
    plan = desk.plan("Describe the weight of the heater. Compare the devices. Cover alarm.")
    assert [point.kind for point in plan.points] == [
        PointKind.DESCRIBE, PointKind.COMPARE, PointKind.COMPARE,
    ]  # fmt: skip

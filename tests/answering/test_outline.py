from __future__ import annotations

from phasergun_desktop.answering.model import PointKind
from tests.answering.conftest import PREDICATE, REPORT, Desk


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

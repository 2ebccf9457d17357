"""What a template makes of a project, with a prompt beside it and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.planning.selector import SELECTOR_FILE, load_selector
from phasergun_desktop.planning.template_needs import template_request
from phasergun_desktop.profiles.section_template import (
    ItemKind,
    ItemSubject,
    SectionTemplate,
    TemplateFamily,
    TemplateItem,
)
from phasergun_desktop.projects.layers import PROCEDURES
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.desk import PREDICATE, REPORT, Desk
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.small_project import SmallProject

ALARM = TemplateItem("Alarm", "alarm of the heater", is_required=True, helps="a test report")
STERILE = TemplateItem("Sterility", "sterilization method", is_required=True, helps="a report")
NAME = TemplateItem("Name", "name of the device", ItemKind.VALUE, fields=("Device Name",))
PREDICATES = ItemSubject.PREDICATE
COMPARED = TemplateItem(
    "Comparison", "comparison", ItemKind.COMPARE, attributes=("alarm", "materials")
)


def template(*items: TemplateItem) -> SectionTemplate:
    return SectionTemplate("t", "Alarm Report", TemplateFamily.SUBMISSION, "", 400, items)


def files(point: PlannedPoint) -> set[str]:
    return {passage.file for passage in point.passages}


def codes(plan: Plan) -> list[str]:
    return [problem.code for problem in plan.problems]


def test_a_template_is_planned_from_the_whole_project(desk: Desk) -> None:
    plan = desk.plan("", template(ALARM, NAME))
    assert not plan.is_blocked
    assert (plan.title, plan.template, plan.maximum_words) == ("Alarm Report", "t", 400)
    alarm, name = plan.points
    assert (alarm.kind, alarm.heading, alarm.is_required) == (PointKind.DESCRIBE, "Alarm", True)
    assert REPORT in files(alarm)
    assert name.kind is PointKind.VERBATIM
    assert name.value is not None
    assert name.value.text == "Heater H1"
    assert name.instruction == "Device Name:"
    assert [(need.need.need_id, need.need.heading) for need in plan.needs] == [
        ("t1", "Alarm"),
        ("t2", "Name"),
    ]


def test_an_empty_prompt_alone_is_blocked(desk: Desk) -> None:
    assert desk.plan("").is_blocked


def test_a_predicates_facts_are_none_of_the_device(desk: Desk) -> None:
    text = "The alarm of the warmer sounds at 81 dB. The lid is red and has two hinges."
    desk.project.write(PREDICATE, f"# K111222\n\n{text}\n")
    items = template(ALARM, replace(ALARM, ask="alarm", subject=PREDICATES))
    plan = Desk(desk.project).plan("", items)
    own, others = plan.points
    assert PREDICATE not in files(own)
    assert files(others) == {PREDICATE}


def test_what_nothing_speaks_of_is_a_gap_that_is_told(desk: Desk) -> None:
    # The project has no procedures.
    plan = desk.plan("", template(ALARM, replace(STERILE, subject=ItemSubject.PROCESS)))
    assert plan.points[1].passages == ()
    [problem] = plan.problems
    assert problem.code == "required_item_missing"
    assert "Sterility" in problem.message
    assert "a report" in problem.remedy


def test_an_item_that_is_not_required_is_missed_in_silence(desk: Desk) -> None:
    item = replace(STERILE, subject=ItemSubject.PROCESS, is_required=False)
    plan = desk.plan("", template(ALARM, item))
    assert plan.points[1].passages == ()
    assert codes(plan) == []


def test_devices_to_compare_come_from_the_master_record(desk: Desk) -> None:
    plan = desk.plan("", template(NAME, COMPARED))
    compared = [point for point in plan.points if point.kind is PointKind.COMPARE]
    assert {point.device for point in compared} == {"Heater H1", "K111222"}
    assert [point.heading for point in compared if point.heading] == ["Comparison"]
    assert {"alarm", "materials"} <= {point.attribute for point in compared}
    for point in compared:
        if point.device == "K111222":
            assert files(point) <= {PREDICATE}
        else:
            assert PREDICATE not in files(point)
    assert [each.text for each in plan.references] == [
        "[Master Record|Device Name]",
        "[Master Record|Predicate Device]",
    ]


def test_without_a_predicate_nothing_is_compared(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    project.write(
        "Context/Project-Master-Record.docx", "# Device Information\n\nDevice Name: Heater H1\n"
    )
    project.write(REPORT, "# Report\n\nThe alarm of the heater sounds at 78 dB.\n")
    plan = Desk(project).plan("", template(ALARM, COMPARED))
    assert [point.kind for point in plan.points] == [PointKind.DESCRIBE]
    assert codes(plan) == ["no_predicate"]
    project.close()


def test_a_prompt_restricts_where_a_template_looks(bench: Desk) -> None:
    plan = bench.plan("Use @initiation.", template(ALARM))
    assert files(plan.points[0]) <= {"Context/Initiation/description.md"}
    assert REPORT in files(bench.plan("", template(ALARM)).points[0])


def test_a_prompt_adds_what_the_template_does_not_ask(desk: Desk) -> None:
    prompt = "Write the Alarm Report section for the heater. Cover the weight and the stand."
    plan = desk.plan(prompt, template(ALARM))
    assert [point.query for point in plan.points] == [
        "Alarm: alarm of the heater",
        "Cover the weight and the stand",
    ]
    assert plan.title == "Alarm Report"


def test_what_a_prompt_says_not_to_write_holds_for_a_template(desk: Desk) -> None:
    resolution = PromptResolver(desk.documents).resolve("Alarm of the heater, no prices, no tables")
    made = template_request(template(ALARM), resolution, desk.documents)
    # A table is of the form of a text.
    assert made.request.exclusions == ("prices",)


def test_a_prompt_that_asks_for_the_template_adds_nothing(desk: Desk) -> None:
    for prompt in (
        "Write the Alarm Report section.",
        "Draft the alarm report for [Master Record|Device Name].",
        "Describe the alarm.",
    ):
        assert len(desk.plan(prompt, template(ALARM)).points) == 1, prompt


def test_a_blocked_prompt_blocks_a_template(desk: Desk) -> None:
    plan = desk.plan("Describe [Context|Initiation|absent.docx].", template(ALARM))
    assert plan.is_blocked
    assert plan.points == ()


def test_a_process_is_read_from_the_procedures_alone(bench: Desk) -> None:
    item = TemplateItem("Review", "design review", subject=ItemSubject.PROCESS)
    device = replace(item, subject=ItemSubject.DEVICE)
    process, own = bench.plan("", template(item, device)).points
    assert {passage.layer for passage in process.passages} <= PROCEDURES
    assert process.passages
    assert not {passage.layer for passage in own.passages} & PROCEDURES


def test_a_field_that_is_stated_twice_differently_is_no_fact(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    project.write(
        "Context/Project-Master-Record.docx",
        "# A\n\nDevice Name: Heater H1\n\n# B\n\nDevice Name: Heater H2\n",
    )
    [point] = Desk(project).plan("", template(NAME)).points
    assert point.value is None
    project.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Desk]:
    """A report, a description and a procedure, and a predicate."""
    project = SmallProject(tmp_path)
    project.write(
        "Context/Project-Master-Record.docx",
        "# Device Information\n\nDevice Name: Heater H1\n\nPredicate Device: K111222\n\n"
        "Submission Date: 2027-01-01\n",
    )
    project.write(
        REPORT,
        "# Test report\n\nThis report says what was found.\n\n# Alarm\n\nThe alarm of the heater "
        "sounds at 78 dB.\n",
    )
    project.write(
        "Context/Initiation/description.md", "# Description\n\nThe alarm of the heater is red.\n"
    )
    project.write(PREDICATE, "# K111222\n\nThe alarm of the predicate sounds at 81 dB.\n")
    project.write(
        "Procedures/SOPs/design.md",
        "# Design\n\nA design review is held after each phase. "
        "The project lead invites all departments to it.\n",
    )
    yield Desk(project)
    project.close()


def test_a_section_is_about_what_its_heading_says(desk: Desk) -> None:
    wire = "A wire gets hot when current flows."
    desk.project.write(
        "Context/Ongoing/working.md", f"# Heater\n\n## Principle of operation\n\n{wire}\n"
    )
    [need] = Desk(desk.project).plan("Describe the principle of operation.").needs
    assert need.units[0].passage.text == wire
    assert need.units[0].selected


def test_nothing_beyond_a_stated_value_is_no_gap(desk: Desk) -> None:
    item = TemplateItem("Identity", "colour and name of the device", fields=("Device Name",))
    desk = Desk(desk.project, selector=load_selector(resources_path() / "models" / SELECTOR_FILE))
    texts = {}
    for fields in (("Device Name",), ()):
        plan = desk.plan("", template(replace(item, ask="colour", fields=fields), ALARM))
        model = ScriptedModel(
            lambda prompt: (
                "NOT FOUND"
                if "colour" in prompt.task
                else "The alarm of the heater sounds at 78 dB."
            )
        )
        texts[fields] = run_to_end(desk.write_plan(plan, model)).text
    assert "TODO" not in texts["Device Name",]
    assert "TODO" in texts[()]


def test_a_comparison_stands_where_its_item_stands(desk: Desk) -> None:
    plan = desk.plan("", template(COMPARED, replace(ALARM, ask="weight", name="Differences")))
    model = ScriptedModel(lambda _prompt: "The heater weighs 3.2 kg with its stand.")
    units = run_to_end(desk.write_plan(plan, model)).sentences
    headings = [unit.text for unit in units if unit.kind is UnitKind.HEADING]
    assert headings == ["Alarm Report", "Comparison", "Differences"]

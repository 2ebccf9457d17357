"""What a template makes of a project, with a prompt beside it and without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.answering.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.answering.planner import PlanSettings
from phasergun_desktop.documents.model import LineLocator
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.index.records import Chunk, ChunkId
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.profiles.section_template import (
    ItemKind,
    ItemSubject,
    SectionTemplate,
    TemplateFamily,
    TemplateItem,
)
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import Hit
from tests.answering.conftest import PREDICATE, REPORT, Desk
from tests.fakes.fake_documents import FakeDocuments, fake_document
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


class Papers(FakeDocuments):
    """Documents in memory that no search has cut."""

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        return ()


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
    assert name.instruction == "The device name is"


def test_an_empty_prompt_alone_is_blocked(desk: Desk) -> None:
    assert desk.plan("").is_blocked


def test_a_predicates_facts_are_none_of_the_device(desk: Desk) -> None:
    plan = desk.plan("", template(ALARM, replace(ALARM, ask="alarm", subject=PREDICATES)))
    own, others = plan.points
    assert PREDICATE not in files(own)
    assert files(others) == {PREDICATE}


def test_what_nothing_speaks_of_is_a_gap_that_is_told(desk: Desk) -> None:
    plan = desk.plan("", template(ALARM, STERILE))
    assert plan.points[1].passages == ()
    [problem] = plan.problems
    assert problem.code == "required_item_missing"
    assert "Sterility" in problem.message
    assert "a report" in problem.remedy


def test_an_item_that_is_not_required_is_missed_in_silence(desk: Desk) -> None:
    assert codes(desk.plan("", template(replace(STERILE, is_required=False)))) == []


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


def test_what_both_devices_state_by_name_is_compared_too() -> None:
    record = fake_document(
        [
            "# Device Information",
            "Device Name: Heater H1",
            "Predicate Device: K111222",
            "Supply Voltage: 230 V",
            "Colour: white",
            "Submission Date: 2027-01-01",
        ]
    )
    table = fake_document(
        ["# K111222", "Supply voltage | K111222: 120 V", "Weight | K111222: 4 kg"]
    )
    headed = [
        replace(block, cells=(block.cells[0], ("K111222", block.cells[1][1].split(": ")[1])))
        if block.cells
        else block
        for block in table.blocks
    ]
    documents = Papers(
        {
            "Context/Project-Master-Record.docx": record,
            PREDICATE: replace(table, blocks=tuple(headed)),
        }
    )
    resolution = PromptResolver(documents).resolve("")
    outline = template_outline(template(COMPARED), resolution, documents).outline
    # The predicate states no colour, and a date is no attribute: nothing to compare by rule.
    assert [p.attribute for p in outline.points] == ["alarm", "materials", "supply voltage"]
    assert [each.value.text for each in outline.devices if each.value] == ["Heater H1", "K111222"]


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
    assert [point.instruction for point in plan.points] == [ALARM.ask, "the weight", "the stand"]
    assert plan.title == "Alarm Report"


def test_a_prompt_that_asks_for_the_template_adds_nothing(desk: Desk) -> None:
    for prompt in (
        "Write the Alarm Report section.",
        "Draft the alarm report for [Master Record|Device Name].",
        "Describe the alarm.",
    ):
        assert len(desk.plan(prompt, template(ALARM)).points) == 1, prompt


def test_a_remark_on_form_holds_for_every_item(desk: Desk) -> None:
    plan = desk.plan("Write the Alarm Report section. Use short sentences.", template(ALARM))
    assert plan.points[0].instruction == f"{ALARM.ask}. Use short sentences."


def test_a_blocked_prompt_blocks_a_template(desk: Desk) -> None:
    plan = desk.plan("Describe [Context|Initiation|absent.docx].", template(ALARM))
    assert plan.is_blocked
    assert plan.points == ()


def test_a_process_is_read_from_the_procedures_alone(bench: Desk) -> None:
    item = TemplateItem("Review", "design review", ItemKind.PROCEDURE, subject=ItemSubject.PROCESS)
    device = replace(item, kind=ItemKind.DESCRIBE, subject=ItemSubject.DEVICE)
    process, own = bench.plan("", template(item, device)).points
    assert process.kind is PointKind.PROCEDURE
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
    assert point.kind is PointKind.VALUE
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
        "Procedures/SOPs/design.md", "# Design\n\nA design review is held after each phase.\n"
    )
    yield Desk(project)
    project.close()


def test_an_item_is_looked_for_below_the_nearest_passages(desk: Desk) -> None:
    for number in range(9):
        desk.project.write(f"Context/Ongoing/{number}.md", f"# {number}\n\nResult data, result.\n")
    plates = "Context/Ongoing/plates.md"
    desk.project.write(plates, "# Plates\n\nEach plate passed its test in the eastern ward.\n")
    item = replace(ALARM, ask="test result data")
    assert plates in files(Desk(desk.project).plan("", template(item)).points[0])


@pytest.mark.parametrize(
    ("title", "heading", "similarity", "speaks"),
    [
        ("Design and Development", "Data Transfer", 0.42, False),
        ("Design and Development", "Transfer of the Design", 0.1, True),
        ("Design Transfer", "Purpose", 0.1, True),
        ("Records", "Purpose", 0.5, True),
    ],
)
def test_the_title_of_a_document_is_no_part_of_a_sections_words(
    title: str, heading: str, similarity: float, speaks: bool
) -> None:
    text = "Data are kept in a store."
    path = (title, heading)
    identity = ChunkId("1")
    place = LineLocator(1)
    hit = Hit(
        1,
        1.0,
        identity,
        1,
        "a.md",
        "0",
        title,
        Layer.SOPS,
        0,
        25,
        text,
        path,
        place,
        "b1",
        similarity,
    )
    assert (speaking_hits("design transfer", [hit]) == [hit]) is speaks


def test_a_section_is_about_what_its_heading_says(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/working.md",
        "# Heater\n\n## Principle of operation\n\nA wire gets hot when current flows.\n",
    )
    strict = PlanSettings("small", min_similarity=0.99, min_chunks=1)
    for settings in (PlanSettings("small"), strict):
        [point] = (
            Desk(desk.project, settings=settings)
            .plan("Describe the principle of operation.")
            .points
        )
        assert [passage.text.split("\n")[-1] for passage in point.passages][:1] == [
            "A wire gets hot when current flows."
        ]
    assert (
        Desk(desk.project, settings=strict).plan("Describe the alarm tone.").points[0].passages
        == ()
    )


LETTER = (
    "# Letter\n\nRe: K111222 Trade/Device Name: Warmer W9 Regulation Number: 21 CFR 880.5725 "
    "Regulation Name: Infusion pump Regulatory Class: Class II Product Codes: FRN, LZG "
    "Dated: April 27, 2023 Received: April 28, 2023\n\nDear Ada:\n\nProduct Code: XXX\n"
)


def test_what_is_stated_of_the_predicate_comes_from_its_letter(desk: Desk) -> None:
    desk.project.write("Context/Predicates/K111222-letter.md", LETTER)
    item = TemplateItem(
        "Predicate",
        "name of the predicate",
        ItemKind.VALUE,
        subject=PREDICATES,
        fields=("Device Name", "510(k) Number", "Device Class", "Product Code", "Sterility"),
    )
    plan = Desk(desk.project).plan("", template(item, COMPARED))
    stated = [p for p in plan.points if p.kind is PointKind.VERBATIM]
    assert [f"{p.instruction} {p.value.text}" for p in stated if p.value] == [
        "The device name of the predicate is Warmer W9",
        "The 510(k) number of the predicate is K111222",
        "The device class of the predicate is Class II",
        "The product code of the predicate is FRN, LZG",
    ]
    assert [p.value.file.rpartition("/")[2] for p in stated if p.value] == [
        "K111222-letter.md",
        "Project-Master-Record.docx",
        "K111222-letter.md",
        "K111222-letter.md",
    ]


def test_a_letter_on_another_device_states_nothing_of_this_one(desk: Desk) -> None:
    other = LETTER.replace("K111222", "K999999")
    desk.project.write("Context/Predicates/K111222-letter.md", other)
    item = TemplateItem(
        "Predicate", "name", ItemKind.VALUE, subject=PREDICATES, fields=("Device Name",)
    )
    points = Desk(desk.project).plan("", template(item, COMPARED)).points
    assert PointKind.VERBATIM not in {point.kind for point in points}


def test_nothing_beyond_a_stated_value_is_no_gap(desk: Desk) -> None:
    item = TemplateItem("Identity", "colour and name of the device", fields=("Device Name",))
    texts = {}
    for fields in (("Device Name",), ()):
        plan = desk.plan("", template(replace(item, ask="colour", fields=fields), ALARM))
        model = ScriptedModel(lambda _prompt: "The alarm of the heater sounds at 78 dB.")
        texts[fields] = run_to_end(desk.write_plan(plan, model)).text
    assert "TODO" not in texts["Device Name",]
    assert "TODO" in texts[()]


def test_a_comparison_stands_where_its_item_stands(desk: Desk) -> None:
    plan = desk.plan("", template(COMPARED, replace(ALARM, ask="weight", name="Differences")))
    model = ScriptedModel(lambda _prompt: "The heater weighs 3.2 kg with its stand.")
    units = run_to_end(desk.write_plan(plan, model)).sentences
    headings = [unit.text for unit in units if unit.kind is UnitKind.HEADING]
    assert headings == ["Alarm Report", "Comparison", "Differences"]


def test_several_things_are(desk: Desk) -> None:
    assert [is_plural(name) for name in ("Indications for Use", "Device Class", "Basis")] == [
        True,
        False,
        False,
    ]
    assert desk.plan("", template(NAME)).points[0].instruction == "The device name is"

"""A model may shorten, join and order what its sources say; it may not add to it."""

from __future__ import annotations

import pytest

from phasergun_desktop.answering.answerer import SecondPasses
from phasergun_desktop.answering.model import AnswerResult
from phasergun_desktop.answering.writing.brought_words import brings_words
from phasergun_desktop.grounding.candidates import CandidateSpan, candidate_spans
from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.profiles.section_template import (
    SectionTemplate,
    TemplateFamily,
    TemplateItem,
)
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage
from tests.answering.conftest import Desk
from tests.fakes.paragraph_reader import MarkdownReader, parse_paragraphs
from tests.fakes.scripted_model import ScriptedModel

ALARM = "The alarm of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
PROMPT = "Describe the alarm of the heater."
NEEDS = "Context/Initiation/needs.md"
NEEDS_TABLE = (
    "# Needs of alarms\n\n| ID | Need |\n|---|---|\n"
    "| N-1 | The alarm of the heater is loud |\n"
    "| N-2 | The alarm of the heater is red |\n"
    "| N-3 | The alarm of the heater is short |\n"
    "| N-4 | The alarm of the heater is rare |\n"
    "| N-5 | The alarm of the heater is clear |\n"
    "| N-6 | The alarm of the heater is kept |\n"
)


def complete(desk: Desk) -> Desk:
    desk.project.reader = MarkdownReader("markdown")
    return Desk(desk.project, passes=SecondPasses(completes=True))


def units(result: AnswerResult) -> list[DraftSentence]:
    return [u for u in result.sentences if u.kind not in (UnitKind.HEADING, UnitKind.TODO)]


def said(result: AnswerResult) -> list[str]:
    return [unit.text for unit in units(result)]


def spans(text: str, layer: Layer = Layer.ONGOING) -> list[CandidateSpan]:
    document = parse_paragraphs(text)
    end = len(document.text)
    identity = ChunkId("1")
    passage = Passage(1, "a.md", "0", "Manual", layer, identity, 0, end, text, (), 1.0)
    return candidate_spans(passage, document)


@pytest.mark.parametrize(
    "invented",
    [
        "The alarm of the heater sounds at 78 dB and was approved.",
        "The alarm of the heater accurately sounds at 78 dB.",
        "The results showed that the alarm of the heater sounds at 78 dB.",
    ],
)
def test_a_sentence_with_words_of_the_models_own_gives_way_to_the_source(
    desk: Desk, invented: str
) -> None:
    kept = complete(desk).write(PROMPT, [invented]).result
    assert said(kept)[0] == ALARM
    assert invented not in said(kept)


@pytest.mark.parametrize(
    "reworded",
    [
        "At 78 dB, the alarm of the heater sounds.",
        "The alarm of the heater includes what sounds at 78 dB.",
    ],
)
def test_the_words_of_the_source_may_be_put_in_another_order(desk: Desk, reworded: str) -> None:
    assert said(complete(desk).write(PROMPT, [reworded]).result)[0] == reworded


def test_words_above_the_source_are_none_of_the_models_own(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/siren.md",
        "# Siren\n\n## Loudness of the alarm\n\nThe heater sounds at 91 dB.\n",
    )
    reworded = "The loudness of the alarm of the heater is 91 dB, as it sounds."
    assert reworded in said(complete(desk).write(PROMPT, [reworded]).result)


def test_what_says_where_it_stands_is_said_without_it(desk: Desk) -> None:
    told = "The test report states that the alarm of the heater sounds at 78 dB."
    assert said(complete(desk).write(PROMPT, [told]).result)[0] == ALARM
    assert said(desk.write(PROMPT, [told]).result) == [ALARM]
    other = "The operator says that the alarm of the heater sounds at 78 dB."
    assert said(desk.write(PROMPT, [other]).result) == [other]


def test_the_rows_of_a_table_stand_together_and_all_of_them(desk: Desk) -> None:
    reply = f"ID: N-3; Need: The alarm of the heater is short. {ALARM}"
    result = with_rows(desk, reply)
    kinds = [unit.kind for unit in units(result)]
    rows = [unit.cells for unit in units(result) if unit.kind is UnitKind.TABLE_ROW]
    assert [cells[0] for cells in rows] == ["ID", *(f"N-{n}" for n in range(1, 7))]
    first = kinds.index(UnitKind.TABLE_ROW)
    assert set(kinds[first : first + 7]) == {UnitKind.TABLE_ROW}


def test_a_row_that_stands_in_the_draft_is_not_told_before(desk: Desk) -> None:
    reply = "The alarm of the heater is short, so the need states."
    result = with_rows(desk, reply)
    assert reply not in said(result)
    assert "N-3 | The alarm of the heater is short" in said(result)


def with_rows(desk: Desk, reply: str) -> AnswerResult:
    """Return what is written where every row of the table of needs is ticked."""
    desk.project.write(NEEDS, NEEDS_TABLE)
    bench = complete(desk)
    prompt = "Describe the needs of the alarm of the heater."
    rows = [line.strip("| ").split(" | ") for line in NEEDS_TABLE.splitlines() if "N-" in line]
    plan = bench.ticked(prompt, [ALARM, *(f"ID: {name}; Need: {need}" for name, need in rows)])
    return run_to_end(bench.write_plan(plan, ScriptedModel([reply])))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Date: 2026-08-14 of the alarm.", "Date: 2026-08-14 of the alarm."),
        ("- Alarm and heater of the ward", "Alarm and heater of the ward."),
        ("- is an alarm of the heater of old.", "is an alarm of the heater of old."),
        ("- makes the alarm of the heater loud.", "makes the alarm of the heater loud."),
        (
            "Alarm - Heater sounds in the ward - Siren of the heater",
            "Alarm - Heater sounds in the ward - Siren of the heater.",
        ),
    ],
)
def test_what_states_nothing_by_itself_is_left_out(desk: Desk, text: str, reply: str) -> None:
    desk.project.write("Context/Ongoing/notes.md", f"# Alarm notes\n\n{text}\n\n{ALARM}\n")
    result = complete(desk).write(PROMPT, [f"{reply} {ALARM}"]).result
    assert reply not in said(result)
    assert not any(text.lstrip("- ") in each for each in said(result))
    assert ALARM in said(result)


@pytest.mark.parametrize(
    "item",
    [
        "- The alarm of the heater is red",
        "- the alarm of the heater is red and loud",
        "- gui alarm shall be that of the heater",
        "- Alarm of the heater: red and loud",
        "- Alarm of the heater with 78 dB",
        "1. Listen to the alarm of the heater",
        "- Listen to the alarm of the heater.",
    ],
)
def test_an_item_that_says_something_is_kept(desk: Desk, item: str) -> None:
    desk.project.write("Context/Ongoing/notes.md", f"# Alarm notes\n\n{item}\n")
    bare = item.partition(" ")[2].rstrip(".")
    result = complete(desk).write(PROMPT, [f"{bare}."]).result
    assert bare in [each.rstrip(".") for each in said(result)]


def test_the_versions_of_a_document_are_no_facts_of_the_device(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/notes.md",
        "# Alarm notes\n\n| Version | Date | Author | Description |\n|---|---|---|---|\n"
        "| 1.0 | 2026-01-15 | Ada | The alarm of the heater was added |\n",
    )
    reply = "Version: 1.0; Date: 2026-01-15; Author: Ada; Description: The alarm of the heater was"
    result = complete(desk).write(PROMPT, [f"{reply} added. {ALARM}"]).result
    assert not any("Ada" in each for each in said(result))
    assert ALARM in said(result)


def test_a_limit_that_is_added_is_told_of_what_it_is(desk: Desk) -> None:
    limit = "Within 15 percent of the alarm of the heater for 95 percent of results."
    desk.project.write(
        "Context/Ongoing/limits.md", f"# Limits\n\n## Targets of the alarm\n\n{limit}\n"
    )
    result = complete(desk).write(PROMPT, [ALARM]).result
    assert f"Targets of the alarm: {limit[:1].lower()}{limit[1:]}" in said(result)


def test_a_list_under_the_heading_of_a_template_has_no_second_title(desk: Desk) -> None:
    desk.project.write(
        "Procedures/SOPs/SOP-7.md",
        "# Alarm testing\n\n## Steps of alarm testing\n\n1. Start the alarm of the heater.\n"
        "2. Stop the alarm of the heater.\n",
    )
    item = TemplateItem("Steps", "steps of alarm testing")
    template = SectionTemplate("t", "Testing", TemplateFamily.SUBMISSION, "", 400, (item,))
    bench = complete(desk)
    plan = bench.plan("", template)
    result = run_to_end(bench.write_plan(plan, ScriptedModel(["NOT FOUND"])))
    assert not any(each.endswith(":") for each in said(result))


@pytest.mark.parametrize(
    ("sentence", "given", "brings"),
    [
        ("The meter measures glucose in whole blood.", "", False),
        ("Measurement of glucose by the meter.", "", False),
        ("The meter measures glucose accurately.", "", True),
        ("The GlucoTrace meter measures glucose.", "", True),
        ("The GlucoTrace meter measures glucose.", "GlucoTrace", False),
        ("The meter has a real time measurement.", "", False),
        ("The principle is that the meter measures glucose.", "", False),
        ("The meter includes a measurement of glucose.", "", False),
        ("The meter was submitted to measure glucose.", "", True),
        ("The procedure is to measure glucose by the meter.", "", False),
    ],
)
def test_what_a_sentence_brings(sentence: str, given: str, brings: bool) -> None:
    read = spans(
        "# Principle\n\nThe meter measures glucose in wholeblood by real-time measurement."
    )
    assert brings_words(sentence, read, given) is brings


@pytest.mark.parametrize("asked_for", ["must sound", "shall sound", "should sound", "can sound"])
def test_what_shall_be_is_not_told_as_it_is(desk: Desk, asked_for: str) -> None:
    own = f"The siren of the heater {asked_for} at 91 dB."
    desk.project.write("Context/Ongoing/siren.md", f"# Siren\n\n{own}\n")
    told = "The siren of the heater sounds at 91 dB."
    result = complete(desk).write("Describe the siren of the heater.", [told]).result
    assert told not in said(result)
    assert own in said(result)


def test_a_sentence_without_the_beginning_of_its_source_is_made_whole(desk: Desk) -> None:
    own = "There are wards where the alarm of the heater must be off, such as at night and there."
    desk.project.write("Context/Ongoing/wards.md", f"# Alarm in wards\n\n{own}\n")
    piece = "The alarm of the heater must be off, such as at night, and there."
    result = complete(desk).write("Describe the alarm in wards.", [piece]).result
    assert piece not in said(result)
    assert own in said(result)


def test_the_head_of_a_report_does_not_come_with_what_follows_it(desk: Desk) -> None:
    method = "The alarm of the heater was heard by 12 donors."
    desk.project.write(
        "Context/Ongoing/heard.md",
        f"# Alarm heard\n\nDate: 2026-09-28 Laboratory: Northfield, room 2.14 Method. {method}\n",
    )
    prompt = "Describe who heard the alarm of the heater."
    told = f"In the test {method[:1].lower()}{method[1:]}"
    for replies in ([told], None):
        result = complete(desk).write(prompt, replies).result
        assert method in said(result)
        assert not any("Laboratory" in each for each in said(result))


def test_a_form_to_be_filled_in_states_nothing(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/forms.md",
        "# Alarm forms\n\n| Alarm of the heater | Format |\n|---|---|\n"
        "| Alarm of the heater | ALARM-{CODE}-XXX |\n",
    )
    reply = "Alarm of the heater: Alarm of the heater; Format: ALARM-{CODE}-XXX."
    result = complete(desk).write(PROMPT, [f"{reply} {ALARM}"]).result
    assert not any("{CODE}" in each for each in said(result))


def test_what_stands_in_the_draft_already_is_no_gap(desk: Desk) -> None:
    alarm = TemplateItem("Alarm", "alarm of the heater")
    again = TemplateItem("Sound", "sounding alarm of the heater")
    template = SectionTemplate("t", "Testing", TemplateFamily.SUBMISSION, "", 400, (alarm, again))
    bench = complete(desk)
    model = ScriptedModel([f"{ALARM} {LASTS}", "The alarm was praised by visitors of Rome."])
    result = run_to_end(bench.write_plan(bench.plan("", template), model))
    assert not [unit for unit in result.sentences if unit.kind is UnitKind.TODO]
    assert {ALARM, LASTS} <= set(said(result))
    assert len(said(result)) == len(set(said(result)))


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (
            "If the ward is dark, the alarm of the heater sounds at 91 dB.",
            "In the dark ward, the alarm of the heater sounds at 91 dB.",
        ),
        (
            "The alarms of the heater sound at 91 dB.",
            "These alarms of the heater sound at 91 dB.",
        ),
    ],
)
def test_what_a_sentence_depends_on_stays_with_it(desk: Desk, own: str, told: str) -> None:
    desk.project.write("Context/Ongoing/dark.md", f"# Alarm in the dark\n\n{own}\n")
    result = complete(desk).write("Describe the alarm of the heater in the dark.", [told]).result
    assert told not in said(result)
    assert own in said(result)


def test_pieces_of_two_sources_are_no_statement(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/dates.md", "# Alarm dates\n\nThe test of 2026-09-28 is over.\n"
    )
    told = "2026-09-28: alarm of the heater at 78 dB."
    result = complete(desk).write("Describe the alarm of the heater; its dates.", [told]).result
    assert told not in said(result)
    assert ALARM in said(result)

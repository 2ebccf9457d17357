from __future__ import annotations

import re
from dataclasses import replace

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.writing.model import (
    AnswerStatus,
    FirstToken,
    PlanReady,
    PointStarted,
    TextStreamed,
    UnitBound,
)
from tests.fakes.desk import REPORT, Desk, Written

ALARM = "The alarm of the heater sounds at 78 dB."
WEIGHT = "The heater weighs 3.2 kg with its stand."
LASTS = "The alarm lasts ten seconds."
BOTH = f"{ALARM} {LASTS}"
SECTION = "Write the Description section: alarm of the heater, weight of the heater."


def _stated(written: Written) -> list[DraftSentence]:
    kinds = (UnitKind.HEADING, UnitKind.TODO)
    return [unit for unit in written.result.sentences if unit.kind not in kinds]


def _texts(written: Written) -> list[str]:
    return [unit.text for unit in _stated(written)]


def test_a_unit_is_bound_to_the_span_that_it_is(desk: Desk) -> None:
    written = desk.write(SECTION, None)
    assert written.result.status is AnswerStatus.COMPLETE
    notes = {note.number: note for note in written.result.footnotes}
    lead_in, *stated = _stated(written)
    # What only says what others are on is no statement.
    assert (lead_in.text, lead_in.citations) == ("Alarm:", ())
    assert stated[0].text == ALARM
    for unit in (unit for unit in stated if not unit.is_header):
        assert unit.support is Support.SUPPORTED
        note = notes[unit.citations[0]]
        assert note.file == REPORT
        assert note.quote == desk.text(REPORT)[note.start : note.end] == unit.text
    assert written.result.text.lstrip("# ").startswith("Description")
    assert "## Sources" in written.result.text


def test_events_come_in_order(desk: Desk) -> None:
    written = desk.write(SECTION, [BOTH])
    kinds = [type(event) for event in written.events]
    assert kinds[0] is PlanReady
    assert kinds.count(PointStarted) == 2
    assert kinds.count(FirstToken) == 1
    assert kinds.index(PointStarted) < kinds.index(FirstToken) < kinds.index(TextStreamed)
    bound = [event.unit for event in written.events if isinstance(event, UnitBound)]
    assert tuple(bound) == written.result.sentences
    new = [n.number for e in written.events if isinstance(e, UnitBound) for n in e.footnotes]
    assert new == [note.number for note in written.result.footnotes if note.kind != "standard"]


def test_a_stop_before_the_first_word(desk: Desk) -> None:
    written = desk.write(SECTION, [ALARM, WEIGHT], should_stop=lambda: True)
    assert written.result.status is AnswerStatus.CANCELLED
    assert written.model is not None
    assert written.model.prompts == []


def test_a_blocked_plan_is_not_written(desk: Desk) -> None:
    written = desk.write("Describe [Context|Initiation|absent.docx].", ["x"])
    assert written.result.status is AnswerStatus.BLOCKED
    assert written.result.sentences == ()
    assert written.model is not None
    assert written.model.prompts == []


def test_an_error_of_the_model_comes_through(desk: Desk) -> None:
    def fails(_prompt: ModelPrompt) -> str:
        raise ModelError("Too long", "The prompt does not fit.", "Refer to fewer sources.")

    with pytest.raises(ModelError):
        desk.write(SECTION, fails)


def test_a_field_is_cited_without_a_model(desk: Desk) -> None:
    written = desk.write("State the device name: [Master Record|Device Name].", [])
    [unit] = _stated(written)
    [note] = written.result.footnotes
    assert "Heater H1" in unit.text
    assert note.quote == "Heater H1"
    assert written.model is not None
    assert written.model.prompts == []


def test_without_a_model_every_sentence_is_the_source_text(desk: Desk) -> None:
    written = desk.write(SECTION, None)
    assert written.result.status is AnswerStatus.COMPLETE
    assert {ALARM, WEIGHT} <= set(_texts(written))
    source = " ".join(desk.text(REPORT).split())
    for unit in _stated(written):
        assert unit.text in source or unit.citations or unit.text[:-1] in source
    assert written.result.metrics.completion_tokens == 0


def test_a_standard_takes_a_number_without_a_quote(desk: Desk) -> None:
    written = desk.write("Describe the alarm of the heater according to ISO 14971.", [ALARM])
    standards = [note for note in written.result.footnotes if note.kind == "standard"]
    assert len(standards) == 1
    assert (standards[0].file, standards[0].quote) == ("", "")
    assert "ISO 14971" in standards[0].rendered


def test_what_one_item_states_stands_in_one_item_behind_what_it_is_on(desk: Desk) -> None:
    said = ["Draft B said the alarm lasts one minute.", "Rao wants the alarm at ten seconds."]
    other = "The alarm of the heater has one lamp in the hall."
    desk.project.write(
        "Context/Ongoing/minutes.md",
        f"# Minutes of May\n\n- Length of alarms. {said[0]} Ten voted. {said[1]}\n\n- {other}\n",
    )
    bench = Desk(desk.project)
    plan = bench.ticked("Describe the alarm of the heater.", [*said, f"- {other}"])
    text = bench.verbatim(plan).text.split("\n---")[0]
    assert re.sub(r"\[\d+\]", "", text).split("\n\n") == [
        "Minutes of May:",
        f"- Length of alarms: {said[0]} {said[1]}\n- {other}\n",
    ]


def test_what_stands_above_states_nothing_and_leaves_nothing_out(desk: Desk) -> None:
    said = "The alarm of the heater is slow and the alarm is red."
    again = "The alarm of the heater is loud."
    desk.project.write(
        "Context/Ongoing/loud.md", f"# Loud alarm of the heater\n\n{again}\n\n{said}\n"
    )
    bench = Desk(desk.project)
    plan = bench.ticked("Describe the alarm of the heater.", [again, said])
    points = tuple(replace(each, is_by_hand=False) for each in plan.points)
    units = bench.verbatim(replace(plan, points=points)).sentences
    assert [(unit.text, unit.is_header) for unit in units] == [
        ("Loud alarm of the heater:", True),
        (again, False),
        (said, False),
    ]


def test_a_heading_of_the_prompt_stands_above_the_first_point_below_it_that_says_something(
    desk: Desk,
) -> None:
    said = "The alarm of the heater is loud."
    desk.project.write("Context/Ongoing/loud.md", f"# Alarm of the heater\n\n{said}\n")
    bench = Desk(desk.project)
    plan = bench.ticked("Describe the alarm of the heater.", [said])
    [point] = plan.points
    silent = replace(point, heading="Safety", evidence=(), passages=(), may_be_stated=True)
    units = bench.verbatim(replace(plan, points=(silent, point))).sentences
    assert [unit.text for unit in units] == ["Safety", said]


def test_a_list_that_goes_on_after_another_has_its_lead_in_again(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/use.md",
        "# Use of the heater\n\nUse the heater if:\n\n- the alarm is green\n\n"
        "Do not use the heater if:\n\n- the alarm is red\n",
    )
    bench = Desk(desk.project)
    plan = bench.ticked(
        "Describe the alarm of the heater.", ["- the alarm is green", "- the alarm is red"]
    )
    [point] = plan.points
    green, red = point.evidence
    order = replace(point, evidence=(green, red, green))
    units = bench.verbatim(replace(plan, points=(order,))).sentences
    assert [unit.text for unit in units] == [
        "Use the heater if:",
        "the alarm is green",
        "Do not use the heater if:",
        "the alarm is red",
        "Use the heater if:",
        "the alarm is green",
    ]


@pytest.mark.parametrize("heading", ["Device", "K333444 Summary"])
def test_what_a_predicate_states_says_whose_it_is_once(desk: Desk, heading: str) -> None:
    said = ["The alarm of the stove sounds at 70 dB.", "The alarm of the stove lasts one minute."]
    desk.project.write(
        "Context/Predicates/K333444.md",
        f"# K333444 Summary\n\n## {heading}\n\n" + "\n\n".join(said) + "\n",
    )
    bench = Desk(desk.project)
    named = "[Context|Predicates|K333444.md] and [Context|Ongoing|report.md]"
    asked = f"Describe the alarm with {named}."
    texts = _texts(bench.write(asked, None))
    at = next(place for place, text in enumerate(texts) if said[0] in text)
    assert texts[at - 1] == f"{heading}:"
    assert texts[at] == (said[0] if "K333444" in heading else f"K333444 Summary: {said[0]}")

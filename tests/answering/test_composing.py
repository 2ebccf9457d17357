"""What is kept of what a model writes: answers, repetitions, headings, length, language."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from phasergun_desktop.answering.answerer import SecondPasses
from phasergun_desktop.answering.model import (
    AnswerResult,
    AnswerStatus,
    DocumentSummary,
    Plan,
)
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.protocol import ModelPrompt
from tests.answering.conftest import REPORT, Desk
from tests.fakes.scripted_model import Reply, ScriptedModel

ALARM = "The alarm of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
WEIGHT = "The heater weighs 3.2 kg with its stand."


def _write(
    desk: Desk, plan: Plan, replies: list[str] | Reply
) -> tuple[AnswerResult, ScriptedModel]:
    model = ScriptedModel(replies)
    return run_to_end(desk.write_plan(plan, model)), model


def _said(result: AnswerResult) -> list[str]:
    return [u.text for u in result.sentences if u.kind not in (UnitKind.HEADING, UnitKind.TODO)]


def test_a_table_row_answers_a_question_in_other_words(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/retention.md",
        "# Records\n\nFilter logs | life of the heater plus 7 years\n\nDoor logs | 4 years\n",
    )
    desk.project.sync()
    answer = "Filter logs | life of the heater plus 7 years"
    result = desk.write("How long must filter logs be kept?", [f"{answer}."]).result
    assert result.status is AnswerStatus.COMPLETE
    assert "7 years" in _said(result)[0]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("How long does the alarm test take?", ALARM),
        ("How many alarms does the heater have?", "The alarm of the heater sounds."),
        ("How much does the crate of the heater cost?", WEIGHT),
        ("When was the alarm of the heater approved?", "The alarm of the heater is approved."),
    ],
)
def test_an_answer_of_another_kind_is_none(desk: Desk, question: str, reply: str) -> None:
    result = desk.write(question, [reply]).result
    assert result.status is AnswerStatus.ABSTAINED


def test_a_yes_that_its_source_denies_gives_way_to_the_source(desk: Desk) -> None:
    desk.project.write("Context/Ongoing/actions.md", "# Actions\n\nAction H-9 is closed.\n")
    desk.project.sync()
    result = desk.write("Is action H-9 open or closed?", ["Yes, action H-9 is still open."]).result
    [said] = _said(result)
    assert "Action H-9 is closed." in said
    assert "Yes" not in said
    [note] = result.footnotes
    assert note.quote == "Action H-9 is closed."


def test_both_sides_are_stated_where_two_documents_disagree(desk: Desk) -> None:
    desk.project.write("Context/Ongoing/minutes.md", "# Minutes\n\nAction H-9 is open.\n")
    desk.project.write("Context/Ongoing/closing.md", "# Closing\n\nAction H-9 is closed.\n")
    desk.project.sync()
    result = desk.write("Is action H-9 open or closed?", ["Action H-9 is open."]).result
    said = " ".join(_said(result))
    assert "is open" in said
    assert "is closed" in said
    assert {note.file for note in result.footnotes} == {
        "Context/Ongoing/minutes.md",
        "Context/Ongoing/closing.md",
    }


def test_a_point_that_repeats_an_earlier_one_leaves_no_heading(desk: Desk) -> None:
    plan = desk.plan("Write the Sound and Alarm sections on the alarm of the heater.")
    assert [point.heading for point in plan.points] == ["Sound", "Alarm"]
    result, _ = _write(desk, plan, [ALARM, ALARM])
    headings = [u.text for u in result.sentences if u.kind is UnitKind.HEADING]
    assert headings == ["Sound"]
    assert not [u for u in result.sentences if u.kind is UnitKind.TODO]


def test_the_same_request_is_written_once(desk: Desk) -> None:
    plan = desk.plan("Describe the alarm of the heater.")
    twice = replace(plan, points=(*plan.points, *plan.points))
    result, model = _write(desk, twice, lambda prompt: ALARM)
    assert len(model.prompts) == len(plan.points)
    assert _said(result) == [ALARM]


def test_a_loop_inside_a_sentence_is_cut(desk: Desk) -> None:
    loop = "The alarm of the heater sounds and sounds and " + "sounds again and " * 60
    result = desk.write("Describe the alarm of the heater.", [f"{ALARM} {loop}"]).result
    assert _said(result) == [ALARM]


@pytest.mark.parametrize("rubbish", ["", " \n\n", "�� ## ** ```", "1. 2. 3. 4.", ")(" * 300])
def test_rubbish_leaves_a_visible_gap(desk: Desk, rubbish: str) -> None:
    result = desk.write("Describe the alarm of the heater.", [rubbish]).result
    assert result.status is AnswerStatus.ABSTAINED
    [gap] = [u for u in result.sentences if u.kind is UnitKind.TODO]
    assert "alarm of the heater" in gap.text
    assert "Context/" in gap.text


def test_writing_stops_before_the_sentence_that_would_be_too_long(desk: Desk) -> None:
    plan = replace(
        desk.plan("Write the Description section: alarm of the heater, weight of the heater."),
        maximum_words=14,
    )
    result, model = _write(desk, plan, [f"{ALARM} {LASTS} {WEIGHT}", WEIGHT])
    assert _said(result) == [ALARM, LASTS]
    assert len(model.prompts) == 1
    [warning] = result.warnings
    assert "14 words" in warning
    assert "weight of the heater" in warning


def test_without_a_maximum_nothing_is_left_out(desk: Desk) -> None:
    result = desk.write("Describe the alarm of the heater.", [f"{ALARM} {LASTS}"]).result
    assert _said(result) == [ALARM, LASTS]
    assert result.warnings == ()


def test_every_call_is_traced_and_logged_without_document_text(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "phasergun_desktop.answering"):
        written = desk.write(
            "Write the Description section: alarm of the heater, weight of the heater.",
            [ALARM, WEIGHT],
        )
    trace = written.result.metrics.trace
    assert [step.step for step in trace] == ["point 1", "point 2"]
    assert all(step.model == "scripted" and step.prompt_tokens > 0 for step in trace)
    assert sum(s.completion_tokens for s in trace) == written.result.metrics.completion_tokens
    logged = [r.getMessage() for r in caplog.records if "evaluated" in r.getMessage()]
    assert len(logged) == len(trace)
    assert "78 dB" not in " ".join(logged)
    assert len(written.result.metrics.calls) == len(trace)


def test_summaries_stand_before_the_passages_and_are_never_cited(desk: Desk) -> None:
    plan = desk.plan("Describe the alarm of the heater.")
    summary = DocumentSummary(REPORT, "Test report", "The report praises its zebra pattern.")
    reply = f"{ALARM} The report praises its zebra pattern."
    result, model = _write(desk, replace(plan, summaries=(summary,)), [reply])
    shared = model.prompts[0].shared
    assert shared.index("zebra") < shared.index(plan.points[0].passages[0].text)
    zebra = [u for u in result.sentences if "zebra" in u.text]
    assert all(unit.support is Support.UNSUPPORTED and not unit.citations for unit in zebra)


def test_the_text_is_written_in_the_language_of_the_prompt(desk: Desk) -> None:
    prompts: list[ModelPrompt] = []

    def reply(prompt: ModelPrompt) -> str:
        prompts.append(prompt)
        return "Der Alarm des Geräts ertönt mit 78 dB. Er dauert zehn Sekunden."

    result = desk.write("Beschreiben Sie den alarm des heater und die Lautstärke.", reply).result
    assert "Write in German" in prompts[0].task
    assert any("German" in warning for warning in result.warnings)
    english = desk.write("Describe the alarm of the heater.", [ALARM])
    assert english.model is not None
    assert "Write in" not in english.model.prompts[0].task
    assert english.result.warnings == ()


def test_values_that_a_model_left_out_come_back(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/repair.md",
        "# Repair\n\nThe heater is entered in the repair log FRM-021.\n\n"
        "The repair of the heater is described in the report REP-300.\n",
    )
    bench = Desk(desk.project, passes=SecondPasses(completes=True))
    plan = bench.plan("Describe the repair of the heater.")
    result, _ = _write(bench, plan, ["The heater is entered in the repair log."])
    said = _said(result)
    assert "The heater is entered in the repair log FRM-021." in said
    assert sum("repair log" in text for text in said) == 1
    assert any("REP-300" in text for text in said)


def test_a_question_without_an_answer_has_none_without_a_model_either(desk: Desk) -> None:
    result = desk.write("How much does the crate of the heater cost?", None).result
    assert result.status is AnswerStatus.ABSTAINED


def test_a_place_to_be_filled_in_is_not_stated(desk: Desk) -> None:
    written = desk.write(
        "Describe the alarm of the heater.",
        ["The alarm of the heater sounds at 78 dB. The maker of the heater is [name of maker]."],
    )
    texts = [unit.text for unit in written.result.sentences]
    assert "The alarm of the heater sounds at 78 dB." in texts
    assert not any("[name of maker]" in text for text in texts)

"""A model kept to its sources: what it left out, what is beside the point, what it got wrong."""

from __future__ import annotations

import pytest

from phasergun_desktop.answering.answerer import SecondPasses
from phasergun_desktop.answering.model import AnswerResult, AnswerStatus
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from tests.answering.conftest import PREDICATE, REPORT, Desk
from tests.fakes.scripted_model import ScriptedModel

ALARM = "The alarm of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
PROMPT = "Describe the alarm of the heater."
SOP = "Procedures/SOPs/SOP-9.md"


def _complete(desk: Desk) -> Desk:
    return Desk(desk.project, passes=SecondPasses(completes=True))


def _said(result: AnswerResult) -> list[str]:
    return [u.text for u in result.sentences if u.kind not in (UnitKind.HEADING, UnitKind.TODO)]


def test_what_the_model_left_out_is_added_word_for_word(desk: Desk) -> None:
    written = _complete(desk).write(PROMPT, [ALARM])
    assert _said(written.result)[:2] == [ALARM, LASTS]
    assert _said(desk.write(PROMPT, [ALARM]).result) == [ALARM]
    added = next(u for u in written.result.sentences if u.text == LASTS)
    assert added.support is Support.SUPPORTED
    [note] = [n for n in written.result.footnotes if n.number in added.citations]
    assert note.quote == LASTS


def test_nothing_is_added_where_the_model_finds_nothing(desk: Desk) -> None:
    for reply in ("NOT FOUND", "", "The passages do not state anything on the alarm."):
        result = _complete(desk).write(PROMPT, [reply]).result
        assert result.status is AnswerStatus.ABSTAINED, reply


def test_a_sentence_that_its_source_does_not_carry_gives_way_to_the_source(desk: Desk) -> None:
    wrong = "The alarm AX-900 of the heater sounds at 78 dB."
    marked = desk.write(PROMPT, [wrong]).result
    assert _said(marked) == [wrong]
    assert marked.sentences[-1].problems
    kept = _complete(desk).write(PROMPT, [wrong]).result
    assert wrong not in _said(kept)
    assert ALARM in _said(kept)
    assert not any(unit.problems for unit in kept.sentences)


def test_what_stands_between_the_selected_units_is_not_read(desk: Desk) -> None:
    coffee = "Coffee is served on the second floor."
    desk.project.write(
        "Context/Ongoing/site.md", f"# Site\n\nThe siren is red. {coffee} The siren is loud.\n"
    )
    told = [f"The siren is red. {coffee} The siren is loud."]
    siren = ["The siren is red.", "The siren is loud."]
    prompt = "Describe the siren."
    bench = _complete(desk)
    plan = bench.ticked(prompt, siren)
    assert [passage.text for passage in plan.points[0].passages] == siren
    assert _said(run_to_end(bench.write_plan(plan, ScriptedModel(told)))) == siren
    everything = bench.ticked(prompt, [*siren, coffee])
    assert coffee in _said(run_to_end(bench.write_plan(everything, ScriptedModel(told))))


def test_a_piece_of_a_sentence_becomes_the_sentence(desk: Desk) -> None:
    whole = "The operator shall check the alarm of the heater every day unless the heater is off."
    desk.project.write("Context/Ongoing/checks.md", f"# Alarm checks\n\n{whole}\n")
    result = Desk(desk.project).write(PROMPT, ["Check the alarm of the heater every day."]).result
    assert _said(result) == [whole]


@pytest.mark.parametrize(
    "reply",
    [
        "This procedure describes how the alarm of the heater is tested.",
        "The purpose of the design plan is to describe how the alarm of the heater is tested.",
    ],
)
def test_what_a_procedure_says_of_itself_is_said_of_it_alone(desk: Desk, reply: str) -> None:
    desk.project.write(
        SOP,
        "# Testing of alarms\n\nThis procedure describes how the alarm of the heater is tested.\n",
    )
    prompt = "Describe how the alarm of the heater is tested."
    result = Desk(desk.project).write(prompt, [reply]).result
    assert _said(result) == ["“Testing of alarms” describes how the alarm of the heater is tested."]
    assert result.footnotes[0].quote.startswith("This procedure describes")


def test_a_document_with_a_long_title_is_called_the_cited_one(desk: Desk) -> None:
    title = "Everything that anybody should know about the testing of alarms of heaters"
    desk.project.write(SOP, f"# {title}\n\nThis guidance covers the alarm of the heater.\n")
    result = Desk(desk.project).write(PROMPT, ["This guidance covers the alarm of the heater."])
    assert _said(result.result) == ["The cited guidance covers the alarm of the heater."]


def test_a_numbered_item_stays_an_item(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/label.md",
        "# Alarm label\n\nThe label of the alarm shall state:\n\n"
        "(viii) The name of the alarm of the heater, if any.\n",
    )
    reply = "The name of the alarm of the heater, if any."
    result = Desk(desk.project).write("Describe the alarm of the heater.", [reply]).result
    [unit] = [u for u in result.sentences if u.kind is not UnitKind.HEADING]
    assert (unit.text, unit.kind) == (reply, UnitKind.LIST_ITEM)


@pytest.mark.parametrize(
    "reply",
    [
        "The following sections describe the alarm of the heater.",
        "For more information on the alarm of the heater, see the report.",
    ],
)
def test_a_sentence_that_only_announces_is_none(desk: Desk, reply: str) -> None:
    assert desk.write(PROMPT, [f"{reply} {ALARM}"]).result.sentences[-1].text == ALARM
    assert reply not in _said(desk.write(PROMPT, [f"{reply} {ALARM}"]).result)


def test_a_list_on_one_line_reads_as_prose(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/parts.md",
        "# Alarm parts\n\nThe alarm has these parts: - a siren - a lamp - a button\n",
    )
    reply = "The alarm has these parts: - a siren - a lamp - a button."
    assert _said(Desk(desk.project).write(PROMPT, [reply]).result) == [
        "The alarm has these parts: a siren; a lamp; a button."
    ]


def test_a_denial_is_no_repetition(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/use.md",
        "# Use of the alarm\n\nThe alarm of the heater is meant for wards and homes.\n\n"
        "The alarm of the heater is not meant for homes.\n",
    )
    both = [
        "The alarm of the heater is meant for wards and homes.",
        "The alarm of the heater is not meant for homes.",
    ]
    bench = Desk(desk.project)
    plan = bench.ticked(PROMPT, both)
    assert _said(run_to_end(bench.write_plan(plan, ScriptedModel([" ".join(both)])))) == both


def test_a_sentence_on_it_is_not_added_alone(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/care.md",
        "# Alarm care\n\nThe battery is small.\n\nIt is the alarm of the heater that drains it.\n",
    )
    said = _said(_complete(desk).write(PROMPT, [ALARM]).result)
    assert not any(text.startswith("It is") for text in said)


def test_marks_of_a_source_are_no_footnotes_of_the_draft(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/paper.md",
        "# Alarm paper\n\nThe operator shall test the alarm of the heater weekly [12].\n",
    )
    reply = "Test the alarm of the heater weekly."
    assert _said(Desk(desk.project).write(PROMPT, [reply]).result) == [
        "The operator shall test the alarm of the heater weekly."
    ]


def test_what_is_said_of_the_predicate_is_not_true_of_the_device(desk: Desk) -> None:
    desk.project.write(
        REPORT, "# Memory\n\nThe predicate device stores 500 results in its memory.\n"
    )
    reply = "The Heater H1 stores 500 results in its memory."
    prompt = "Describe the memory of [Master Record|Device Name]."
    [unit] = [
        u
        for u in Desk(desk.project).write(prompt, [reply]).result.sentences
        if u.kind is UnitKind.SENTENCE
    ]
    assert unit.support is not Support.SUPPORTED
    assert any("another device" in problem.message for problem in unit.problems)


def test_a_numbered_item_is_said_once(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/review.md",
        "# Alarm review\n\n3. Action A-17: repeat the alarm study of the heater by 2026-10-01.\n",
    )
    reply = "Action A-17: repeat the alarm study of the heater by 2026-10-01."
    said = _said(_complete(desk).write(PROMPT, [reply]).result)
    assert sum("A-17" in text for text in said) == 1


def test_two_things_joined_into_one_are_marked(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/tests.md",
        "# Requirements\n\nSelf-test shall include validation of flow sensor accuracy.\n\n"
        "The control for the apnea limit allows values in increments of one second.\n",
    )
    joined = (
        "Self-test shall include validation of flow sensor accuracy and the control for the apnea"
        " limit allows values in increments of one second."
    )
    prompt = "Describe the self-test of the flow sensor and the apnea limit."
    units = Desk(desk.project).write(prompt, [joined]).result.sentences
    [unit] = [u for u in units if u.kind is UnitKind.SENTENCE]
    assert unit.support is not Support.SUPPORTED


def test_an_invention_is_left_out_and_counted(desk: Desk) -> None:
    invented = "Nurses in every hospital love its elegant purple colour."
    result = _complete(desk).write(PROMPT, [f"{ALARM} {invented}"]).result
    assert invented not in _said(result)
    assert any("1" in text or "A sentence" in text for text in result.warnings)
    assert invented in _said(desk.write(PROMPT, [f"{ALARM} {invented}"]).result)


def test_what_was_asked_for_is_no_statement(desk: Desk) -> None:
    reply = f"Alarm of the heater as described. {ALARM}"
    assert _said(desk.write(f"{PROMPT[:-1]} as described.", [reply]).result) == [ALARM]


def test_the_predicate_of_the_predicate_is_another_device(desk: Desk) -> None:
    desk.project.write(
        PREDICATE,
        "# K111222\n\nThe predicate device of this heater is the Warmer W0 of 1999.\n\n"
        "The alarm of the heater K111222 sounds at 81 dB.\n",
    )
    prompt = "Describe the predicate device."
    reply = "The predicate device is the Warmer W0 of 1999."
    for tried in (Desk(desk.project), _complete(desk)):
        units = tried.write(prompt, [reply]).result.sentences
        said = [u for u in units if "Warmer" in u.text]
        assert all(unit.support is not Support.SUPPORTED for unit in said)


def test_an_item_that_only_names_a_document_is_not_added(desk: Desk) -> None:
    desk.project.write(
        "Context/Ongoing/list.md",
        "# Alarm documents\n\n- SOP-002: Alarm of the Heater Design Control\n\n"
        "- The alarm of the heater is tested once a week by the operator\n",
    )
    said = _said(_complete(desk).write(PROMPT, [ALARM]).result)
    assert not any(text.startswith("SOP-002") for text in said)


def test_what_is_quoted_keeps_its_words(desk: Desk) -> None:
    desk.project.write(
        SOP, '# Signing\n\nThe alarm note bears ("We released this document") above the date.\n'
    )
    reply = 'The alarm note bears ("We released this document") above the date.'
    assert _said(Desk(desk.project).write("Describe the alarm note.", [reply]).result) == [reply]


@pytest.mark.parametrize(
    "standing",
    [
        "The general controls provisions of the Act include rules on the alarm of the heater.",
        "Contains Nonbinding Recommendations 33 · On the alarm of the heater and its loudness.",
    ],
)
def test_the_standing_text_of_the_fda_is_about_no_device(desk: Desk, standing: str) -> None:
    desk.project.write("Context/Ongoing/letter.md", f"# Alarm letter\n\n{standing}\n")
    assert standing not in _said(_complete(desk).write(PROMPT, [ALARM]).result)


def test_one_word_is_no_statement(desk: Desk) -> None:
    assert _said(desk.write(PROMPT, [f"Alarm. {ALARM}"]).result) == [ALARM]

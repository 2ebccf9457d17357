"""What the model leaves out of the evidence before it writes, and what it is never asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.answering.answerer import SecondPasses
from phasergun_desktop.answering.model import AnswerResult, AnswerStatus, Plan
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.language_models.protocol import ModelPrompt
from tests.answering.conftest import Desk
from tests.fakes.scripted_model import ScriptedModel

PROMPT = "Describe the alarm of the heater."
ALARM = "The alarm of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
WEIGHT = "The heater weighs 3.2 kg with its stand."


@pytest.fixture
def reading(desk: Desk) -> Desk:
    return Desk(desk.project, passes=SecondPasses(relevance=True))


def _unsure(plan: Plan) -> Plan:
    """The plan as if the selector were sure of none of its units."""
    needs = tuple(
        replace(need, units=tuple(replace(unit, score=0.1) for unit in need.units))
        for need in plan.needs
    )
    return replace(plan, needs=needs)


def _speaks_of_weight(prompt: ModelPrompt) -> float:
    return -1.0 if "weighs" in prompt.task else 1.0


def _selected(plan: Plan) -> set[str]:
    return {passage.text for need in plan.needs for passage in need.selected}


def _said(result: AnswerResult) -> str:
    return " ".join(unit.text for unit in result.sentences)


def test_what_is_beside_the_point_is_left_out_and_the_writer_told(reading: Desk) -> None:
    plan = _unsure(reading.plan(PROMPT))
    assert {ALARM, WEIGHT} <= _selected(plan)
    events: list[Event] = []
    model = ScriptedModel(lambda _: ALARM, odds=_speaks_of_weight)
    result = run_to_end(reading.write_plan(plan, model), events.append)
    assert ALARM in _said(result)
    assert "3.2 kg" not in _said(result)
    assert all("weighs" not in prompt.shared for prompt in model.prompts)
    assert _selected(result.plan) == _selected(plan) - {WEIGHT}
    assert WEIGHT in {unit.passage.text for need in result.plan.needs for unit in need.units}
    [warning] = [each for each in result.warnings if "beside the point" in each]
    asked = sum(len(need.selected) for need in plan.needs)
    assert f"{asked} passages" in warning
    assert "left out 1 " in warning
    [step] = [each for each in result.metrics.trace if each.step == "relevance"]
    assert step.note == f"1 of {asked} passages left out"
    told = [each for each in events if isinstance(each, Progress)]
    assert [(each.done, each.total) for each in told] == [(n, asked) for n in range(1, asked + 1)]


def test_a_unit_is_asked_about_with_its_prompt_need_and_headings(reading: Desk) -> None:
    plan = _unsure(reading.plan(PROMPT))
    asked: list[ModelPrompt] = []

    def odds(prompt: ModelPrompt) -> float:
        asked.append(prompt)
        return 1.0

    result = run_to_end(reading.write_plan(plan, ScriptedModel([ALARM], odds=odds)))
    assert all(plan.task in each.shared for each in asked)
    assert all(f"Point: {plan.needs[0].need.query}" in each.shared for each in asked)
    assert any(f"Passage: # Test report > ## Alarm : {ALARM}" in each.task for each in asked)
    assert _selected(result.plan) == _selected(plan)
    assert not any("beside the point" in each for each in result.warnings)


def test_where_nothing_belongs_the_draft_abstains(reading: Desk) -> None:
    plan = _unsure(reading.plan(PROMPT))
    model = ScriptedModel([ALARM], odds=lambda _: -2.0)
    result = run_to_end(reading.write_plan(plan, model))
    assert result.status is AnswerStatus.ABSTAINED
    assert model.prompts == []


def test_what_is_sure_or_put_in_by_hand_is_not_asked_about(reading: Desk) -> None:
    plan = reading.ticked(PROMPT, {WEIGHT})
    needs = tuple(
        replace(need, units=tuple(replace(unit, score=1.0) for unit in need.units))
        for need in plan.needs
    )
    model = ScriptedModel([WEIGHT], odds=lambda _: -2.0)
    result = run_to_end(reading.write_plan(replace(plan, needs=needs), model))
    assert WEIGHT in _said(result)


def test_a_model_without_odds_leaves_the_plan_as_it_is(reading: Desk) -> None:
    plan = _unsure(reading.plan(PROMPT))
    result = run_to_end(reading.write_plan(plan, ScriptedModel([ALARM])))
    assert _selected(result.plan) == _selected(plan)
    assert not any(each.step == "relevance" for each in result.metrics.trace)


def test_a_question_is_not_read_first(reading: Desk) -> None:
    plan = _unsure(reading.plan("How loud is the alarm of the heater?"))
    result = run_to_end(reading.write_plan(plan, ScriptedModel([ALARM], odds=lambda _: -2.0)))
    assert result.status is AnswerStatus.COMPLETE


def test_a_stop_while_reading_ends_the_draft_as_cancelled(desk: Desk) -> None:
    reading = Desk(desk.project, passes=SecondPasses(relevance=True))
    model = ScriptedModel([ALARM], odds=lambda _: 1.0)
    job = reading.write_plan(_unsure(reading.plan(PROMPT)), model, should_stop=lambda: True)
    assert run_to_end(job).status is AnswerStatus.CANCELLED

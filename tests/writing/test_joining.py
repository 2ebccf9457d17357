"""Paragraphs joined by a model: what of its sentences stands, and what the source says instead."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.writing.model import AnswerStatus, StreamDiscarded, TextStreamed, UnitBound
from tests.fakes.desk import REPORT, Desk, Written
from tests.fakes.scripted_model import ScriptedModel

ALARM = "The alarm of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
JOINED = "The alarm of the heater sounds at 78 dB, and the alarm lasts ten seconds."
PROMPT = "Describe the alarm and how long it lasts."
SECTION = "# Alarm\n\nalarm of the heater\n\n# Weight\n\nweight of the heater"


def _stated(written: Written) -> list[DraftSentence]:
    """What stands below the headings of the prompt and of the sources ("Alarm:")."""
    kinds = (UnitKind.HEADING, UnitKind.TODO)
    found = [unit for unit in written.result.sentences if unit.kind not in kinds]
    return [unit for unit in found if not unit.text.endswith(":")]


def _texts(written: Written) -> list[str]:
    return [unit.text for unit in _stated(written)]


def test_a_joined_sentence_cites_all_that_it_was_made_of(desk: Desk) -> None:
    written = desk.write(PROMPT, [JOINED])
    assert written.result.status is AnswerStatus.COMPLETE
    [unit] = _stated(written)
    assert unit.text == JOINED
    assert unit.support is Support.SUPPORTED
    quotes = {note.number: note.quote for note in written.result.footnotes}
    assert {quotes[number] for number in unit.citations} == {ALARM, LASTS}
    assert all(note.file == REPORT for note in written.result.footnotes)


def test_statements_of_two_paragraphs_are_not_made_one(desk: Desk) -> None:
    apart = f"# Test report\n\n## Alarm\n\n{ALARM}\n\n{LASTS}\n"
    desk.project.write(REPORT, apart)
    desk.project.sync()
    assert _texts(Desk(desk.project).write(PROMPT, [JOINED])) == [ALARM, LASTS]


def test_the_model_reads_the_statements_and_the_rules_alone(desk: Desk) -> None:
    written = desk.write(SECTION, [JOINED])
    assert written.model is not None
    # One statement has nothing to be joined with: the weight is not sent.
    [prompt] = written.model.prompts
    assert prompt.system.startswith("You write sections")
    assert f"- {ALARM}\n- {LASTS}" in prompt.task
    assert "3.2 kg" not in prompt.task
    assert any("3.2 kg" in text for text in _texts(written))


def test_a_changed_value_gives_way_to_the_source(desk: Desk) -> None:
    written = desk.write(PROMPT, [JOINED.replace("78", "97")])
    assert _texts(written) == [ALARM, LASTS]
    assert any(isinstance(event, StreamDiscarded) for event in written.events)


def test_an_invention_is_left_out(desk: Desk) -> None:
    invented = "Nurses in every hospital love its quiet elegant purple colour."
    assert _texts(desk.write(PROMPT, [f"{JOINED} {invented}"])) == [JOINED]


def test_a_word_that_no_statement_has_gives_way_to_the_source(desk: Desk) -> None:
    added = JOINED.replace("sounds", "dependably sounds")
    assert _texts(desk.write(PROMPT, [added])) == [ALARM, LASTS]


def test_a_value_that_no_statement_has_is_left_out(desk: Desk) -> None:
    added = f"{ALARM[:-1]} and its stand is part GT9-777."
    assert _texts(desk.write(PROMPT, [added])) == [ALARM, LASTS]


def test_what_the_model_leaves_out_is_put_back_in_its_place(desk: Desk) -> None:
    assert _texts(desk.write(PROMPT, [LASTS])) == [ALARM, LASTS]
    assert _texts(desk.write(PROMPT, [""])) == [ALARM, LASTS]
    assert _texts(desk.write(PROMPT, ["NOT FOUND"])) == [ALARM, LASTS]


def test_nothing_stands_twice(desk: Desk) -> None:
    assert _texts(desk.write(PROMPT, [f"{ALARM} {ALARM} {LASTS} {JOINED}"])).count(ALARM) <= 1


def test_a_paragraph_is_joined_four_statements_at_a_time(desk: Desk) -> None:
    more = "".join(f"The alarm of the heater has lamp L{n}.\n\n" for n in range(6))
    desk.project.write("Context/Ongoing/lamps.md", f"# Lamps\n\n{more}")
    bench = Desk(desk.project)
    lamps = [f"The alarm of the heater has lamp L{n}." for n in range(6)]
    model = ScriptedModel(lambda _prompt: "")
    result = run_to_end(bench.write_plan(bench.ticked(PROMPT, lamps), model))
    assert [prompt.task.count("\n- ") for prompt in model.prompts] == [4, 2]
    assert lamps[3] in model.prompts[1].task
    assert [unit.text for unit in result.sentences] == ["Lamps:", *lamps]


def test_what_waits_to_be_joined_is_said(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    [point] = plan.points
    alarm, lasts = point.evidence
    twice = replace(plan, points=(replace(point, evidence=(alarm, lasts, alarm)),))
    model = ScriptedModel(lambda _prompt: "")
    result = run_to_end(desk.write_plan(twice, model))
    assert [unit.text for unit in result.sentences if unit.citations] == [ALARM, LASTS]
    assert all(unit.kind is not UnitKind.TODO for unit in result.sentences)


def test_a_gap_is_nothing_to_go_on_from(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    [point] = plan.points
    empty = replace(point, instruction="Describe the pump.", passages=(), evidence=())
    model = ScriptedModel(lambda _prompt: "")
    result = run_to_end(desk.write_plan(replace(plan, points=(empty, point)), model))
    assert result.sentences[0].kind is UnitKind.TODO
    assert "It follows this sentence" not in model.prompts[0].task


def test_a_loop_is_ended(desk: Desk) -> None:
    written = desk.write(PROMPT, [" ".join([ALARM] * 40)])
    assert _texts(written) == [ALARM, LASTS]


def test_half_a_sentence_at_the_limit_is_dropped(desk: Desk) -> None:
    endless = JOINED + " The " + " ".join(f"word{number}" for number in range(2000))
    written = desk.write(PROMPT, [endless])
    assert _texts(written) == [JOINED]
    assert "word1" not in written.result.text


def test_marks_of_the_models_own_are_taken_off(desk: Desk) -> None:
    written = desk.write(PROMPT, [f"**{ALARM[:-1]}** [7]. {LASTS[:-1]} [cite:x]."])
    text = written.result.text
    assert "[7]" not in text
    assert "[cite" not in text
    assert "**" not in text
    assert len(_texts(written)) == 2


def test_what_is_stopped_keeps_what_was_written(desk: Desk) -> None:
    def reply(_prompt: ModelPrompt) -> str:
        return JOINED

    events: list[object] = []

    def should_stop() -> bool:
        return any(isinstance(event, UnitBound) and event.footnotes for event in events)

    result = run_to_end(desk.job(SECTION, reply, should_stop), events.append)
    assert result.status is AnswerStatus.CANCELLED
    said = [u.text for u in result.sentences if u.kind is UnitKind.SENTENCE]
    assert said == ["Alarm:", JOINED]
    assert result.footnotes


def test_a_paragraph_that_is_stopped_stands_in_the_words_of_its_source(desk: Desk) -> None:
    events: list[object] = []

    def should_stop() -> bool:
        return any(isinstance(event, TextStreamed) for event in events)

    result = run_to_end(desk.job(SECTION, lambda _prompt: JOINED, should_stop), events.append)
    assert result.status is AnswerStatus.CANCELLED
    said = [u.text for u in result.sentences if u.kind is UnitKind.SENTENCE]
    assert said == ["Alarm:", ALARM, LASTS]
    streamed = [isinstance(event, TextStreamed) for event in events]
    assert any(isinstance(event, StreamDiscarded) for event in events[streamed.index(True) :])

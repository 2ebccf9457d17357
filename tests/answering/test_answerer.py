from __future__ import annotations

import pytest

from phasergun_desktop.answering.model import (
    AnswerStatus,
    ConfidenceLevel,
    FirstToken,
    PlanReady,
    PointStarted,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)
from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.protocol import ModelPrompt
from tests.answering.conftest import REPORT, Desk, Written

ALARM = "The alarm of the heater sounds at 78 dB."
WEIGHT = "The heater weighs 3.2 kg with its stand."
SECTION = "Write the Description section: alarm of the heater, weight of the heater."


def _stated(written: Written) -> list[DraftSentence]:
    kinds = (UnitKind.HEADING, UnitKind.TODO)
    return [unit for unit in written.result.sentences if unit.kind not in kinds]


def _texts(written: Written) -> list[str]:
    return [unit.text for unit in _stated(written)]


def test_a_sentence_is_bound_to_the_span_that_carries_it(desk: Desk) -> None:
    written = desk.write(SECTION, [ALARM, WEIGHT])
    assert written.result.status is AnswerStatus.COMPLETE
    assert _texts(written) == [ALARM, WEIGHT]
    notes = {note.number: note for note in written.result.footnotes}
    for unit in _stated(written):
        assert unit.support is Support.SUPPORTED
        note = notes[unit.citations[0]]
        assert note.file == REPORT
        assert note.quote == desk.text(REPORT)[note.start : note.end]
        assert note.quote in unit.text or unit.text in note.quote
    assert written.result.text.lstrip("# ").startswith("Description")
    assert "## Sources" in written.result.text


def test_the_passages_are_in_the_prompt_and_stable_parts_first(desk: Desk) -> None:
    written = desk.write(SECTION, [ALARM, WEIGHT])
    assert written.model is not None
    assert len(written.model.prompts) == len(written.result.plan.points) == 2
    for prompt, point in zip(written.model.prompts, written.result.plan.points, strict=True):
        assert prompt.system.startswith("You write sections")
        assert all(passage.text in prompt.shared for passage in point.passages)
        assert point.passages
        assert point.instruction in prompt.task
    assert len(written.result.metrics.prompt_sha256) == 2


def test_events_come_in_order(desk: Desk) -> None:
    written = desk.write(SECTION, [ALARM, WEIGHT])
    kinds = [type(event) for event in written.events]
    assert kinds[0] is PlanReady
    assert kinds.count(PointStarted) == 2
    assert kinds.count(FirstToken) == 1
    assert kinds.index(PointStarted) < kinds.index(FirstToken) < kinds.index(TextStreamed)
    bound = [event.unit for event in written.events if isinstance(event, UnitBound)]
    assert tuple(bound) == written.result.sentences
    new = [n.number for e in written.events if isinstance(e, UnitBound) for n in e.footnotes]
    assert new == [note.number for note in written.result.footnotes if note.kind != "standard"]


def test_a_sentence_that_repeats_is_dropped(desk: Desk) -> None:
    written = desk.write(SECTION, [f"{ALARM} {ALARM}", f"{ALARM} {WEIGHT}"])
    assert _texts(written) == [ALARM, WEIGHT]
    assert any(isinstance(event, StreamDiscarded) for event in written.events)


def test_a_loop_is_ended(desk: Desk) -> None:
    written = desk.write("Describe the alarm of the heater.", [" ".join([ALARM] * 40)])
    assert _texts(written) == [ALARM]
    assert written.model is not None
    assert written.model.stopped_early == 1


def test_not_found_is_a_visible_gap(desk: Desk) -> None:
    written = desk.write(SECTION, [ALARM, "NOT FOUND"])
    assert written.result.status is AnswerStatus.COMPLETE
    assert _texts(written) == [ALARM]
    gaps = [unit for unit in written.result.sentences if unit.kind is UnitKind.TODO]
    assert len(gaps) == 1
    assert "weight" in gaps[0].text
    assert written.result.discrepancies
    assert "NOT FOUND" not in written.result.text


def test_nothing_found_at_all_abstains(desk: Desk) -> None:
    written = desk.write(SECTION, ["NOT FOUND", "The passages do not state the weight."])
    result = written.result
    assert result.status is AnswerStatus.ABSTAINED
    assert result.footnotes == ()
    assert result.confidence.level is ConfidenceLevel.VERY_LOW
    assert result.confidence.score == 0
    assert "weight of the heater" in result.text
    assert result.missing


def test_half_a_sentence_at_the_limit_is_dropped(desk: Desk) -> None:
    endless = ALARM + " The " + " ".join(f"word{number}" for number in range(2000))
    written = desk.write("Describe the alarm of the heater.", [endless])
    assert _texts(written) == [ALARM]
    assert isinstance(written.events[-1], StreamDiscarded) or "word1" not in written.result.text


def test_an_invention_is_never_cited(desk: Desk) -> None:
    invented = "Nurses in every hospital love its quiet elegant purple colour."
    written = desk.write("Describe the alarm of the heater.", [f"{ALARM} {invented}"])
    for unit in _stated(written):
        if unit.text == invented:
            assert unit.support is Support.UNSUPPORTED
            assert unit.citations == ()
            assert ProblemCode.NO_SOURCE in {problem.code for problem in unit.problems}
    assert ALARM in _texts(written)


def test_a_sentence_that_its_source_contradicts_gives_way_to_the_source(desk: Desk) -> None:
    wrong = "The alarm of the heater sounds at 97 dB."
    written = desk.write("Describe the alarm of the heater.", [wrong])
    assert "97" not in written.result.text
    assert _texts(written) == [ALARM]
    [note] = written.result.footnotes
    assert note.quote == ALARM


def test_a_value_that_no_source_states_is_marked(desk: Desk) -> None:
    added = "The alarm of the heater sounds at 78 dB and its stand is part GT9-777."
    written = desk.write("Describe the alarm of the heater.", [added])
    [unit] = _stated(written)
    problems = {(problem.code, problem.value) for problem in unit.problems}
    assert any(c is ProblemCode.VALUE_MISSING and "GT9-777" in v for c, v in problems)
    assert unit.support is not Support.SUPPORTED


def test_marks_of_the_models_own_are_taken_off(desk: Desk) -> None:
    written = desk.write(
        "Describe the alarm of the heater.",
        ["The alarm of the heater sounds at 78 dB [7]. **The alarm lasts ten seconds** [cite:x]."],
    )
    text = written.result.text
    assert "[7]" not in text
    assert "[cite" not in text
    assert "**" not in text
    assert len(_texts(written)) == 2


def test_what_is_stopped_keeps_what_was_written(desk: Desk) -> None:
    def reply(_prompt: ModelPrompt) -> str:
        return f"{ALARM} The alarm lasts ten seconds."

    events: list[object] = []

    def should_stop() -> bool:
        return any(isinstance(event, UnitBound) and event.footnotes for event in events)

    result = run_to_end(desk.job(SECTION, reply, should_stop), events.append)
    assert result.status is AnswerStatus.CANCELLED
    assert [u.text for u in result.sentences if u.kind is UnitKind.SENTENCE] == [ALARM]
    assert result.footnotes
    assert ALARM[:-1] in result.text


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
        assert unit.text in source or unit.citations
    assert written.result.metrics.completion_tokens == 0


def test_a_standard_takes_a_number_without_a_quote(desk: Desk) -> None:
    written = desk.write("Describe the alarm of the heater according to ISO 14971.", [ALARM])
    standards = [note for note in written.result.footnotes if note.kind == "standard"]
    assert len(standards) == 1
    assert (standards[0].file, standards[0].quote) == ("", "")
    assert "ISO 14971" in standards[0].rendered

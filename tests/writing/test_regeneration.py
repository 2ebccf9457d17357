"""A sentence or a paragraph is written again, and never for the worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.grounding.judge import load_judge
from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.language_models.language_model import (
    ModelPrompt,
)
from phasergun_desktop.writing.model import AnswerResult, FirstToken, TextStreamed
from phasergun_desktop.writing.regeneration import (
    NEEDS_MODEL,
    NOTHING_ELSE,
    SAME_AGAIN,
    UNREADABLE,
    WORD_FOR_WORD,
    WORSE,
    Regenerator,
    RewriteTask,
    Rewriting,
)
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.desk import REPORT, SYSTEM, Desk
from tests.fakes.scripted_model import ScriptedModel

ALARM = "The alarm of the heater sounds at 78 dB."
AGAIN = "At 78 dB the alarm of the heater sounds."
DURATION = "The alarm lasts ten seconds."
INVENTED = "Hospitals across Europe praise its gentle melody and quiet operation."
SECTION = "# Alarm\n\nalarm of the heater\n\n# Weight\n\nweight of the heater"


def written(desk: Desk) -> AnswerResult:
    """A draft of which the writer has taken out how long the alarm lasts."""
    result = desk.verbatim(desk.plan(SECTION))
    return replace(
        result,
        sentences=tuple(unit for unit in result.sentences if unit.text != DURATION),
        footnotes=tuple(note for note in result.footnotes if note.quote != DURATION),
    )


def task_for(result: AnswerResult, *texts: str) -> RewriteTask:
    old = tuple(unit for unit in result.sentences if unit.text in texts)
    assert len(old) == len(texts)
    return RewriteTask(
        result.plan.points[old[0].point],
        old,
        tuple(unit for unit in result.sentences if unit not in old),
        result.footnotes,
        result.plan.title,
    )


def _regenerator(desk: Desk) -> Regenerator:
    embedder = desk.project.embedder
    return Regenerator(
        desk.documents,
        embedder,
        partial(load_judge, embedder, bundled_cross_encoder()),
        system=SYSTEM,
    )


def rewrite(
    desk: Desk, task: RewriteTask, model: ScriptedModel | None
) -> tuple[Rewriting, list[Event]]:
    regenerator = _regenerator(desk)
    events: list[Event] = []
    job = regenerator.rewrite(task, model, lambda: False)
    return run_to_end(job, events.append), events


def test_a_sentence_knows_its_point(desk: Desk) -> None:
    result = written(desk)
    stated = [unit for unit in result.sentences if unit.kind is UnitKind.SENTENCE]
    assert [(unit.text, unit.point) for unit in stated[:2]] == [("Alarm:", 0), (ALARM, 0)]
    assert stated[-1].point == 1


def test_the_same_passage_keeps_its_footnote(desk: Desk) -> None:
    result = written(desk)
    task = task_for(result, ALARM)
    model = ScriptedModel([AGAIN])
    found, events = rewrite(desk, task, model)
    (unit,) = found.units
    assert unit.text == AGAIN
    assert unit.support is Support.SUPPORTED
    assert unit.citations == task.old[0].citations
    assert found.footnotes == ()
    assert (unit.point, unit.starts_paragraph) == (0, task.old[0].starts_paragraph)
    assert [one.temperature for one in model.settings] == [0.0]
    (prompt,) = model.prompts
    assert all(passage.text in prompt.shared for passage in task.point.passages)
    assert ALARM in prompt.task
    assert any(isinstance(event, FirstToken) for event in events)
    assert any(isinstance(event, TextStreamed) for event in events)
    assert len(found.metrics.calls) == len(found.metrics.trace) == 1


def test_another_passage_gets_a_number_of_its_own(desk: Desk) -> None:
    result = written(desk)
    found, _ = rewrite(desk, task_for(result, ALARM), ScriptedModel([DURATION]))
    (unit,) = found.units
    (note,) = found.footnotes
    assert unit.citations == (note.number,)
    assert note.number == max(one.number for one in result.footnotes) + 1
    assert note.quote == desk.text(REPORT)[note.start : note.end] == DURATION
    assert note.rendered.startswith(f"[{note.number}] Context: {REPORT}")


def test_the_same_words_are_tried_again_more_freely(desk: Desk) -> None:
    result = written(desk)
    model = ScriptedModel([ALARM, AGAIN])
    found, _ = rewrite(desk, task_for(result, ALARM), model)
    assert [unit.text for unit in found.units] == [AGAIN]
    assert [one.temperature for one in model.settings] == [0.0, 0.4]
    model = ScriptedModel([ALARM, ALARM])
    found, _ = rewrite(desk, task_for(result, ALARM), model)
    assert (found.units, found.why_kept) == ((), SAME_AGAIN)


def test_the_old_sentence_before_another_one_is_passed_over(desk: Desk) -> None:
    found, _ = rewrite(desk, task_for(written(desk), ALARM), ScriptedModel([f"{ALARM} {AGAIN}"]))
    assert [unit.text for unit in found.units] == [AGAIN]


def test_what_a_document_says_of_itself_is_said_of_it_by_name(desk: Desk) -> None:
    own = "This guidance covers the alarm of the heater."
    desk.project.write("Context/Ongoing/self.md", f"# Alarms\n\n{own}\n\n{ALARM}\n")
    desk = Desk(desk.project)
    result = desk.write("Describe the alarm of the heater.", [ALARM]).result
    found, _ = rewrite(desk, task_for(result, ALARM), ScriptedModel([own]))
    assert [u.text for u in found.units] == ["“Alarms” covers the alarm of the heater."]


@pytest.mark.parametrize("worse", [INVENTED, "The alarm of the heater sounds at 95 dB."])
def test_what_is_carried_less_well_is_not_taken(desk: Desk, worse: str) -> None:
    result = written(desk)
    found, _ = rewrite(desk, task_for(result, ALARM), ScriptedModel([worse, worse]))
    assert (found.units, found.why_kept) == ((), WORSE)
    # In the place of a sentence that nothing carries it may stand.
    task = task_for(result, ALARM)
    invented = replace(task.old[0], text="It sings.", citations=(), support=Support.UNSUPPORTED)
    found, _ = rewrite(desk, replace(task, old=(invented,)), ScriptedModel([AGAIN]))
    assert [unit.support for unit in found.units] == [Support.SUPPORTED]


@pytest.mark.parametrize("reply", ["", "NOT FOUND", "The passages do not state this.", "%%% ##"])
def test_rubbish_or_nothing_leaves_the_old_sentence(desk: Desk, reply: str) -> None:
    found, _ = rewrite(desk, task_for(written(desk), ALARM), ScriptedModel([reply, reply]))
    assert (found.units, found.why_kept) == ((), NOTHING_ELSE)


def test_what_another_sentence_says_already_is_not_said_again(desk: Desk) -> None:
    weight = "The heater weighs 3.2 kg with its stand."
    found, _ = rewrite(desk, task_for(written(desk), ALARM), ScriptedModel([weight, weight]))
    assert (found.units, found.why_kept) == ((), NOTHING_ELSE)


def test_a_paragraph_may_be_a_sentence_longer(desk: Desk) -> None:
    result = desk.write(SECTION, [f"{ALARM} {DURATION}", "It weighs 3.2 kg."]).result
    task = task_for(result, ALARM, DURATION)
    found, _ = rewrite(desk, task, ScriptedModel([f"{AGAIN} The alarm lasts for ten seconds."]))
    assert [unit.starts_paragraph for unit in found.units] == [True, False]
    assert [unit.citations for unit in found.units] == [unit.citations for unit in task.old]


@pytest.mark.parametrize("is_withheld", [True, False])
def test_a_paragraph_with_a_source_that_may_not_be_read_is_left(
    desk: Desk, is_withheld: bool
) -> None:
    task = task_for(desk.verbatim(desk.plan(SECTION)), ALARM, DURATION)
    if is_withheld:
        task = replace(task, withheld=frozenset({REPORT}))
    else:
        changed = tuple(replace(note, sha256="changed") for note in task.footnotes)
        task = replace(task, footnotes=changed)
    model = ScriptedModel([f"{AGAIN} {DURATION}"])
    found, _ = rewrite(desk, task, model)
    assert (found.units, found.why_kept) == ((), UNREADABLE)
    assert model.prompts == []


def test_a_gap_is_filled_where_a_passage_states_it(desk: Desk) -> None:
    result = written(desk)
    gap = DraftSentence("[TODO: the alarm]", UnitKind.TODO, starts_paragraph=True, point=0)
    model = ScriptedModel([AGAIN])
    found, _ = rewrite(desk, replace(task_for(result, ALARM), old=(gap,)), model)
    assert [unit.kind for unit in found.units] == [UnitKind.SENTENCE]
    assert "TODO" not in model.prompts[0].task


def test_without_a_model_the_next_best_span_is_taken(desk: Desk) -> None:
    result = written(desk)
    task = task_for(result, ALARM)
    found, _ = rewrite(desk, task, None)
    (unit,) = found.units
    assert unit.text == DURATION
    assert found.footnotes[0].quote == DURATION
    exhausted = replace(task, others=(*task.others, unit))
    again, _ = rewrite(desk, exhausted, None)
    assert DURATION not in [one.text for one in again.units]


def test_an_answer_that_is_used_word_for_word_is_left(desk: Desk) -> None:
    task = replace(task_for(written(desk), ALARM), quotes=("the alarm of the heater",))
    model = ScriptedModel([AGAIN])
    found, _ = rewrite(desk, task, model)
    assert (found.units, found.why_kept) == ((), WORD_FOR_WORD)
    assert model.prompts == []


def test_stop_and_errors_leave_everything(desk: Desk) -> None:
    regenerator = _regenerator(desk)
    task = task_for(written(desk), ALARM)
    asked = iter([False, False])
    model = ScriptedModel([AGAIN])
    with pytest.raises(Cancelled):
        run_to_end(regenerator.rewrite(task, model, lambda: next(asked, True)))
    assert model.stopped_early == 1

    def fail(_prompt: ModelPrompt) -> str:
        raise ModelError("Gone", "The model is gone.", "Start it.")

    with pytest.raises(ModelError):
        run_to_end(regenerator.rewrite(task, ScriptedModel(fail), lambda: False))


# As the writer says ---------------------------------------------------------------------------


def wished(
    desk: Desk, wish: str, replies: Sequence[str], *texts: str
) -> tuple[Rewriting, ScriptedModel]:
    whole = desk.verbatim(desk.plan(SECTION))
    task = task_for(whole if DURATION in texts else written(desk), *texts)
    model = ScriptedModel(replies)
    return rewrite(desk, replace(task, wish=wish), model)[0], model


def test_a_wish_is_in_the_prompt_and_no_evidence(desk: Desk) -> None:
    found, model = wished(desk, "say that it is 95 dB", [AGAIN], ALARM)
    (prompt,) = model.prompts
    assert "say that it is 95 dB" in prompt.task
    assert "95 dB" not in prompt.shared
    assert ALARM in prompt.task
    assert [unit.text for unit in found.units] == [AGAIN]
    assert found.lost == ()


def test_a_value_that_only_the_wish_has_is_marked_and_the_footnotes_stay(desk: Desk) -> None:
    wrong = "The alarm of the heater sounds at 95 dB."
    found, _ = wished(desk, "the alarm is at 95 dB", [wrong], ALARM)
    (unit,) = found.units
    assert unit.text == wrong
    assert any("95" in problem.value for problem in unit.problems)
    assert unit.support is not Support.SUPPORTED
    assert unit.citations == task_for(desk.verbatim(desk.plan(SECTION)), ALARM).old[0].citations
    assert "78 dB" in " ".join(found.lost)


def test_what_nothing_carries_keeps_the_footnotes_of_before(desk: Desk) -> None:
    found, _ = wished(desk, "praise it", [INVENTED], ALARM)
    (unit,) = found.units
    assert unit.support is Support.UNSUPPORTED
    assert unit.citations


def test_a_wish_may_make_two_sentences_of_one_and_one_of_two(desk: Desk) -> None:
    both = f"{ALARM} {DURATION}"
    found, _ = wished(desk, "in two sentences", [both], ALARM)
    assert [unit.text for unit in found.units] == [ALARM, DURATION]
    assert [unit.support for unit in found.units] == [Support.SUPPORTED] * 2
    assert len({unit.citations for unit in found.units}) == 2
    one = "The alarm of the heater sounds at 78 dB for ten seconds."
    found, _ = wished(desk, "in one sentence", [one], ALARM, DURATION)
    assert [unit.text for unit in found.units] == [one]


def test_what_the_draft_says_elsewhere_is_not_said_twice(desk: Desk) -> None:
    weight = "The heater weighs 3.2 kg with its stand."
    found, _ = wished(desk, "longer", [f"{weight} {AGAIN}"], ALARM)
    assert [unit.text for unit in found.units] == [AGAIN]


def test_what_is_left_out_is_told(desk: Desk) -> None:
    found, _ = wished(desk, "shorter", ["The alarm of the heater sounds."], ALARM)
    assert [unit.support for unit in found.units] == [Support.SUPPORTED]
    assert found.lost == ("78 dB",)


def test_the_same_words_are_tried_once_more_and_then_told(desk: Desk) -> None:
    found, model = wished(desk, "shorter", [f"“{ALARM}”", AGAIN], ALARM)
    assert [unit.text for unit in found.units] == [AGAIN]
    assert len(model.prompts) == 2
    found, _ = wished(desk, "shorter", [ALARM, ALARM], ALARM)
    assert (found.units, found.why_kept) == ((), SAME_AGAIN)


def test_only_a_model_fulfils_a_wish(desk: Desk) -> None:
    task = task_for(desk.verbatim(desk.plan(SECTION)), ALARM)
    found, _ = rewrite(desk, replace(task, wish="shorter"), None)
    assert (found.units, found.why_kept) == ((), NEEDS_MODEL)

"""Answers that a model words: what of them stands, by profile, and what is left out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.conversations.model import Question, Turn, TurnStarted, TurnStatus
from phasergun_desktop.errors import ProfileError
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.language_models.language_model import (
    ModelPrompt,
)
from phasergun_desktop.planning.model import DocumentSummary
from phasergun_desktop.profiles.model import ModelMarks, Profile
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.composing import Composing
from phasergun_desktop.writing.model import FirstToken, PointStarted, StreamDiscarded, TextStreamed
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.warmer_project import TEST_REPORT
from tests.workspace.conftest import places_in

PROFILES = ("regulatory", "knowledge-base", "disclosure", "literature", "evidence")

ALARM = "At which temperature does the over-temperature alarm sound?"
TRUE = "The over-temperature alarm sounds at 42.5 °C with 78 dB at a distance of one metre."
INVENTED = "It was praised by nurses in every hospital of the country."
CHANGED = "The over-temperature alarm sounds at 47.5 °C."


@pytest.fixture(scope="module")
def application(
    tmp_path_factory: pytest.TempPathFactory, models_path: Path
) -> Iterator[Application]:
    """The product with folders of this module's own."""
    made = build_application(places_in(tmp_path_factory.mktemp("home"), models_path))
    yield made
    made.close()


@pytest.fixture
def told(
    opened: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Turn, list[Event], ScriptedModel]]:
    """Ask with a model that says what it is told to."""

    def ask(
        reply: str | Callable[[ModelPrompt], str],
        text: str = ALARM,
        *,
        profile: str = "",
        is_remote: bool = False,
        conversation_id: str = "",
    ) -> tuple[Turn, list[Event], ScriptedModel]:
        model = ScriptedModel(reply if callable(reply) else [reply] * 9)
        model.is_remote = is_remote
        model.context_tokens = 90_000
        monkeypatch.setattr(opened._models, "get", lambda: model)
        question = Question(text, profile=profile, uses_model=True)
        events: list[Event] = []
        job = opened.ask(question, conversation_id, should_stop=lambda: False)
        return run_to_end(job, events.append), events, model

    return ask


Ask = Callable[..., tuple[Turn, list[Event], ScriptedModel]]


def test_what_the_sources_carry_stands_and_the_rest_is_told(told: Ask) -> None:
    turn, events, model = told(f"{TRUE} {INVENTED} {CHANGED}")
    assert turn.status is TurnStatus.COMPLETE
    assert [unit.text for unit in turn.sentences] == [TRUE]
    assert turn.sentences[0].support is Support.SUPPORTED
    assert turn.footnotes[0].file == TEST_REPORT
    assert any("2 sentences" in each for each in turn.warnings)
    assert turn.model == "scripted"
    assert any(isinstance(each, FirstToken) for each in events)
    shown = "".join(each.text for each in events if isinstance(each, TextStreamed))
    assert TRUE in shown
    (prompt,) = model.prompts
    assert prompt.task == ALARM
    assert "42.5 °C" in prompt.shared
    assert "reply exactly: NOT FOUND" in prompt.system


@pytest.mark.parametrize("reply", ["NOT FOUND", "", INVENTED, "## Answer\nNOT FOUND."])
def test_an_answer_without_words_is_that_of_the_sources(told: Ask, reply: str) -> None:
    turn, events, _ = told(reply)
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in turn.text
    assert any(isinstance(each, StreamDiscarded) for each in events)


def test_what_is_nowhere_is_refused_whatever_the_model_says(told: Ask) -> None:
    turn, _, _ = told(INVENTED, "Who sewed the leather saddle of the racing horse?")
    assert (turn.status, turn.footnotes) == (TurnStatus.ABSTAINED, ())


@pytest.mark.parametrize(
    ("profile", "mark"),
    [
        ("disclosure", r"\[Document (\d+)\]\nTitle: [^\n]*\nContent: The over-temp"),
        ("evidence", r"### \[([^\]]+)\] Context/Ongoing/TR-100"),
        ("knowledge-base", r"\[source: (TR-100[^\],]*)"),
        ("literature", r"\[([\w-]+)\] TR-100"),
    ],
)
def test_marks_of_the_model_are_looked_up_and_not_shown(told: Ask, profile: str, mark: str) -> None:
    forms = {
        "disclosure": "[Citation {}]",
        "evidence": "[cite:{}]",
        "knowledge-base": "[source: {}, page 3]",
        "literature": "[{}]",
    }

    def reply(prompt: ModelPrompt) -> str:
        found = re.search(mark, prompt.shared)
        assert found is not None, prompt.shared
        own = forms[profile].format(found[1])
        return f"## Answer\n{TRUE.rstrip('.')} {own}.\n\n## References\n{own} A paper"

    turn, events, _ = told(reply, profile=profile)
    assert [unit.text for unit in turn.sentences] == [TRUE]
    assert turn.footnotes[0].file == TEST_REPORT
    assert not any("model" in each for each in turn.warnings)
    shown = "".join(each.text for each in events if isinstance(each, TextStreamed))
    assert "References" not in shown
    assert "##" not in shown


def test_a_mark_that_the_passage_does_not_bear_out_is_replaced(told: Ask) -> None:
    turn, _, _ = told(f"{TRUE.rstrip('.')} [Citation 999].", profile="disclosure")
    assert turn.footnotes[0].file == TEST_REPORT
    assert any(each.startswith("Citations of the model") for each in turn.warnings)


def test_a_remote_model_reads_whole_chunks_and_a_local_one_units(told: Ask) -> None:
    _, _, local = told(TRUE)
    _, _, remote = told(TRUE, is_remote=True)
    assert "leakage current" not in local.prompts[0].shared
    assert len(remote.prompts[0].shared) > len(local.prompts[0].shared)


def test_what_was_cited_earlier_stands_apart(told: Ask, opened: ProjectSession) -> None:
    _, events, _ = told(TRUE, profile="literature")
    name = next(each.conversation_id for each in events if isinstance(each, TurnStarted))
    turn, _, model = told(
        "The leakage current measured 12 µA in normal condition.",
        "What is the leakage current in normal condition?",
        profile="literature",
        conversation_id=name,
    )
    earlier, _, fresh = model.prompts[0].shared.partition("Literature:")
    assert earlier.startswith("Cited earlier in this conversation:")
    assert "42.5 °C" in earlier
    assert "12 µA" in fresh
    assert turn.footnotes[0].number == 2


def test_the_model_is_told_what_the_question_goes_on_from(told: Ask) -> None:
    _, events, _ = told(TRUE)
    name = next(each.conversation_id for each in events if isinstance(each, TurnStarted))
    turn, _, model = told(TRUE, "How loud is it?", conversation_id=name)
    assert [unit.text for unit in turn.sentences] == [TRUE]
    asked, _, now = model.prompts[0].task.partition("\n\n")
    assert asked == f"Asked before:\n- {ALARM}"
    assert now == "Answer only what is asked now: How loud is it?"
    # What is asked of another document is the same question, and not asked before.
    _, _, model = told(TRUE, f"and in {TEST_REPORT.rsplit('/', 1)[1]}?", conversation_id=name)
    task = model.prompts[0].task
    assert task.endswith("How loud is it?")
    assert "- How loud is it?" not in task


def test_each_part_of_a_question_is_answered_by_itself(told: Ask) -> None:
    text = f"{ALARM} Who sewed the leather saddle of the racing horse?"
    turn, _, _ = told(lambda prompt: TRUE if "alarm" in prompt.task else INVENTED, text)
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in turn.text
    assert "TODO" in turn.text
    assert "saddle" in turn.text


def _heard(reply: str, *, is_remote: bool) -> ScriptedModel:
    model = ScriptedModel([reply] * 9)
    model.is_remote = is_remote
    model.context_tokens = 90_000
    return model


def _changed(part: Any, path: str, value: object) -> Any:
    name, _, rest = path.partition(".")
    return replace(part, **{name: _changed(getattr(part, name), rest, value) if rest else value})


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize(
    ("key", "value", "is_remote"),
    [
        ("prompt.instructions", "Answer in verse.", False),
        ("prompt.context.heading", "Look here:", False),
        ("prompt.context.passage", "<{text}>", False),
        ("prompt.context.separator", "\n***\n", True),
        ("prompt.context.closing", "That is all.", False),
        ("prompt.use_primary_context", None, False),
        ("prompt.reading_budget_tokens", 1, False),
        ("prompt.remote_budget_tokens", 30, True),
        ("answer.temperature", 0.3, False),
        ("answer.maximum_tokens", 3, False),
        ("answer.heading", "## Said", False),
        ("citation.model_marks", None, False),
    ],
)
def test_every_key_for_a_model_acts(
    opened: ProjectSession, name: str, key: str, value: object, is_remote: bool
) -> None:
    question = f"{ALARM} What is the leakage current?"
    plan = opened.plan(ALARM if is_remote else question, asks=True)
    if key == "prompt.reading_budget_tokens":
        plan = opened.plan("What does the display show, and how does the device warm?", asks=True)
        plan = replace(plan, points=(replace(plan.points[0], evidence=plan.retrieved),))
    shipped = opened.engines.get(name).profile
    if key == "prompt.use_primary_context":
        value = not shipped.prompt.use_primary_context
    elif key == "citation.model_marks":
        marks = ModelMarks.CITATION_NUMBER, ModelMarks.CHUNK_ID
        value = next(each for each in marks if each is not shipped.citation.model_marks)
    reply = f"Well. Here it is.\n## Answer\n{TRUE.rstrip('.')} [Citation 999]."

    def heard(profile: Profile) -> object:
        drafting = opened.engines._make(profile).drafting.get()
        model = _heard(reply, is_remote=is_remote)
        compose = drafting.composing_with(Composing())
        job = drafting.answerer.answer(plan, model, lambda: False, compose=compose)
        events: list[Event] = []
        result = run_to_end(job, events.append)
        shown = [each.text for each in events if isinstance(each, TextStreamed)]
        return model.prompts, model.settings, result.text, result.warnings, shown

    assert heard(_changed(shipped, key, value)) != heard(shipped)
    assert heard(shipped) == heard(shipped)


def test_passages_are_cut_only_where_the_model_has_no_room_for_them(
    opened: ProjectSession,
) -> None:
    plan = opened.plan(ALARM, asks=True)
    shipped = opened.engines.get("regulatory").profile

    def read(context_tokens: int, profile: Profile) -> ModelPrompt:
        drafting = opened.engines._make(profile).drafting.get()
        model = _heard(TRUE, is_remote=True)
        model.context_tokens = context_tokens
        compose = drafting.composing_with(Composing())
        run_to_end(drafting.answerer.answer(plan, model, lambda: False, compose=compose))
        return model.prompts[0]

    cutting = _changed(shipped, "prompt.compress_above_tokens", 1)
    prompt = read(90_000, cutting)
    assert len(plan.retrieved) > 1
    assert all(passage.text in prompt.shared for passage in plan.retrieved)
    # Of a context in which all of it fits just so, and of one that lacks ten words.
    words = len(f"{prompt.system} {prompt.shared} {ALARM}".split())
    enough = words + shipped.answer.maximum_tokens + 200
    assert read(enough, cutting) == prompt
    short = read(enough - 10, cutting)
    assert not all(passage.text in short.shared for passage in plan.retrieved)
    # What is not cut is left out from the end.
    assert read(enough - 10, shipped) != short


@pytest.mark.slow
def test_the_bundled_model_answers_and_stops(
    application: Application, opened: ProjectSession
) -> None:
    question = Question(ALARM, uses_model=True)
    turn = run_to_end(opened.ask(question, should_stop=lambda: False))
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in turn.text
    asked_to_stop: list[float] = []

    def should_stop() -> bool:
        return bool(asked_to_stop)

    job = opened.ask(question, should_stop=should_stop)
    while not asked_to_stop:
        # What comes next is reading the prompt.
        if isinstance(next(job), PointStarted):
            asked_to_stop.append(time.perf_counter())
    run_to_end(job)
    assert time.perf_counter() - asked_to_stop[0] < 1.0
    kept = opened.conversations()[0]
    assert opened.conversation(kept.conversation_id).turns[0].status is TurnStatus.CANCELLED


def test_an_agent_speaks_in_the_rules_and_bounds_the_sources(
    opened: ProjectSession, told: Ask
) -> None:
    _, _, model = told(TRUE)
    assert "You review a 510(k)" not in model.prompts[0].system
    question = Question(ALARM, agent="regulatory-reviewer", uses_model=True)
    run_to_end(opened.ask(question, should_stop=lambda: False))
    assert "You review a 510(k)" in model.prompts[1].system
    guide = Question(ALARM, agent="procedure-guide")
    turn = run_to_end(opened.ask(guide, should_stop=lambda: False))
    assert all(note.file.startswith("Procedures/") for note in turn.footnotes)
    assert opened.activity.entries(1)[0].activity.agent == "procedure-guide"
    before = opened.conversations()
    for question in (Question(ALARM, agent="nobody"), Question(ALARM, profile="nothing")):
        with pytest.raises(ProfileError, match="There is no"):
            run_to_end(opened.ask(question, should_stop=lambda: False))
    assert opened.conversations() == before


def test_an_agent_of_an_artifact_fills_in_its_template(opened: ProjectSession) -> None:
    question = Question("Make a blueprint of this project", agent="blueprint")
    turn = run_to_end(opened.ask(question, should_stop=lambda: False))
    assert turn.status is TurnStatus.COMPLETE
    assert "## Overview" in turn.text


def test_what_is_said_of_one_thing_is_no_answer_on_another(told: Ask) -> None:
    said = "The over-temperature battery alarm sounds at 42.5 °C with 78 dB."
    turn, _, _ = told(said, "At which temperature does the over-temperature battery alarm sound?")
    assert said not in [unit.text for unit in turn.sentences]


def test_how_documents_begin_is_read_where_the_passages_leave_room(opened: ProjectSession) -> None:
    plan = opened.plan(ALARM, asks=True)
    briefs = [DocumentSummary(f"{n}.md", f"Paper {n}", f"It begins so: {n}.") for n in (1, 2)]
    drafting = opened.engines.get("regulatory").drafting.get()

    def read(context_tokens: int, *, is_remote: bool = True) -> str:
        model = _heard(TRUE, is_remote=is_remote)
        model.context_tokens = context_tokens
        compose = drafting.composing_with(Composing())
        with_briefs = replace(plan, summaries=tuple(briefs))
        run_to_end(drafting.answerer.answer(with_briefs, model, lambda: False, compose=compose))
        return model.prompts[0].shared

    assert all(f"Paper {n}: It begins so: {n}." in read(90_000) for n in (1, 2))
    assert "It begins so" not in read(600) + read(90_000, is_remote=False)
    assert TRUE in read(600)

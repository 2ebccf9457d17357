"""Every key of an agent changes what is asked and drafted when it is changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from phasergun_desktop.conversations.model import Question, Turn
from phasergun_desktop.errors import ProfileError
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.profiles.agents import Agent, AgentStore
from phasergun_desktop.retrieval.filters import parse_filter
from phasergun_desktop.settings.model_choice import ModelChoice, ModelProfile, ModelSource
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.json_form import plan_json
from phasergun_desktop.workspace.language_model_slot import ChosenModel
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.scripted_model import ScriptedModel
from tests.workspace.conftest import places_in

PROMPT = "Describe the alarm behaviour and the warming accuracy in one paragraph."
ALARM = "At which temperature does the over-temperature alarm sound?"
PERSONA = "You write as a sailor would."
# A section that has a paragraph of several statements in the project.
JOINED = "performance-testing"
KEYS = {"name": "mine", "title": "Mine", "persona": PERSONA, "maximum_tokens": "500"}

Write = Callable[..., None]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def application(home: Path, models_path: Path, smollm2_path: Path) -> Iterator[Application]:
    """The product with the small model for each profile but one, whose file is gone."""
    made = build_application(places_in(home, models_path))
    choices = made.workspace.language_models
    generation = choices.generation()
    for profile, file in (
        (ModelProfile.BALANCED, smollm2_path),
        (ModelProfile.CHEAP, home / "small.gguf"),
        (ModelProfile.PREMIUM, home / "gone.gguf"),
    ):
        choice = ModelChoice(ModelSource.FILE, file=str(file))
        generation = generation.with_choice(profile, choice)
    (home / "small.gguf").symlink_to(smollm2_path)
    choices.save(generation)
    yield made
    made.close()


@pytest.fixture
def write(home: Path) -> Iterator[Write]:
    """Write the agent “mine” with other values of some keys."""
    path = home / "config" / "agents" / "mine.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)

    def write(**keys: str) -> None:
        path.write_text("".join(f"{k}: {v}\n" for k, v in {**KEYS, **keys}.items()), "utf-8")

    write()
    yield write
    path.unlink(missing_ok=True)


@pytest.fixture
def scripted(opened: ProjectSession, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """A model that finds nothing to say, in the place of every other."""
    model = ScriptedModel(lambda _: "NOT FOUND")
    shared = opened._models._shared

    def get(chosen: ChosenModel | None = None) -> ScriptedModel:
        model.name = (chosen or shared.chosen).name
        return model

    monkeypatch.setattr(shared, "get", get)
    return model


def _drafted(session: ProjectSession, prompt: str = PROMPT, **options: bool) -> AnswerResult:
    plan = session.plan(prompt, agent=session.agent("mine"))
    return run_to_end(session.draft(plan, should_stop=lambda: False, **options))


def _asked(session: ProjectSession, on_event: Callable[[Event], None] = lambda _: None) -> Turn:
    question = Question(ALARM, agent="mine", uses_model=True)
    return run_to_end(session.ask(question, should_stop=lambda: False), on_event)


def test_the_persona_is_in_the_rules_of_every_prompt(
    opened: ProjectSession, write: Write, scripted: ScriptedModel
) -> None:
    write(output=JOINED)
    as_artifact = Question("Write this section", agent="mine", uses_model=True)
    _drafted(opened, "")
    run_to_end(opened.ask(as_artifact, should_stop=lambda: False))
    write()
    _asked(opened)
    assert len(scripted.prompts) == 3
    assert all(prompt.system.endswith(PERSONA) for prompt in scripted.prompts)
    scripted.prompts.clear()
    run_to_end(opened.draft(opened.plan("", JOINED), should_stop=lambda: False))
    assert len(scripted.prompts) == 1
    assert "sailor" not in scripted.prompts[0].system


def test_who_wrote_a_draft_rewrites_it(
    opened: ProjectSession, write: Write, scripted: ScriptedModel
) -> None:
    draft = opened.keep(_drafted(opened, use_model=False), "")
    at = next(i for i, unit in enumerate(draft.units) if unit.citations)
    for wish in ("", "shorter"):
        scripted.prompts.clear()
        run_to_end(opened.regenerate(draft, [at], should_stop=lambda: False, wish=wish))
        assert scripted.prompts
        assert all(prompt.system.endswith(PERSONA) for prompt in scripted.prompts)


def test_its_name_is_in_plan_draft_and_log(opened: ProjectSession, write: Write) -> None:
    result = _drafted(opened, use_model=False)
    kept = opened.keep(result, "")
    assert json.loads(kept.plan_json)["agent"] == "mine"
    assert opened.activity.entries(1)[0].activity.agent == "mine"
    printed = plan_json(result.plan)
    assert opened.plan_of(printed).agent == "mine"
    with pytest.raises(ProfileError, match="no agent"):
        opened.plan_of({**printed, "agent": "nobody"})


def test_its_title_is_listed(opened: ProjectSession, write: Write) -> None:
    assert "Mine" in [agent.title for agent in opened.agents()]
    write(title="Yours")
    assert "Yours" in [agent.title for agent in opened.agents()]


def test_its_output_is_the_outline_unless_another_is_chosen(
    opened: ProjectSession, write: Write
) -> None:
    write(output="blueprint")
    agent = opened.agent("mine")
    assert opened.plan("", agent=agent).template == "blueprint"
    assert opened.plan("", "pdr", agent=agent).template == "pdr"
    assert "## Overview" in _drafted(opened, "", use_model=False).text


def test_its_maximum_bounds_a_draft_and_an_answer(
    opened: ProjectSession, write: Write, scripted: ScriptedModel
) -> None:
    write(maximum_tokens="60")
    result = _drafted(opened, use_model=False)
    stated = sum(len(unit.text.split()) for unit in result.sentences if unit.citations)
    assert 0 < stated <= 45 == result.plan.maximum_words
    write(maximum_tokens="20000", output="blueprint")
    assert opened.plan("", agent=opened.agent("mine")).maximum_words == 900
    scripted._replies = lambda _: "It sounds " * 400
    write(maximum_tokens="30")
    assert _asked(opened).result.metrics.completion_tokens <= 30  # type: ignore[union-attr]


def test_its_sources_bound_a_draft_that_names_no_filters(
    opened: ProjectSession, write: Write
) -> None:
    write(sources="[layer=sops]")
    result = _drafted(opened, "What do the procedures say of risk?", use_model=False)
    assert result.footnotes
    assert {note.layer for note in result.footnotes if note.file} == {"sops"}
    plan = opened.plan(PROMPT, agent=opened.agent("mine"))
    assert [f"{one.key}={one.value}" for one in plan.filters] == ["layer=sops"]


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("format=md", ["format=md", "layer=sops"]),
        ("layer=ongoing", ["layer=ongoing"]),
    ],
)
def test_its_sources_stay_beside_filters_on_something_else(
    opened: ProjectSession, write: Write, asked: str, searched: list[str]
) -> None:
    write(sources="[layer=sops]")
    plan = opened.plan(PROMPT, filters=(parse_filter(asked),), agent=opened.agent("mine"))
    assert [f"{one.key}={one.value}" for one in plan.filters] == searched


def test_the_model_of_its_profile_answers_and_the_one_in_use_where_that_is_gone(
    opened: ProjectSession, write: Write, scripted: ScriptedModel
) -> None:
    usual = _asked(opened)
    assert usual.model == "SmolLM2-135M-Instruct.Q4_1"
    assert not any("profile" in each for each in usual.warnings)
    write(model_profile="cheap")
    assert opened.model_status(opened.agent("mine")) == ""
    assert _asked(opened).model == "small"
    assert _drafted(opened).metrics.model == "small"
    write(model_profile="premium")
    turn = _asked(opened)
    assert turn.model == usual.model
    [told] = [each for each in turn.warnings if "“Mine”" in each]
    assert "The model profile premium that the agent “Mine” is to use (gone) cannot be used" in told
    assert f"so {usual.model} was" in told
    assert told in _drafted(opened).warnings


@pytest.mark.slow
def test_two_models_take_turns(opened: ProjectSession, write: Write) -> None:
    shared = opened._models._shared
    write(maximum_tokens="20", model_profile="cheap")
    events: list[Event] = []
    assert _asked(opened, events.append).model == "small"
    assert Progress("Loading the language model") in events
    assert not shared.holds(shared.chosen)
    write(maximum_tokens="20")
    assert _asked(opened).model == "SmolLM2-135M-Instruct.Q4_1"
    assert shared.holds(shared.chosen)


def test_there_is_a_test_of_every_key() -> None:
    shown = {"name", "title", "persona", "model_profile", "output", "maximum_tokens", "sources"}
    assert {each.name for each in fields(Agent)} == shown | {"warnings"}


def test_a_model_named_for_this_run_outranks_an_agent(
    home: Path, models_path: Path, smollm2_path: Path, write: Write
) -> None:
    write(model_profile="cheap")
    agent = AgentStore(home, home / "config" / "agents").load("mine")
    for options in ({"model": str(smollm2_path)}, {"model_profile": ModelProfile.BALANCED}):
        made = build_application(places_in(home, models_path), **options)
        shared = made._shared.model
        assert agent.model_profile is not None
        assert shared.of_profile(agent.model_profile) is shared.chosen
        made.close()

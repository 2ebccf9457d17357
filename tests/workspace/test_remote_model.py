"""A model server of the user's: only after a yes, without confidential documents, with its cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.conversations.model import Question, TurnStatus
from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.settings.endpoint_keys import KeyringKeys
from phasergun_desktop.settings.model_choice import (
    ModelChoice,
    ModelProfile,
    ModelSource,
    RemoteEndpoint,
)
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.model_choices import ConnectionTrial
from phasergun_desktop.workspace.model_in_use import agreed, remote_notice
from phasergun_desktop.workspace.outgoing import ConfidentialText, GuardedModel
from phasergun_desktop.workspace.rewritten_groups import Regeneration
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus
from tests.fakes.fake_keyring import FakeKeyring
from tests.fakes.model_server import Conversation, ModelServer
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.warmer_project import TEST_REPORT, add_alarm_statement, make_warmer_project
from tests.workspace.conftest import places_in

PROMPT = "Write the Performance section: temperature accuracy; alarm behaviour."
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50}


def _copying(conversation: Conversation) -> None:
    """Answer with a sentence of the passages that were sent, or with nothing found."""
    asked = conversation.body["messages"][-1]["content"]
    found = re.search(r"[A-Z][^.\n]*42\.5 °C[^.\n]*\.", asked)
    conversation.say(found[0] if found else "NOT FOUND", usage=USAGE)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer(_copying)
    yield made
    made.close()


@pytest.fixture
def keyring() -> FakeKeyring:
    return FakeKeyring()


@pytest.fixture
def remote(
    tmp_path: Path, models_path: Path, server: ModelServer, keyring: FakeKeyring
) -> Iterator[Application]:
    """The product with a server as its premium model, in use but not agreed to."""
    made = build_application(
        places_in(tmp_path / "home", models_path), keys=KeyringKeys(lambda: keyring)
    )
    choices = made.workspace.language_models
    endpoint = RemoteEndpoint(
        server.address,
        "large",
        price_per_million_prompt_tokens=2.0,
        price_per_million_written_tokens=10.0,
    )
    generation = choices.generation().with_choice(
        ModelProfile.PREMIUM, ModelChoice(ModelSource.REMOTE, endpoint=endpoint)
    )
    choices.save(replace(generation, model_profile=ModelProfile.PREMIUM))
    yield made
    made.close()


@pytest.fixture
def opened(remote: Application, tmp_path: Path) -> Iterator[ProjectSession]:
    root = make_warmer_project(tmp_path / "project")
    add_alarm_statement(root)
    session = remote.workspace.open(root)
    run_to_end(session.sync())
    yield session
    session.close()


def _draft(session: ProjectSession, prompt: str = PROMPT) -> AnswerResult:
    return run_to_end(session.draft(session.plan(prompt), should_stop=lambda: False))


def _sent(server: ModelServer) -> str:
    return "\n".join(request.raw.decode() for request in server.requests)


def _label(session: ProjectSession, file: str, label: str) -> None:
    path = session.project.root / "Procedures/categories.yaml"
    path.write_text(f'documents:\n  "{file}": {{confidentiality: {label}}}\n', "utf-8")
    run_to_end(session.sync())
    record = next(each for each in session.documents() if each.file == file)
    assert record.confidentiality == label


def test_without_a_yes_nothing_is_sent(opened: ProjectSession, server: ModelServer) -> None:
    assert opened.model_status() == ""
    run_to_end(opened.warm())
    with pytest.raises(ModelError, match="not agreed"):
        _draft(opened)
    assert server.requests == []


def test_after_a_yes_the_draft_is_written_there_with_key_and_cost(
    remote: Application, opened: ProjectSession, server: ModelServer, keyring: FakeKeyring
) -> None:
    choices = remote.workspace.language_models
    assert choices.set_key(server.address, "sk-1")
    assert choices.set_consent(ModelProfile.PREMIUM, agrees=True).premium.endpoint.has_consent
    result = _draft(opened)
    assert result.status is AnswerStatus.COMPLETE
    assert "42.5 °C" in result.text
    assert result.footnotes
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer sk-1"}
    assert result.metrics.model == f"large at 127.0.0.1:{server.port}"
    opened.log(ActivityKind.DRAFT, result)
    (entry,) = opened.activity.entries(limit=1)
    calls = len(server.requests)
    assert entry.activity.prompt_tokens == calls * 1000
    assert entry.activity.cost == pytest.approx(calls * (1000 * 2.0 + 50 * 10.0) / 1e6)
    assert opened.activity.verify().ok
    # The key is in the keyring and in no file of the product.
    assert "sk-1" in keyring.entries.values()
    home = opened.project.root.parent / "home"
    assert all(b"sk-1" not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    # Taking it back holds from the next draft on.
    choices.set_consent(ModelProfile.PREMIUM, agrees=False)
    with pytest.raises(ModelError, match="not agreed"):
        _draft(opened)
    assert len(server.requests) == calls


def test_consent_that_another_window_took_back_holds_at_once(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    choices = remote.workspace.language_models
    choices.set_consent(ModelProfile.PREMIUM, agrees=True)
    _draft(opened)
    calls = len(server.requests)
    # The other window has a store of its own for the same file.
    other = SettingsStore(remote.workspace.settings.path)
    settings = other.load()
    choice = settings.generation.premium
    endpoint = replace(choice.endpoint, consented_address="")
    generation = settings.generation.with_choice(
        ModelProfile.PREMIUM, replace(choice, endpoint=endpoint)
    )
    other.change(lambda before: replace(before, generation=generation))
    asked = opened._models.get().generate(
        ModelPrompt("", "", "Go"), GenerationSettings(), GenerationMetrics(), lambda: False
    )
    with pytest.raises(ModelError, match="not agreed"):
        list(asked)
    assert len(server.requests) == calls


def test_a_draft_that_came_to_nothing_is_logged(opened: ProjectSession) -> None:
    with pytest.raises(ModelError) as caught:
        _draft(opened)
    (entry,) = opened.activity.entries(limit=1)
    activity = entry.activity
    assert (activity.kind, activity.status) == (ActivityKind.DRAFT, "error")
    assert (activity.prompt, activity.errors) == (PROMPT, (caught.value.message,))
    assert activity.model == opened.model_name()


@pytest.mark.parametrize("fails", [False, True])
def test_writing_again_is_logged_with_what_it_cost(
    remote: Application, opened: ProjectSession, server: ModelServer, fails: bool
) -> None:
    remote.workspace.language_models.set_consent(ModelProfile.PREMIUM, agrees=True)
    draft = opened.keep(_draft(opened), "")
    index = next(i for i, unit in enumerate(draft.units) if "42.5" in unit.text)
    calls = len(server.requests)

    def job() -> Regeneration:
        return run_to_end(opened.regenerate(draft, [index], should_stop=lambda: False))

    if fails:
        server.answer_with(lambda c: c.fail(500, "broken"))
        with pytest.raises(ModelError):
            job()
    else:
        job()
    sent = len(server.requests) - calls
    assert sent > 0
    (entry,) = opened.activity.entries(limit=1)
    activity = entry.activity
    assert activity.status == ("error" if fails else "regenerated")
    assert activity.subject == draft.draft_id
    assert activity.model == draft.model
    assert len(activity.prompt_sha256) == sent
    assert activity.chunk_ids
    assert bool(activity.errors) is fails
    if not fails:
        assert activity.prompt_tokens == sent * 1000
        assert activity.cost == pytest.approx(sent * (1000 * 2.0 + 50 * 10.0) / 1e6)


def test_a_yes_is_to_the_server_that_was_named(remote: Application, server: ModelServer) -> None:
    generation = remote.workspace.language_models.generation()
    notice = remote_notice(generation)
    assert notice is not None
    assert notice.address == server.address
    given = agreed(generation, notice)
    assert given.premium.endpoint.has_consent
    # The same host and port: the path tells the one from the other.
    moved = replace(
        generation.premium, endpoint=RemoteEndpoint(f"{server.address}/elsewhere", "large")
    )
    for other in (moved, ModelChoice()):
        with pytest.raises(ModelError, match="server was changed"):
            agreed(generation.with_choice(ModelProfile.PREMIUM, other), notice)


def test_another_profile_is_used_from_the_next_draft_on(
    remote: Application, opened: ProjectSession, server: ModelServer, smollm2_path: Path
) -> None:
    choices = remote.workspace.language_models
    choices.set_consent(ModelProfile.PREMIUM, agrees=True)
    _draft(opened)
    calls = len(server.requests)
    generation = choices.generation().with_choice(
        ModelProfile.CHEAP, ModelChoice(ModelSource.FILE, file=str(smollm2_path))
    )
    choices.save(generation)
    choices.use(ModelProfile.CHEAP)
    result = _draft(opened, "Write the Performance section: alarm behaviour.")
    assert result.metrics.model == smollm2_path.stem
    assert len(server.requests) == calls
    opened.log(ActivityKind.DRAFT, result)
    assert opened.activity.entries(limit=1)[0].activity.cost is None
    assert remote_notice(choices.generation()) is None


def test_confidential_documents_stay_here_and_that_is_said(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    choices = remote.workspace.language_models
    choices.set_consent(ModelProfile.PREMIUM, agrees=True)
    _draft(opened)
    assert "42.5 °C" in _sent(server)
    server.requests.clear()
    _label(opened, TEST_REPORT, "confidential")
    text = opened.source(TEST_REPORT).document.text
    result = _draft(opened)
    assert any(TEST_REPORT in warning for warning in result.warnings)
    assert TEST_REPORT not in {note.file for note in result.footnotes}
    sent = _sent(server)
    for sentence in (line.strip() for line in text.splitlines() if len(line.split()) >= 8):
        assert sentence not in sent
    # The user may allow it for this server.
    generation = choices.generation()
    endpoint = replace(generation.premium.endpoint, sends_confidential=True)
    choices.save(
        generation.with_choice(ModelProfile.PREMIUM, replace(generation.premium, endpoint=endpoint))
    )
    server.requests.clear()
    _draft(opened)
    assert "42.5 °C" in _sent(server)


def test_a_prompt_that_quotes_a_confidential_document_is_not_sent(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    remote.workspace.language_models.set_consent(ModelProfile.PREMIUM, agrees=True)
    prompt = "Write the Performance section for [Master Record|Device Name]: alarm behaviour."
    plan = opened.plan(prompt)
    file = next(each.value.file for each in plan.references if each.value is not None)
    _label(opened, file, "secret")
    with pytest.raises(ModelError, match="quotes a confidential"):
        _draft(opened, prompt)
    assert server.requests == []


def test_the_guard_stops_confidential_words_whichever_way_they_come(
    opened: ProjectSession,
) -> None:
    text = opened.source(TEST_REPORT).document.text
    words = text.split()
    _label(opened, TEST_REPORT, "restricted")

    def parsed(document_id: int) -> object:
        found = next(e for e in opened.documents() if e.document_id == document_id)
        return opened.source(found.file).document

    inner = ScriptedModel(["Yes."] * 9)
    guarded = GuardedModel(inner, ConfidentialText(opened.documents(), parsed))  # type: ignore[arg-type]
    ways: tuple[Callable[[str], ModelPrompt], ...] = (
        lambda quote: ModelPrompt(quote, "", ""),
        lambda quote: ModelPrompt("", f"1. {quote.upper()}", ""),
        lambda quote: ModelPrompt("", "", "\n".join(quote.split())),
    )
    for way in ways:
        prompt = way(" ".join(words[20:44]))
        with pytest.raises(ModelError, match="confidential"):
            list(guarded.generate(prompt, GenerationSettings(), GenerationMetrics(), lambda: False))
        with pytest.raises(ModelError, match="confidential"):
            guarded.yes_odds(prompt, GenerationMetrics(), lambda: False)
    assert inner.prompts == []
    harmless = ModelPrompt(
        "", "The alarm sounds when it is too warm, and that is all we say.", "Go"
    )
    assert list(
        guarded.generate(harmless, GenerationSettings(), GenerationMetrics(), lambda: False)
    )


def test_the_trial_of_a_connection_sends_nothing_of_a_project(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    choices = remote.workspace.language_models
    endpoint = choices.generation().premium.endpoint
    trial = run_to_end(choices.try_connection(endpoint, "sk-2", lambda: False))
    assert isinstance(trial, ConnectionTrial)
    assert trial.said == "NOT FOUND"
    (asked,) = server.requests
    assert asked.headers["authorization"] == "Bearer sk-2"
    assert opened.project.name not in asked.raw.decode()
    assert len(asked.raw) < 500


def test_a_question_is_answered_there_without_confidential_documents(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    remote.workspace.language_models.set_consent(ModelProfile.PREMIUM, agrees=True)
    _label(opened, "Context/General/Supplier-Note.md", "confidential")
    question = Question("At which temperature does the over-temperature alarm sound?")
    asked = replace(question, uses_model=True)
    turn = run_to_end(opened.ask(asked, should_stop=lambda: False))
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in turn.text
    assert turn.model == f"large at 127.0.0.1:{server.port}"
    (request,) = server.requests
    # Whole chunks go there; what a label keeps here does not.
    assert "leakage current" in _sent(server)
    assert "Ostwald" not in _sent(server)
    assert request.body["max_tokens"] == 500
    entry = opened.activity.entries(limit=1)[0].activity
    assert entry.cost == pytest.approx((1000 * 2.0 + 50 * 10.0) / 1e6)
    # Every chunk that was sent is in the log, also those that are not cited or selected.
    assert turn.result is not None
    plan = turn.result.plan
    told = json.loads(request.raw)["messages"]
    text = "\n".join(each["content"] for each in told)
    sent = {each.chunk_id for each in plan.retrieved if each.text in text}
    assert sent - {each.chunk_id for each in plan.passages}
    assert sent <= set(entry.chunk_ids)
    assert opened.activity.verify().ok
    # In the words of the sources nothing is sent.
    run_to_end(opened.ask(question, should_stop=lambda: False))
    assert len(server.requests) == 1


def test_a_question_that_the_server_fails_on_is_logged_with_what_was_found(
    remote: Application, opened: ProjectSession, server: ModelServer
) -> None:
    remote.workspace.language_models.set_consent(ModelProfile.PREMIUM, agrees=True)
    server.answer_with(lambda c: c.fail(500, "broken"))
    question = Question("At which temperature does the alarm sound?", uses_model=True)
    turn = run_to_end(opened.ask(question, should_stop=lambda: False))
    assert turn.status is TurnStatus.ERROR
    assert server.requests
    entry = opened.activity.entries(limit=1)[0].activity
    assert (entry.kind, entry.status, entry.prompt) == (ActivityKind.ASK, "error", question.text)
    assert entry.chunk_ids
    assert entry.model == f"large at 127.0.0.1:{server.port}"
    assert entry.profile == "regulatory"
    assert entry.total_ms > 0
    assert entry.conversation_id
    assert all(each in turn.error for each in entry.errors)


def test_without_a_yes_a_question_is_not_sent_and_says_so(
    opened: ProjectSession, server: ModelServer
) -> None:
    question = Question("At which temperature does the alarm sound?", uses_model=True)
    turn = run_to_end(opened.ask(question, should_stop=lambda: False))
    assert turn.status is TurnStatus.ERROR
    assert "not agreed" in turn.error
    assert server.requests == []
    kept = opened.conversations()[0].conversation_id
    assert opened.conversation(kept).turns == (turn,)
    assert opened.activity.entries(limit=1)[0].activity.errors


def test_an_agents_server_is_used_only_after_a_yes_and_named(
    remote: Application, opened: ProjectSession, server: ModelServer, smollm2_path: Path
) -> None:
    choices = remote.workspace.language_models
    here = ModelChoice(ModelSource.FILE, file=str(smollm2_path))
    choices.save(choices.generation().with_choice(ModelProfile.BALANCED, here))
    choices.use(ModelProfile.BALANCED)
    agent = opened.agent("regulatory-reviewer")
    assert agent.model_profile is ModelProfile.PREMIUM
    slot = opened._models_of(agent)
    assert slot.endpoint is None
    assert "“phasergun models consent premium”" in slot.notice
    choices.set_consent(ModelProfile.PREMIUM, agrees=True)
    events: list[Event] = []

    def drafted() -> AnswerResult:
        plan = opened.plan(PROMPT, agent=agent)
        return run_to_end(opened.draft(plan, should_stop=lambda: False), events.append)

    result = drafted()
    where = f"large at 127.0.0.1:{server.port}"
    told = f"The agent “{agent.title}” writes with {where}: what it reads is sent there."
    assert told in result.warnings
    assert Progress(told) in events
    assert result.metrics.model == where
    assert "42.5 °C" in _sent(server)
    opened.log(ActivityKind.DRAFT, result)
    (entry,) = opened.activity.entries(limit=1)
    assert entry.activity.cost
    _label(opened, TEST_REPORT, "confidential")
    server.requests.clear()
    assert any(TEST_REPORT in each for each in drafted().warnings)
    assert "42.5" not in _sent(server)

"""What reranks is what the settings say now, where the profile wants it and nobody writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.conversations.model import Question, TurnStatus
from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.language_model import LanguageModel, ModelPrompt
from phasergun_desktop.retrieval.reranking import ShouldStop
from phasergun_desktop.settings.model import Reranking, RerankWith
from phasergun_desktop.settings.model_choice import RemoteEndpoint
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.chosen_reranker import ChosenReranker
from phasergun_desktop.workspace.language_model_slot import ChosenModel, SharedModel
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.tiny_models import make_cross_encoder

ALARM = "At which temperature does the over-temperature alarm sound?"
TWO = f"{ALARM} How loud is the alarm?"
OTHERS = "What does the display show? What is the leakage current?"
FIRST_ORDER = "The passages are in their first order:"

Use = Callable[..., None]


class _Fixed:
    """Gives every text the same score."""

    def __init__(self, score: float, identity: str = "usual") -> None:
        self._score = score
        self.identity = identity

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        """The one score."""
        del query, should_stop
        return [self._score] * len(texts)


def _chosen(
    load: Callable[[], LanguageModel], problem: str = "", endpoint: RemoteEndpoint | None = None
) -> ChosenModel:
    return ChosenModel("model", "model", lambda: problem, load, endpoint)


def _with_model(shared: SharedModel) -> ChosenReranker:
    settings = Reranking(RerankWith.LANGUAGE_MODEL)
    return ChosenReranker(
        lambda: settings, _Fixed(0.5), shared, lambda path: _Fixed(0.1, str(path))
    )


def _never() -> bool:
    return False


def test_the_settings_are_read_each_time() -> None:
    shared = SharedModel(_chosen(lambda: ScriptedModel(['{"grades": [9]}'])))
    settings = Reranking()
    made: list[Path] = []

    def make(path: Path) -> _Fixed:
        made.append(path)
        return _Fixed(0.1, str(path))

    reranker = ChosenReranker(lambda: settings, _Fixed(0.5), shared, make)
    assert (reranker.scores("q", ["t"], _never), reranker.identity) == ([0.5], "usual")
    settings = Reranking(RerankWith.LANGUAGE_MODEL)
    assert (reranker.scores("q", ["t"], _never), reranker.identity) == ([1.0], "model")
    settings = Reranking(RerankWith.CROSS_ENCODER, "a")
    assert (reranker.scores("q", ["t"], _never), reranker.identity) == ([0.1], "a")
    reranker.scores("q", ["t"], _never)
    settings = Reranking(RerankWith.CROSS_ENCODER, "b")
    reranker.scores("q", ["t"], _never)
    assert made == [Path("a"), Path("b")]


def test_a_model_that_is_missing_or_a_server_does_not_rerank() -> None:
    def never() -> LanguageModel:
        raise AssertionError("not loaded")

    reranker = _with_model(SharedModel(_chosen(never, "Its file is gone.")))
    with pytest.raises(ModelError, match="gone") as caught:
        reranker.scores("q", ["t"], _never)
    assert "Settings" in caught.value.remedy
    endpoint = RemoteEndpoint("http://127.0.0.1:1/v1", "large", consented_address="x")
    with pytest.raises(ModelError, match="is a server"):
        _with_model(SharedModel(_chosen(never, endpoint=endpoint))).scores("q", ["t"], _never)


def test_who_cannot_stop_it_does_not_get_the_language_model() -> None:
    model = ScriptedModel(lambda _: '{"grades": [9]}')
    reranker = _with_model(SharedModel(_chosen(lambda: model)))
    with pytest.raises(ModelError, match="typed"):
        reranker.scores("q", ["t"])
    with pytest.raises(Cancelled):
        reranker.scores("q", ["t"], lambda: True)
    # And the turn is free again.
    assert reranker.scores("q", ["t"], _never) == [1.0]


def test_it_does_not_wait_for_a_draft_and_a_draft_waits_for_it() -> None:
    model = ScriptedModel(lambda _: '{"grades": [9]}')
    shared = SharedModel(_chosen(lambda: model))
    reranker = _with_model(shared)
    with shared.turn(), pytest.raises(ModelError, match="busy"):
        reranker.scores("q", ["t"], _never)
    assert model.prompts == []
    assert reranker.scores("q", ["t"], _never) == [1.0]
    with shared.turn():
        pass


def test_it_gives_way_to_a_draft_that_comes_meanwhile() -> None:
    reading, waits = threading.Event(), threading.Event()

    def slowly(_prompt: ModelPrompt) -> str:
        reading.set()
        assert waits.wait(10)
        return '{"grades": [9]}'

    shared = SharedModel(_chosen(lambda: ScriptedModel(slowly)))
    drafted: list[bool] = []

    def draft() -> None:
        assert reading.wait(10)
        with shared.turn():
            drafted.append(True)

    def watch() -> None:
        while not shared.is_waited_for:
            reading.wait(0.01)
        waits.set()

    threads = [threading.Thread(target=each) for each in (draft, watch)]
    for each in threads:
        each.start()
    with pytest.raises(ModelError, match="busy"):
        _with_model(shared).scores("q", ["t"], _never)
    for each in threads:
        each.join()
    assert drafted == [True]


@pytest.fixture
def use(application: Application) -> Use:
    """Choose what reranks."""
    store = application.workspace.settings

    def use(method: RerankWith, path: Path = Path()) -> None:
        chosen = Reranking(method, str(path))
        store.change(lambda before: replace(before, reranking=chosen))

    return use


def test_a_cross_encoder_reranks_questions_of_several_parts(
    session: ProjectSession, use: Use, tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")
    usual = session.search(TWO, profile="evidence")
    folder = make_cross_encoder(tmp_path / "tiny")
    use(RerankWith.CROSS_ENCODER, folder)
    found = session.search(TWO, profile="evidence")
    assert found.warnings == ()
    scores = {hit.chunk_id: hit.rerank for hit in found.hits}
    assert None not in scores.values()
    assert f"reranker {folder};" in session.versions_in_words("evidence")
    assert "reranker" not in session.versions_in_words("regulatory")
    assert scores != {hit.chunk_id: hit.rerank for hit in usual.hits}
    for plain in (
        session.search(TWO, profile="evidence", is_fast=True),
        session.search(ALARM, profile="evidence"),
        session.search(TWO, profile="regulatory"),
    ):
        assert plain.hits
        assert {hit.rerank for hit in plain.hits} == {None}


def test_a_question_is_answered_without_reranking_where_that_fails_and_says_so(
    session: ProjectSession, use: Use, tmp_path: Path
) -> None:
    use(RerankWith.CROSS_ENCODER, tmp_path / "missing")
    found = session.search(TWO, profile="evidence")
    assert found.hits
    assert [each.startswith(FIRST_ORDER) for each in found.warnings] == [True]
    question = Question(TWO, profile="evidence")
    turn = run_to_end(session.ask(question, should_stop=lambda: False))
    assert "42.5 °C" in turn.text
    assert any(each.startswith(FIRST_ORDER) for each in turn.warnings)
    for plain in (replace(question, is_fast=True), replace(question, text=ALARM)):
        turn = run_to_end(session.ask(plain, should_stop=lambda: False))
        assert not any(each.startswith(FIRST_ORDER) for each in turn.warnings)


def test_the_language_model_reranks_a_question(
    application: Application,
    session: ProjectSession,
    use: Use,
) -> None:
    graded: list[ModelPrompt] = []

    def reply(prompt: ModelPrompt) -> str:
        graded.append(prompt)
        count = prompt.shared.count("\n\n") + 1
        return f'{{"grades": {list(range(count))}}}'

    shared = application._shared.model
    shared.choose(_chosen(lambda: ScriptedModel(reply)))
    use(RerankWith.LANGUAGE_MODEL)
    turn = run_to_end(session.ask(Question(TWO, profile="evidence"), should_stop=lambda: False))
    assert turn.result is not None
    assert not any(each.startswith(FIRST_ORDER) for each in turn.warnings)
    assert [prompt.task.splitlines()[0] for prompt in graded] == [
        f"Question: {need.need.query}" for need in turn.result.plan.needs
    ]
    asked_before = len(graded)
    stopped = run_to_end(session.ask(Question(OTHERS, profile="evidence"),
                                     should_stop=lambda: True))  # fmt: skip
    assert stopped.status is TurnStatus.CANCELLED
    assert len(graded) == asked_before + 1
    # The panel does not wait for it.
    found = session.search(TWO, profile="evidence")
    assert found.hits
    assert any("typed" in each for each in found.warnings)

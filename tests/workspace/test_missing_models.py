"""A file of the product that is missing takes what needs it away, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from phasergun_desktop import wiring
from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.embedding.cross_encoder import CROSS_ENCODER_FILE
from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in

ALARM = "At which temperature does the over-temperature alarm sound?"
EMBEDDER_FILE = "all-MiniLM-L6-v2-int8.onnx"
ABSENT = "is not there or cannot be read. Install PhaserGun again"
BY_WORDS, BY_SELECTOR = "by keywords alone", "was chosen by a weaker rule"

OpenWithout = Callable[[str], AbstractContextManager[ProjectSession]]


@pytest.fixture
def open_without(tmp_path: Path, models_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenWithout:
    """Open one and the same project with a product that lacks a file of its models."""
    root = make_warmer_project(tmp_path / "project")

    @contextmanager
    def opened(missing: str) -> Iterator[ProjectSession]:
        resources = tmp_path / "resources" / (missing or "whole")
        (resources / "models").mkdir(parents=True, exist_ok=True)
        for path in (*resources_path().iterdir(), *(resources_path() / "models").iterdir()):
            link = resources / path.relative_to(resources_path())
            if path.name != missing and not link.exists():
                link.symlink_to(path)
        monkeypatch.setattr(wiring, "resources_path", lambda: resources)
        places = places_in(tmp_path / "home", models_path)
        with (
            closing(wiring.build_application(places)) as application,
            closing(application.workspace.open(root)) as session,
        ):
            yield session

    return opened


def _ask(session: ProjectSession) -> tuple[Turn, list[str]]:
    turn = run_to_end(session.ask(Question(ALARM), should_stop=lambda: False))
    return turn, [each for each in turn.warnings if ABSENT in each]


@pytest.mark.parametrize("missing", [EMBEDDER_FILE, "tokenizer.json"])
def test_without_the_embedder_words_are_compared(open_without: OpenWithout, missing: str) -> None:
    with open_without("") as session:
        run_to_end(session.sync())
        usual = session.search(ALARM)
    with open_without(missing) as session:
        found = session.search(ALARM)
        assert found.hits[0].file == usual.hits[0].file
        assert [BY_WORDS in each and ABSENT in each for each in found.warnings] == [True]
        turn, told = _ask(session)
        assert any(BY_WORDS in each for each in told)
        if missing == EMBEDDER_FILE:
            assert "42.5 °C" in turn.text
        else:
            # The cross-encoder reads by it too.
            assert "42.5 °C" in turn.unused[0].text
            assert any(BY_SELECTOR in each for each in told)
        assert session.plan("Describe the alarm behaviour.").by_words
        run_to_end(session.warm())
        with pytest.raises(ModelError, match=missing):
            run_to_end(session.sync())
    with open_without("") as session:
        assert session.search(ALARM).hits == usual.hits
        assert run_to_end(session.sync()).embedded == 0


def test_without_the_cross_encoder_the_selector_chooses(open_without: OpenWithout) -> None:
    with open_without("") as session:
        run_to_end(session.sync())
        assert _ask(session)[1] == []
    with open_without(CROSS_ENCODER_FILE) as session:
        turn, told = _ask(session)
        # In a project of a few sentences the selector is never as sure as it takes to answer.
        assert turn.status is TurnStatus.ABSTAINED
        assert "42.5 °C" in turn.unused[0].text
        assert [BY_SELECTOR in each and CROSS_ENCODER_FILE in each for each in told] == [True]
        assert session.search(ALARM).warnings == ()
        plan = session.plan("Describe the alarm behaviour.")
        assert not plan.by_words
        assert [BY_SELECTOR in each for each in plan.warnings] == [True]
        draft = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
        assert "42.5 °C" in draft.text

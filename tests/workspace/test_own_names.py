"""What the user or a document calls a thing by a name of its own is found, answered and planned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.settings.model import Naming, Settings
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in

QUESTION = "At which Tmax does the OTA sound?"
ANSWER = "42.5 °C"


@pytest.fixture
def places(tmp_path: Path, models_path: Path) -> Places:
    return places_in(tmp_path / "home", models_path)


@pytest.fixture
def session(tmp_path: Path, places: Places) -> Iterator[ProjectSession]:
    root = make_warmer_project(tmp_path / "project")
    with (
        closing(build_application(places)) as application,
        closing(application.workspace.open(root)) as opened,
    ):
        run_to_end(opened.sync())
        yield opened


def _ask(session: ProjectSession) -> Turn:
    return run_to_end(session.ask(Question(QUESTION), should_stop=lambda: False))


def test_own_names_hold_from_the_next_question_on(session: ProjectSession, places: Places) -> None:
    before = session.search("OTA", limit=1).hits[0]
    assert _ask(session).status is TurnStatus.ABSTAINED
    chance = max(need.chance for need in session.plan("Describe the OTA.").needs)

    store = SettingsStore(places.config / "settings.json")
    names = ("OTA = over-temperature alarm", "Tmax = temperature")
    store.change(lambda kept: replace(kept, naming=Naming(names)))
    found = session.search("OTA", limit=1).hits[0]
    assert "over-temperature alarm" in found.text
    assert found.score != before.score
    answered = _ask(session)
    assert answered.status is TurnStatus.COMPLETE
    assert ANSWER in answered.text
    assert answered.question.text == QUESTION
    plan = session.plan("Describe the OTA.")
    assert max(need.chance for need in plan.needs) > chance
    assert [need.need.quote for need in plan.needs] == ["Describe the OTA"]

    store.change(lambda kept: replace(kept, naming=Settings().naming))
    assert session.search("OTA", limit=1).hits[0] == before


def test_what_a_document_abbreviates_holds_from_the_next_sync_on(session: ProjectSession) -> None:
    # That a temperature belongs to the OTA can be guessed.
    question = Question("How loud is the OTA?")
    before = session.search("OTA", limit=1).hits[0]
    glossary = session.project.root / "Context" / "Ongoing" / "Glossary.md"
    rows = ("| Abbreviation | Meaning |", "|---|---|", "| OTA | over-temperature alarm |")
    general = session.project.root / "Context" / "General" / "Digest.md"
    general.parent.mkdir(parents=True, exist_ok=True)
    general.write_text("# Digest\n\n" + "\n".join(rows) + "\n", "utf-8")
    run_to_end(session.sync())
    assert session.search("OTA", limit=5).hits[-1].score <= before.score
    asked = run_to_end(session.ask(question, should_stop=lambda: False))
    assert asked.status is TurnStatus.ABSTAINED

    glossary.write_text("# Glossary\n\n" + "\n".join(rows) + "\n", "utf-8")
    run_to_end(session.sync())
    asked = run_to_end(session.ask(question, should_stop=lambda: False))
    assert asked.status is TurnStatus.COMPLETE
    assert ANSWER in asked.text

"""Each profile answers on project-glucose with the real engine as its document says: citations in
its own form that open the very words, and its own words where nothing answers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession

pytestmark = pytest.mark.slow

ANSWERED = "What part number does the control solution have and how many levels are there?"
MEMORY = "What is the memory of the meter?"
FOLLOW_UP = "and its measuring range?"
UNANSWERED = "What is the battery capacity of GlucoTrace G2 in mAh?"
# How a citation stands in the text, and how the answer begins where there is none.
FORMS = {
    "regulatory": (r"4 mL each\[\d+\]", "Not in these documents:"),
    "disclosure": (r"4 mL each\[Citation \d+\]", "I don't have enough information"),
    "knowledge-base": (r"4 mL each\[source: Device description, ", "I don’t see content"),
    "literature": (r"\A## Answer\n(?s:.*)4 mL each\[\d+\]", "Not in these papers:"),
    "evidence": (r"4 mL each\[cite:[0-9a-f]{20}\]", "Not in these documents:"),
}


@pytest.fixture(scope="module")
def glucose(
    test_data: Path, models_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProjectSession]:
    """The project, indexed from nothing, with the language model of the settings."""
    home = tmp_path_factory.mktemp("glucose")
    root = home / "project"
    shutil.copytree(test_data / "project-glucose", root, copy_function=shutil.copyfile)
    places = Places(home / "cache", home / "data", home / "config", models_path)
    with (
        closing(build_application(places)) as application,
        closing(application.workspace.open(root)) as session,
    ):
        run_to_end(session.sync())
        yield session


def _ask(session: ProjectSession, text: str, profile: str, *, uses_model: bool = False) -> Turn:
    question = Question(text, profile=profile, uses_model=uses_model)
    return run_to_end(session.ask(question, should_stop=lambda: False))


def _opens_its_words(session: ProjectSession, turn: Turn) -> bool:
    notes = [note for note in turn.footnotes if note.file]
    texts = [session.source(note.file).document.text[note.start : note.end] for note in notes]
    return bool(notes) and texts == [note.quote for note in notes]


@pytest.mark.parametrize("profile", FORMS)
def test_an_answer_in_the_words_of_its_sources(glucose: ProjectSession, profile: str) -> None:
    form, refusal = FORMS[profile]
    turn = _ask(glucose, ANSWERED, profile)
    assert turn.status is TurnStatus.COMPLETE
    assert re.search(form, turn.text), turn.text
    assert "GT2-310" in turn.text
    assert _opens_its_words(glucose, turn)
    refused = _ask(glucose, UNANSWERED, profile)
    assert (refused.status, refused.footnotes) == (TurnStatus.ABSTAINED, ())
    assert refused.text.startswith(refusal)


@pytest.mark.parametrize("profile", FORMS)
def test_an_answer_in_the_words_of_the_real_model(glucose: ProjectSession, profile: str) -> None:
    turn = _ask(glucose, ANSWERED, profile, uses_model=True)
    assert turn.status is TurnStatus.COMPLETE
    assert "GT2-310" in turn.text
    assert _opens_its_words(glucose, turn)
    assert all(unit.support is not Support.UNSUPPORTED for unit in turn.sentences)
    refused = _ask(glucose, UNANSWERED, profile, uses_model=True)
    assert refused.status is TurnStatus.ABSTAINED
    assert refused.text.startswith(FORMS[profile][1])


@pytest.mark.parametrize("profile", FORMS)
def test_numbers_hold_in_a_conversation(glucose: ProjectSession, profile: str) -> None:
    first = Question(MEMORY, profile=profile)
    before = {one.conversation_id for one in glucose.conversations()}
    one = run_to_end(glucose.ask(first, should_stop=lambda: False))
    (conversation,) = {c.conversation_id for c in glucose.conversations()} - before
    two = run_to_end(
        glucose.ask(Question(FOLLOW_UP, profile=profile), conversation, should_stop=lambda: False)
    )
    assert (two.before, two.rewritten) == ((MEMORY,), f"{FOLLOW_UP} – after “{MEMORY}”")
    kept = {(note.file, note.start, note.end): note.number for note in one.footnotes}
    for note in two.footnotes:
        place = (note.file, note.start, note.end)
        assert note.number == kept.get(place, note.number)
        assert place in kept or note.number > max(kept.values(), default=0)

"""Questions are answered in conversations that are kept, with numbers that hold."""

from __future__ import annotations

import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from docx import Document

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.conversations.model import Question, Turn, TurnStarted, TurnStatus
from phasergun_desktop.drafts.renumbering import renumbered
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import ExportError, ModelError, PromptError, StorageError
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.answer_selection import AnswerFinder
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.json_form import plan_json
from phasergun_desktop.workspace.kept_results import draft_of
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import PlanReady, UnitBound
from tests.fakes.warmer_project import TEST_REPORT
from tests.workspace.conftest import places_in

ALARM = "At which temperature does the alarm sound?"
LEAKAGE = "What is the leakage current in normal condition?"


def _ask(
    session: ProjectSession, text: str, conversation_id: str = "", again: int = 0
) -> tuple[Turn, str]:
    turn, events = _told(session, text, conversation_id, again)
    (started,) = [each for each in events if isinstance(each, TurnStarted)]
    return turn, started.conversation_id


def _told(
    session: ProjectSession, text: str, conversation_id: str = "", again: int = 0
) -> tuple[Turn, list[Event]]:
    events: list[Event] = []
    job = session.ask(Question(text), conversation_id, should_stop=lambda: False, again=again)
    return run_to_end(job, events.append), events


def test_an_answer_is_kept_and_logged(shared_session: ProjectSession) -> None:
    turn, events = _told(shared_session, ALARM)
    assert [type(each) for each in events[:2]] == [TurnStarted, PlanReady]
    assert any(isinstance(each, UnitBound) for each in events)
    assert (turn.status, turn.number) == (TurnStatus.COMPLETE, 1)
    assert "42.5 °C" in turn.text
    assert turn.footnotes[0].file == TEST_REPORT
    assert turn.band
    assert turn.unused
    assert not {note.start for note in turn.footnotes if note.file == TEST_REPORT} & {
        each.start for each in turn.unused if each.file == TEST_REPORT
    }
    summary = shared_session.conversations()[0]
    assert (summary.title, summary.turns) == (ALARM, 1)
    assert shared_session.conversation(summary.conversation_id).turns == (turn,)
    entry = shared_session.activity.entries(1)[0].activity
    assert entry.kind is ActivityKind.ASK
    assert (entry.conversation_id, entry.prompt) == (summary.conversation_id, ALARM)
    assert entry.chunk_ids
    assert entry.average_similarity is not None


def test_the_confidence_of_an_answer_in_part_is_that_of_what_is_stated(
    shared_session: ProjectSession,
) -> None:
    asked = "At which temperature does the alarm sound, and who sewed the leather saddle?"
    turn, _ = _ask(shared_session, asked)
    assert "42.5 °C" in turn.text
    assert "[TODO: “who sewed the leather saddle?” was not found" in turn.text
    assert turn.confidence is not None
    assert turn.confidence.score > 0.6
    assert "Not answered, and not counted" in turn.confidence.rationale
    assert "“who sewed the leather saddle?”" in turn.confidence.rationale


def test_numbers_hold_in_the_whole_conversation(shared_session: ProjectSession) -> None:
    first, name = _ask(shared_session, ALARM)
    second, _ = _ask(shared_session, LEAKAGE, name)
    third, _ = _ask(shared_session, ALARM, name)
    numbers = [[note.number for note in turn.footnotes] for turn in (first, second, third)]
    assert numbers[0] == list(range(1, len(numbers[0]) + 1))
    assert min(numbers[1]) == len(numbers[0]) + 1
    assert third.footnotes == first.footnotes
    assert third.text == first.text
    for turn in (first, second, third):
        for note in turn.footnotes:
            assert note.rendered.startswith(f"[{note.number}] ")
            assert note.rendered in turn.text
            assert f"[{note.number}]" in turn.text.partition("## Sources")[0]
        cited = {number for unit in turn.sentences for number in unit.citations}
        assert cited == {note.number for note in turn.footnotes}


def test_two_windows_in_one_conversation_give_no_number_twice(
    shared_session: ProjectSession,
) -> None:
    _, name = _ask(shared_session, "How loud is the over-temperature alarm?")
    before = shared_session.conversation(name).turns[0].footnotes
    # Both begin from the same numbers; the second is done before the first.
    first = shared_session.ask(Question(LEAKAGE), name, should_stop=lambda: False)
    next(first)
    second, _ = _ask(shared_session, "What is the range of flow rates?", name)
    late = run_to_end(first)
    other = shared_session.ask(Question(ALARM), name, should_stop=lambda: False)
    next(other)
    same, _ = _ask(shared_session, ALARM, name)
    turns = shared_session.conversation(name).turns
    assert [turn.number for turn in turns] == [1, 2, 3, 4, 5]
    assert turns[1:3] == (late, second)
    fresh = [n.number for turn in (second, late) for n in turn.footnotes]
    assert fresh == list(range(len(before) + 1, len(before) + len(fresh) + 1))
    for note in late.footnotes:
        assert note.rendered.startswith(f"[{note.number}] ")
        assert note.rendered in late.text
        assert f"[{note.number}]" in late.text.partition("## Sources")[0]
    assert {n for unit in late.sentences for n in unit.citations} == {
        note.number for note in late.footnotes
    }
    # What both cite has one number.
    assert run_to_end(other).footnotes == same.footnotes
    assert _ask(shared_session, LEAKAGE, name)[0].footnotes == late.footnotes


def test_two_programs_in_one_conversation_give_no_number_twice(
    session: ProjectSession, tmp_path: Path, models_path: Path
) -> None:
    _, name = _ask(session, "How loud is the over-temperature alarm?")
    first = session.ask(Question(LEAKAGE), name, should_stop=lambda: False)
    next(first)
    with (
        closing(build_application(places_in(tmp_path / "home", models_path))) as application,
        closing(application.workspace.open(session.project.root)) as other,
    ):
        assert len(other.conversation(name).turns) == 2
        second, _ = _ask(other, "What does the display show?", name)
    late = run_to_end(first)
    assert session.conversation(name).turns[1:] == (late, second)
    numbers = [note.number for turn in (late, second) for note in turn.footnotes]
    assert len(numbers) == len(set(numbers)) >= 2


def test_a_question_asked_again_takes_the_place_of_the_turn(
    shared_session: ProjectSession,
) -> None:
    _, name = _ask(shared_session, ALARM)
    _ask(shared_session, "What is the leakage current?", name)
    turn, _ = _ask(shared_session, "How loud is the over-temperature alarm?", name, again=1)
    assert shared_session.conversation(name).turns == (turn,)
    assert turn.number == 1
    assert "78 dB" in turn.text


def test_a_question_that_is_nowhere_is_refused(shared_session: ProjectSession) -> None:
    turn, _ = _ask(shared_session, "Who sewed the leather saddle of the racing horse?")
    assert (turn.status, turn.footnotes) == (TurnStatus.ABSTAINED, ())
    assert turn.confidence is not None
    assert turn.confidence.score == 0
    assert shared_session.activity.entries(1)[0].activity.confidence == 0


@pytest.mark.parametrize("text", ["hello", "Hi there!", "Thank you very much.", "Good morning"])
def test_a_greeting_is_answered_without_a_look(shared_session: ProjectSession, text: str) -> None:
    turn, events = _told(shared_session, text)
    assert not any(isinstance(each, PlanReady) for each in events)
    assert (turn.status, turn.footnotes) == (TurnStatus.COMPLETE, ())
    assert turn.text.startswith("Hello.")
    entry = shared_session.activity.entries(1)[0].activity
    assert (entry.confidence, entry.answer, entry.chunk_ids) == (0, turn.text, ())


@pytest.mark.parametrize("text", ["", " \n", "???", "… !"])
def test_nothing_asked_is_told_and_not_kept(shared_session: ProjectSession, text: str) -> None:
    before = shared_session.conversations()
    with pytest.raises(PromptError, match="no words"):
        _ask(shared_session, text)
    assert shared_session.conversations() == before


@pytest.mark.parametrize(
    "text",
    [
        "Lärm ±5 % и тревога 警報 ؟",
        'alarm" OR 1=1 -- NEAR(alarm, 5) * ^ {text}: "',
        "\ud800 alarm temperature",
        "SELECT * FROM chunks; DROP TABLE turns",
        "alarm " * 3400,
        "[Context|Nowhere|absent.docx] What is the alarm?",
    ],
)
def test_strange_questions_get_a_turn(shared_session: ProjectSession, text: str) -> None:
    turn, name = _ask(shared_session, text)
    assert turn.status in (TurnStatus.COMPLETE, TurnStatus.ABSTAINED, TurnStatus.BLOCKED)
    assert shared_session.conversation(name).turns == (turn,)
    assert bool(turn.error) == (turn.status is TurnStatus.BLOCKED)


def test_an_unknown_conversation_is_told_before_anything(shared_session: ProjectSession) -> None:
    job = shared_session.ask(Question(ALARM), "nowhere", should_stop=lambda: False)
    with pytest.raises(StorageError, match="no longer"):
        run_to_end(job)


def test_a_stop_and_a_closed_window_are_kept(shared_session: ProjectSession) -> None:
    job = shared_session.ask(Question(ALARM), should_stop=lambda: True)
    turn = run_to_end(job)
    assert turn.status is TurnStatus.CANCELLED
    job = shared_session.ask(Question(ALARM), should_stop=lambda: False)
    started = next(job)
    assert isinstance(started, TurnStarted)
    kept = shared_session.conversation(started.conversation_id)
    assert kept.turns[0].status is TurnStatus.STARTED
    job.close()
    kept = shared_session.conversation(started.conversation_id)
    assert kept.turns[0].status is TurnStatus.CANCELLED


def test_conversations_are_exported(shared_session: ProjectSession, tmp_path: Path) -> None:
    turn, name = _ask(shared_session, ALARM)
    _ask(shared_session, "Who sewed the leather saddle of the racing horse?", name)
    shared_session.export_conversation(name, tmp_path / "talk.md")
    text = (tmp_path / "talk.md").read_text("utf-8")
    assert f"## {ALARM}" in text
    assert turn.sentences[0].text in text
    assert turn.footnotes[0].rendered in text
    assert "saddle" in text
    shared_session.export_conversation(name, tmp_path / "talk.docx")
    words = "\n".join(each.text for each in Document(str(tmp_path / "talk.docx")).paragraphs)
    assert ALARM in words
    entry = shared_session.activity.entries(1)[0].activity
    assert (entry.kind, entry.conversation_id) == (ActivityKind.EXPORT, name)
    with pytest.raises(ExportError):
        shared_session.export_conversation(name, tmp_path / "talk.xyz")


def test_marks_are_those_of_the_profile_wherever_they_stand(
    shared_session: ProjectSession, tmp_path: Path
) -> None:
    events: list[Event] = []
    asked = Question(ALARM, profile="evidence")
    turn = run_to_end(shared_session.ask(asked, should_stop=lambda: False), events.append)
    (started,) = [each for each in events if isinstance(each, TurnStarted)]
    unit, note = turn.sentences[0], turn.footnotes[0]
    mark = f"[cite:{note.chunk_id}]"
    assert note.chunk_id
    assert note.mark == mark
    assert mark in [n.mark for e in events if isinstance(e, UnitBound) for n in e.footnotes]
    assert f"{unit.text}{mark}" in turn.text
    assert note.rendered.endswith(f", {note.chunk_id}")
    shared_session.export_conversation(started.conversation_id, tmp_path / "talk.md")
    assert f"{unit.text}{mark}" in (tmp_path / "talk.md").read_text("utf-8")
    shared_session.export_conversation(started.conversation_id, tmp_path / "talk.docx")
    with zipfile.ZipFile(tmp_path / "talk.docx") as package:
        assert mark in package.read("word/footnotes.xml").decode()
    # A draft has numbers, whatever the answer that a footnote comes from.
    assert turn.result is not None
    draft = draft_of(turn.result, "d", "", "")
    assert {each.mark for each in draft.footnotes} == {""}
    assert {each.mark for each in renumbered(turn.sentences, turn.footnotes)[1]} == {""}


def test_a_cited_file_that_is_gone_leaves_the_answer(session: ProjectSession) -> None:
    first, name = _ask(session, ALARM)
    (session.project.root / TEST_REPORT).unlink()
    run_to_end(session.sync())
    assert session.conversation(name).turns == (first,)
    turn, _ = _ask(session, "How loud is the over-temperature alarm?", name)
    assert all(note.file != TEST_REPORT for note in turn.footnotes)
    session.export_conversation(name, session.project.root / "talk.md")


def _before(turn: Turn) -> tuple[str, ...]:
    """Return the questions that the needs of the plan of ``turn`` go on from."""
    assert turn.result is not None
    (before,) = {each.need.before for each in turn.result.plan.needs}
    return before


def test_a_question_is_looked_up_with_the_ones_before_it(shared_session: ProjectSession) -> None:
    first, name = _ask(shared_session, ALARM)
    assert (_before(first), first.before, first.rewritten) == ((), (), "")
    turn, events = _told(shared_session, "How loud is it?", name)
    assert _before(turn) == turn.before == (ALARM,)
    assert turn.rewritten == f"How loud is it? – after “{ALARM}”"
    assert "78 dB" in turn.text
    (started,) = [each for each in events if isinstance(each, TurnStarted)]
    assert (started.turn.rewritten, started.turn.before) == (turn.rewritten, turn.before)
    hello, _ = _ask(shared_session, "Thank you!", name)
    assert (hello.rewritten, hello.before) == ("", ())
    # At most two, no greeting, and none twice.
    third, _ = _ask(shared_session, "and how often?", name)
    assert _before(third) == (ALARM, "How loud is it?")
    assert third.rewritten == f"and how often? – after “{ALARM}”, “How loud is it?”"
    same, _ = _ask(shared_session, "and how often?", name)
    assert _before(same) == (ALARM, "How loud is it?")
    fourth, _ = _ask(shared_session, LEAKAGE, name)
    assert _before(fourth) == fourth.before == ()
    assert shared_session.conversation(name).turns[-1] == fourth


def test_a_question_is_looked_up_near_what_the_last_answer_cites(
    shared_session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, name = _ask(shared_session, ALARM)
    _ask(shared_session, "Thank you!", name)
    cited = [(note.file, note.start, note.end) for note in first.footnotes]
    given: list[object] = []
    planned = AnswerFinder.of

    def of(finder: AnswerFinder, request: Request, *rest: Any) -> Any:
        given.append([*request.cited_before])
        return planned(finder, request, *rest)

    monkeypatch.setattr(AnswerFinder, "of", of)
    _ask(shared_session, "and how often?", name)
    assert cited
    assert given[0] == cited


def test_a_question_asked_again_goes_on_from_those_before_its_turn(
    shared_session: ProjectSession,
) -> None:
    _, name = _ask(shared_session, ALARM)
    _ask(shared_session, "How loud is it?", name)
    _ask(shared_session, LEAKAGE, name)
    again, _ = _ask(shared_session, "How loud is it?", name, again=2)
    assert _before(again) == (ALARM,)
    first, _ = _ask(shared_session, LEAKAGE, name, again=1)
    assert _before(first) == ()


def test_a_whole_question_of_the_writers_is_looked_up_alone(
    shared_session: ProjectSession,
) -> None:
    _, name = _ask(shared_session, LEAKAGE)
    question = Question("And how loud?", rewritten="How loud is the over-temperature alarm?")
    turn = run_to_end(shared_session.ask(question, name, should_stop=lambda: False))
    assert turn.result is not None
    assert turn.result.plan.prompt == turn.rewritten == question.rewritten
    assert _before(turn) == turn.before == ()
    assert "78 dB" in turn.text
    after, _ = _ask(shared_session, "and how often?", name)
    assert _before(after) == (question.rewritten,)


def test_what_an_agent_drafts_by_a_template_goes_on_from_no_question(
    shared_session: ProjectSession,
) -> None:
    _, name = _ask(shared_session, ALARM)
    question = Question("What do they say of it?", agent="procedure-guide")
    turn = run_to_end(shared_session.ask(question, name, should_stop=lambda: False))
    assert not shared_session.agent("procedure-guide").template
    assert turn.before == (ALARM,)
    whole = Question("The warmer", agent="blueprint")
    turn = run_to_end(shared_session.ask(whole, name, should_stop=lambda: False))
    assert shared_session.agent("blueprint").template
    assert (turn.before, turn.rewritten) == ((), "")


def test_half_a_character_in_an_earlier_question_is_none(shared_session: ProjectSession) -> None:
    _, name = _ask(shared_session, "\ud800 alarm temperature")
    turn, _ = _ask(shared_session, "How loud is it?", name)
    assert turn.before == ("? alarm temperature",)
    assert "78 dB" in turn.text


def test_all_that_is_asked_for_is_the_whole_table(shared_session: ProjectSession) -> None:
    turn, _ = _ask(shared_session, "List all hazards of the hazard log")
    assert turn.status is TurnStatus.COMPLETE
    assert "HAZ-01" in turn.text
    assert "HAZ-02" in turn.text
    # A temperature in a row is no number of rows.
    turn, _ = _ask(shared_session, "How many hazards does the hazard log have?")
    assert "HAZ-01" in turn.text
    assert "HAZ-02" in turn.text
    assert not turn.warnings
    assert turn.confidence is not None
    assert {each.name for each in turn.confidence.criteria} == {"answer", "support", "agreement"}


def test_the_list_whose_entries_together_answer_is_the_whole_list(session: ProjectSession) -> None:
    root = session.project.root
    harms = (
        "Burn",
        "Air embolism",
        "Electric shock",
        "Infection",
        "Bruise",
        "Delay",
        "Loss",
        "Fall",
    )
    rows = [f"HAZ-{at:02},Hazard of {harm.lower()},{harm}" for at, harm in enumerate(harms, 1)]
    log = "\n".join(("id,hazard,harm", *rows))
    (root / "Context/Ongoing/Hazard-Log.csv").write_text(f"{log}\n", "utf-8")
    # Its first row alone looks most like what is asked for.
    (root / "Procedures/SOPs/SOP-020-Records.md").write_text(
        "# SOP-020 Records\n\n| Step | Record |\n| --- | --- |\n"
        "| Hazard identification | Hazard log (HAZ) |\n| Post-production | Review record |\n",
        "utf-8",
    )
    run_to_end(session.sync())
    turn, _ = _ask(session, "List all hazards of the hazard log")
    assert all(f"HAZ-{at:02}" in turn.text for at in range(1, 9))
    assert "Review record" not in turn.text


def test_under_a_refusal_the_nearest_unit_stands_first(shared_session: ProjectSession) -> None:
    turn, _ = _ask(shared_session, "What is the price of the over-temperature alarm?")
    assert turn.status is TurnStatus.ABSTAINED
    # Not the chunk that it is part of, which would show it a second time below.
    assert turn.unused[0].text.startswith("The over-temperature alarm sounds")
    assert turn.unused[0].file == TEST_REPORT
    holding = [one for one in turn.unused if turn.unused[0].text in one.text]
    assert len(holding) == 1


def test_what_stands_in_no_list_may_be_partial(shared_session: ProjectSession) -> None:
    turn, _ = _ask(shared_session, "List all values of the over-temperature alarm")
    assert turn.status is TurnStatus.ABSTAINED or any("partial" in w for w in turn.warnings)


def test_the_numbers_of_a_row_count_what_its_cells_say(session: ProjectSession) -> None:
    # Its rows have severities and probabilities.
    log = resources_path() / "sample_project" / "Context" / "Ongoing" / "VP1-Hazard-Log.csv"
    (session.project.root / "Context/Ongoing/Hazard-Log.csv").write_bytes(log.read_bytes())
    run_to_end(session.sync())
    turn, _ = _ask(session, "How many hazards are there?")
    assert all(f"HAZ-0{at}" in turn.text for at in range(1, 9))


def test_what_is_counted_in_no_list_may_be_partial(shared_session: ProjectSession) -> None:
    turn, _ = _ask(shared_session, "How many hazards does the risk manager record?")
    assert turn.status is TurnStatus.COMPLETE
    [told] = turn.warnings
    assert told.startswith("This may be partial: what “How many hazards")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many strips does the test kit hold?", "holds 25 strips"),
        ("How many bottles of control solution come with the test kit?", "One bottle"),
    ],
)
def test_a_number_that_a_document_states_is_whole(
    session: ProjectSession, question: str, said: str
) -> None:
    (session.project.root / "Context/Ongoing/Test-Kit.md").write_text(
        "# Test kit\n\nThe test kit holds 25 strips.\n\n"
        "One bottle of control solution comes with the test kit.\n",
        "utf-8",
    )
    run_to_end(session.sync())
    turn, _ = _ask(session, question)
    assert said in turn.text
    assert not turn.warnings


def test_a_question_is_answered_by_words_where_the_embedder_fails(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ModelError("Embedding model damaged", "It cannot be loaded.", "Install it again.")

    monkeypatch.setattr(OnnxEmbedder, "_ready", fails)
    turn, _ = _told(session, ALARM)
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in turn.text
    assert any("by keywords alone" in each and "Install" in each for each in turn.warnings)
    nowhere, _ = _told(session, "Who sewed the leather saddle of the racing horse?")
    assert nowhere.status is not TurnStatus.ERROR
    assert not nowhere.footnotes
    plan = session.plan("Describe the alarm behaviour. State the warming accuracy.")
    for use_model in (True, False):
        draft = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=use_model))
        assert "42.5 °C" in draft.text
        assert "1.5 °C" in draft.text
        assert any("cannot be checked" in each for each in draft.warnings) == use_model
    assert session.plan_of(plan_json(plan)).by_words
    found = session.search_units("leakage current")
    assert found.units
    assert any("by keywords alone" in each for each in found.search.warnings)

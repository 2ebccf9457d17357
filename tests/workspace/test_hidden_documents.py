"""What the project's confidentiality setting hides is in no search, plan, answer, log or export."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from phasergun_desktop.activity.entry_filter import EntryFilter
from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.drafts.model import Edit, EditKind
from phasergun_desktop.errors import DocumentProblem, ExportError, ProjectError
from phasergun_desktop.evaluation.json_lines import EvaluationFileError, Rows
from phasergun_desktop.evaluation.question_run import QuestionEvaluation, QuestionsAsked
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.hidden_documents import HiddenDraftError
from phasergun_desktop.workspace.json_form import plan_json, search_json
from phasergun_desktop.workspace.kept_results import rewriting_of
from phasergun_desktop.workspace.respondent import Manner, Respondent
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerStatus
from tests.workspace.conftest import places_in

ROUNDS = 40
# Each with its label; a number of its own tells what comes from it.
LABELS = {
    "Procedures/SOPs/SOP-001-alarms.md": "internal",
    "Procedures/SOPs/SOP-002-records.md": "Restricted",
    "Procedures/QPs/policy.md": "public",
    "Context/notes.md": "",
    "Context/Initiation/heater.md": "internal",
    "Context/Initiation/rival-offer.md": "restricted",
    "Context/Ongoing/TR-031_bench.md": "top  secret",
    "Context/Ongoing/second.md": "confidential",
    "Context/Regulatory Strategy/way.md": "restricted",
    "Bootstrap/Phase1-replies.md": "restricted",
}
WITHHELD = ("Restricted", "restricted", "top  secret")
HIDDEN = {file for file, label in LABELS.items() if label in WITHHELD}
ASKED = (
    "the alarm of the heater", "the weight of the heater", "how long records are kept",
    "the temperature of the plate", "alarm level, alarm tone and alarm pause",
)  # fmt: skip
OPENS = ("", "", "Use @sops.", "Use @initiation.", "Use @ongoing.", "Use @company_processes.")


def _mark(at: int) -> str:
    return f"QZ{7100 + at}"


def _categories(labels: dict[str, str]) -> str:
    lines = (f"  {file}: {{confidentiality: {label}}}\n" for file, label in labels.items() if label)
    return "documents:\n" + "".join(lines)


def _folder(root: Path) -> Path:
    for at, file in enumerate(LABELS):
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"# {path.stem}\n\n## Alarm\n\nThe alarm of the heater {_mark(at)} sounds at "
            f"{70 + at} dB.\n\n## Weight\n\nThe heater {_mark(at)} weighs {at}.5 kg.\n\n"
            f"## Records\n\nRecords of unit {_mark(at)} are kept for {at} years.\n\n## Display\n\n"
            f"The display of {_mark(at)} shows the temperature of the plate, {30 + at} °C.\n",
            "utf-8",
        )
    (root / "Procedures/categories.yaml").write_text(_categories(LABELS), "utf-8")
    return root


@pytest.fixture
def session(application: Application, tmp_path: Path) -> Iterator[ProjectSession]:
    opened = application.workspace.open(_folder(tmp_path / "project"))
    run_to_end(opened.sync())
    yield opened
    opened.close()


def _ask(session: ProjectSession, question: str, conversation: str = "") -> Turn:
    asked = Question(question, uses_model=False)
    return run_to_end(session.ask(asked, conversation, should_stop=lambda: False))


def _says_hidden(text: str) -> list[str]:
    marks = [_mark(at) for at, file in enumerate(LABELS) if file in HIDDEN]
    names = [Path(file).stem for file in HIDDEN]
    return [each for each in (*marks, *names) if each in text]


def test_nothing_of_a_hidden_document_comes_back(
    session: ProjectSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    chance = random.Random(15)
    session.reading.hide_labels(["restricted", "Top Secret"])
    run_to_end(session.sync())
    shown = 0
    for at in range(ROUNDS):
        asked, opens = chance.choice(ASKED), chance.choice(OPENS)
        profile = chance.choice(("regulatory", "knowledge-base", "disclosure", "literature"))
        result = session.search(asked, profile=profile, limit=chance.choice((1, 5, 40)))
        plan = session.plan(f"Describe {asked}. {opens}", profile=profile, asks=at % 2 == 0)
        told = json.dumps([search_json(result), plan_json(plan)], default=str)
        if at % 6 == 0:
            made = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
            draft = session.keep(made, "")
            session.export(draft, tmp_path / "draft.json")
            told += (tmp_path / "draft.json").read_text("utf-8") + str(_ask(session, asked))
        assert not _says_hidden(told), (asked, opens, profile)
        shown += len(result.hits)
    # Nor for want of anything found, nor in what is kept beside the results.
    assert shown > ROUNDS
    logged = json.dumps([asdict(e) for e in session.activity.entries(1000)], default=str)
    assert not _says_hidden(logged + caplog.text)
    assert not session.occurring(frozenset({_mark(1)}))
    assert session.occurring(frozenset({_mark(0)}))
    values = {each for values in session.filter_values().values() for each in values}
    assert not _says_hidden(" ".join(values))
    assert not _says_hidden(str(session.reference_names()))


def test_the_setting_holds_at_once_and_can_be_taken_back(session: ProjectSession) -> None:
    found = {hit.file for hit in session.search("alarm of the heater", limit=40).hits}
    assert found >= HIDDEN - {"Bootstrap/Phase1-replies.md"}
    session.reading.hide_labels(["restricted", "top secret"])
    # Until the index is brought up to date nothing is said rather than too much.
    for ask in (
        lambda: session.search("alarm"),
        lambda: session.plan("State the alarm."),
        lambda: session.search_units("alarm"),
        session.reference_names,
    ):
        with pytest.raises(ProjectError, match="still in the index"):
            ask()
    with pytest.raises(ProjectError):
        session.source("Context/Initiation/rival-offer.md")
    assert run_to_end(session.sync()).removed == len(HIDDEN)
    files = {each.file: each for each in session.files()}
    assert {f for f, each in files.items() if each.problem is DocumentProblem.HIDDEN} == HIDDEN
    assert all(files[file].state is FileState.SKIPPED for file in HIDDEN)
    assert {each.file: each for each in session.files_now()} == files
    with pytest.raises(ProjectError, match="hidden by the project's confidentiality") as caught:
        session.source("Context/Initiation/rival-offer.md")
    assert "Category and confidentiality" in caught.value.remedy
    session.reading.hide_labels(["top secret"])
    run_to_end(session.sync())
    found = {hit.file for hit in session.search("alarm of the heater", limit=40).hits}
    assert "Context/Initiation/rival-offer.md" in found
    assert "Context/Ongoing/TR-031_bench.md" not in found
    assert session.reading.hidden_labels() == ("top secret",)


@pytest.mark.parametrize(
    "reference",
    [
        "[Context|Initiation|rival-offer.md]", "[Context|Initiation|rival-offer]",
        "[Procedure|SOP-002-records]", "[Bootstrap|Phase1]", "[Doc|Phase1-replies|DEVICE]",
        "TR-031", "rival-offer.md",
    ],
)  # fmt: skip
def test_a_reference_says_that_its_document_is_hidden(
    session: ProjectSession, reference: str
) -> None:
    session.reading.hide_labels(["restricted", "top secret"])
    run_to_end(session.sync())
    plan = session.plan(f"State the alarm level. Use {reference}.")
    (problem,) = [each for each in plan.problems if each.code == "hidden_document"]
    assert plan.is_blocked
    assert "the project's confidentiality setting hides" in problem.message
    assert problem.remedy
    assert plan.prompt[problem.start : problem.end] == reference
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    assert result.status is AnswerStatus.BLOCKED
    assert not plan.passages


def test_what_was_written_of_a_hidden_document_is_not_exported(
    session: ProjectSession, tmp_path: Path
) -> None:
    file = "Context/Initiation/rival-offer.md"
    plan = session.plan(f"State the alarm. Use [Context|Initiation|{Path(file).name}].")
    draft = session.keep(
        run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False)), ""
    )
    assert file in {note.file for note in draft.footnotes}
    turn = _ask(session, "What is the alarm of the heater? Use rival-offer.md.")
    assert turn.status is TurnStatus.COMPLETE
    (kept,) = session.conversations()
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    for name in ("draft.docx", "draft.md", "draft.json"):
        with pytest.raises(ExportError, match="hidden by the project's") as caught:
            session.export(draft, tmp_path / name)
        assert caught.value.remedy
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.export_conversation(kept.conversation_id, tmp_path / "asked.md")
    assert not [*tmp_path.glob("draft.*"), *tmp_path.glob("asked.*")]
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.require_exportable(draft)


def test_an_answer_from_before_is_not_shown_while_its_document_is_hidden(
    session: ProjectSession, tmp_path: Path
) -> None:
    # The second one refuses, and quotes what is nearest.
    asked = "What is the alarm of the heater? Use rival-offer.md."
    refused = "Who approved the alarm of the heater? Use rival-offer.md."
    turns = [_ask(session, each) for each in (asked, refused)]
    assert [turn.status for turn in turns] == [TurnStatus.COMPLETE, TurnStatus.ABSTAINED]
    names = [each.conversation_id for each in session.conversations()]
    before = [session.conversation(name) for name in names]
    assert all(_says_hidden(each.turns[0].text) for each in before)
    logged = session.log_entries()
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    for name in names:
        (turn,) = session.conversation(name).turns
        assert not _says_hidden(str(replace(turn, question=Question(""))))
        assert "is hidden by the project's confidentiality setting" in turn.error
        with pytest.raises(ExportError, match="hidden by the project's"):
            session.export_conversation(name, tmp_path / "asked.md")
    answers = [each.activity.answer for each in session.log_entries()]
    assert not _says_hidden(str(answers))
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.log_rows(EntryFilter(status="abstained"))
    session.reading.hide_labels([])
    run_to_end(session.sync())
    assert [session.conversation(name) for name in names] == before
    assert session.log_entries()[2:] == logged


def test_the_log_shows_and_exports_nothing_of_what_is_hidden_since(
    session: ProjectSession,
) -> None:
    for file in ("rival-offer.md", "heater.md"):
        _ask(session, f"What is the alarm of the heater? Use {file}.")
    before = session.log_entries()
    assert _says_hidden(before[1].activity.answer)
    assert session.log_rows()
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    # The first entry now is that of the sync.
    after = session.log_entries()[1:]
    assert (after[0], after[2:]) == (before[0], before[2:])
    told = after[1].activity
    assert (told.prompt, told.answer, told.citations) == (before[1].activity.prompt, "", ())
    assert session.activity.verify().ok
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.log_rows()
    session.reading.hide_labels([])
    run_to_end(session.sync())
    assert session.log_entries()[2:] == before
    assert session.log_rows()


def test_the_log_shows_no_edit_and_no_rewriting_of_a_draft_of_what_is_hidden_since(
    session: ProjectSession,
) -> None:
    plan = session.plan("State the alarm. Use rival-offer.md.")
    draft = session.keep(
        run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False)), ""
    )
    text = next(unit.text for unit in draft.units if unit.citations)
    assert _says_hidden(text)
    session.activity.append(rewriting_of(draft, "regenerated", "", (), answer=f"So {text}"))
    session.log_edits(draft, (Edit("2026-01-01T00:00:00Z", EditKind.EDITED, text, text),))
    edits = EntryFilter(kind=ActivityKind.EDIT)
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    texts = [(each.activity.prompt, each.activity.answer) for each in session.log_entries()]
    assert (plan.prompt, "") in texts
    assert not _says_hidden(str(texts).replace(plan.prompt, ""))
    assert session.log_entries(1, edits)[0].activity.prompt == ""
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.log_rows(edits)


def test_a_draft_of_what_is_hidden_since_is_not_shown(session: ProjectSession) -> None:
    plan = session.plan("State the alarm. Use rival-offer.md.")
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    draft = session.keep(result, "")
    (version,) = session.versions(draft.draft_id)
    other = session.keep(replace(result, footnotes=(), sentences=()), "")
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    assert session.latest_draft() == session.kept_draft(other.draft_id)
    session.drafts.save(draft)
    for show in (
        session.latest_draft,
        lambda: session.kept_draft(draft.draft_id),
        lambda: session.version(version.version_id),
        lambda: session.restore(other, version.version_id),
    ):
        with pytest.raises(HiddenDraftError, match="hidden by the project's") as caught:
            show()
        assert "Category and confidentiality" in caught.value.remedy
    session.reading.hide_labels([])
    run_to_end(session.sync())
    assert session.latest_draft() == session.kept_draft(draft.draft_id) == draft


def test_words_of_what_is_hidden_since_find_no_conversation(session: ProjectSession) -> None:
    for file in ("rival-offer.md", "heater.md"):
        _ask(session, f"What is the alarm of the heater? Use {file}.")
    names = [each.conversation_id for each in session.conversations()]
    hidden = _mark([*LABELS].index("Context/Initiation/rival-offer.md"))

    def found(words: str) -> list[str]:
        return [each.conversation_id for each in session.search_conversations(words)]

    assert found(hidden) == [names[1]]
    session.reading.hide_labels(["restricted"])
    run_to_end(session.sync())
    assert found(hidden) == found(f"alarm {hidden.lower()}") == []
    # By the writer's own words it is found, and the other one by its answer.
    assert found("RIVAL-offer alarm") == [names[1]]
    assert found("sounds") == [names[0]]
    assert found("") == names


def test_questions_and_runs_that_name_what_is_hidden_since_are_left_out(
    session: ProjectSession, tmp_path: Path
) -> None:
    for at, name in enumerate(("rival-offer", "heater")):
        session.add_question(
            JudgedQuestion(
                f"q{at}",
                f"What is the alarm of the heater? Use {name}.md.",
                files=(f"Context/Initiation/{name}.md",),
                must_contain=("dB",),
            )
        )
    rows = session.question_rows()
    evaluation = QuestionEvaluation(session.runs_file)
    respondent = Respondent(session, Manner(), lambda: False)
    asked = QuestionsAsked("questions", rows, answers=True)
    evaluation.keep(run_to_end(evaluation.run(asked, respondent)))
    (before,) = session.evaluation_runs()
    assert _says_hidden(before.report)
    session.reading.hide_labels(["restricted", "top secret"])
    run_to_end(session.sync())
    assert [each.question_id for each in session.questions()] == ["q1"]
    left = session.question_rows()
    assert [each.question_id for each in left.rows] == ["q1"]
    assert left.bad == (
        "1 question names a document that is hidden by the project's confidentiality setting.",
    )
    with pytest.raises(EvaluationFileError, match="hidden by the project's"):
        session.shown_questions(Rows(rows.rows[:1], (), ""))
    with pytest.raises(ExportError, match="hidden by the project's"):
        session.export_questions(tmp_path / "questions.jsonl")
    (run,) = session.evaluation_runs()
    assert not _says_hidden(run.report)
    assert json.loads(run.report)["metrics"] == json.loads(before.report)["metrics"]
    session.reading.hide_labels([])
    run_to_end(session.sync())
    assert session.evaluation_runs() == (before,)
    assert session.question_rows() == rows
    session.export_questions(tmp_path / "questions.jsonl")


def test_a_mistake_in_the_categories_shows_nothing(session: ProjectSession) -> None:
    session.reading.hide_labels(["restricted", "top secret"])
    run_to_end(session.sync())
    before = {each.file for each in session.documents()}
    path = session.project.root / "Procedures/categories.yaml"
    sound = path.read_text("utf-8")
    path.write_text(sound + "  Context/new.md: {confidentiality: restricted\n", "utf-8")
    (session.project.root / "Context/new.md").write_text("# New\n\nThe alarm is loud.\n", "utf-8")
    run_to_end(session.sync())
    assert {each.file for each in session.documents()} == before
    new = next(each for each in session.files() if each.file == "Context/new.md")
    assert "correct categories.yaml" in new.reason
    path.write_text(sound, "utf-8")
    run_to_end(session.sync())
    assert {each.file for each in session.documents()} == before | {"Context/new.md"}


def test_it_holds_in_the_next_session(
    application: Application, session: ProjectSession, models_path: Path, tmp_path: Path
) -> None:
    session.reading.hide_labels(["restricted", "top secret"])
    run_to_end(session.sync())
    session.close()
    again = build_application(places_in(tmp_path / "home", models_path))
    opened = again.workspace.open(session.project.root)
    assert not {hit.file for hit in opened.search("alarm", limit=40).hits} & HIDDEN
    assert opened.reading.hidden_labels() == ("restricted", "top secret")
    opened.close()
    again.close()


def test_a_plan_from_before_is_not_drafted_any_more(session: ProjectSession) -> None:
    plan = session.plan("State the alarm. Use rival-offer.md.")
    question = session.plan("Use rival-offer.md. What is the alarm of the heater?", asks=True)
    assert plan.passages
    assert any(need.units for need in question.needs)
    session.reading.hide_labels(["restricted"])
    for _ in range(2):
        for each in (plan, question):
            with pytest.raises(ProjectError) as caught:
                run_to_end(session.draft(each, should_stop=lambda: False, use_model=False))
            assert caught.value.remedy
        run_to_end(session.sync())

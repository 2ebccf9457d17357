"""A question of a conversation is looked for together with the ones before it."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.joined_questions import each_by_itself
from phasergun_desktop.planning.needs import Request, read_request
from phasergun_desktop.planning.questions_before import with_questions_before
from phasergun_desktop.planning.subject import Subjects, subjects_of
from phasergun_desktop.planning.subject_scope import without_other_subjects
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.desk import Desk
from tests.planning.implant_project import BENCH, IMPLANT, OLDER, OWN, PREDICATE, RIVAL, STRAY

LOAD = "Which load does the cage bear?"
MATERIAL = "and its material?"


@pytest.fixture(scope="module")
def subjects() -> Subjects:
    return subjects_of(IMPLANT)


def _request(question: str, *before: str) -> Request:
    resolve = PromptResolver(IMPLANT).resolve
    resolution = resolve(question)
    request = each_by_itself(read_request(resolution), resolution.references)
    return with_questions_before(
        request, resolution, [resolve(each) for each in before], (), subjects_of(IMPLANT)
    )


def _queries(question: str, *before: str) -> list[str]:
    return [need.whole_query for need in _request(question, *before).needs]


def test_the_last_question_stands_next_and_at_most_two_are_used() -> None:
    assert _queries(MATERIAL) == [MATERIAL]
    assert _queries(MATERIAL, LOAD) == [f"{MATERIAL} << {LOAD}"]
    assert _queries("and now?", "How wide is it?", LOAD, MATERIAL) == [
        f"and now? << {MATERIAL} << {LOAD}"
    ]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("and the predicate?", "The predicate: Which load does the it bear?"),
        ("What about that of K998877?", "The K998877: Which load does the it bear?"),
        ("the predicate's?", "The predicate: Which load does the it bear?"),
        ("against which predicate?", None),
        ("predicate?", None),
        ("and the load of the predicate?", None),
        ("and its material?", None),
    ],
)
def test_a_question_that_only_names_another_subject_asks_of_it_what_was_asked_last(
    question: str, asked: str | None
) -> None:
    last = "Which load does the Spinora II bear?"
    assert _queries(question, last) == [asked or f"{question} << {last}"]
    assert _queries("and the predicate?") == ["and the predicate?"]
    assert _queries("and the predicate?", LOAD, "and at 40 °C?") == [
        f"The predicate: and at 40 °C? << {LOAD}"
    ]


def test_each_part_of_a_question_goes_on_from_the_ones_before() -> None:
    joined = "What is the limit, and who set it and which firm sewed the leather saddle?"
    assert _queries(joined, LOAD) == [
        f"What is the limit << {LOAD}",
        # What names nothing goes on from the first part, too.
        f"who set it << What is the limit << {LOAD}",
        f"which firm sewed the leather saddle? << {LOAD}",
    ]
    assert _queries("How wide? How long?", LOAD) == [f"How wide? << {LOAD}", f"How long? << {LOAD}"]


def test_a_question_before_makes_no_question_of_what_is_none() -> None:
    [need] = _request("Describe the cage.", LOAD).needs
    assert need.name == _request("Describe the cage.").needs[0].name
    assert not need.is_question


def _allowed(subjects: Subjects, question: str, *before: str) -> set[str]:
    [need, *_] = without_other_subjects(_request(question, *before), subjects).needs
    return {r.file for r in IMPLANT.documents() if need.scope.allows(r.file, r.layer)}


@pytest.mark.parametrize(
    ("question", "before", "added"),
    [
        (MATERIAL, [LOAD], set()),
        (MATERIAL, ["Which load does the predicate bear?"], {PREDICATE}),
        (MATERIAL, ["Which load does K998877 bear?", LOAD], {PREDICATE}),
        ("and the predicate?", [LOAD], {PREDICATE}),
        ("who signed it?", ["Which load does the Spinora I bear?"], {OLDER}),
        # Only the last two count.
        (MATERIAL, ["What do competitors state?", LOAD, "How wide is it?"], set()),
        (MATERIAL, ["The load of the cage, leave the predicate out."], set()),
        # What an earlier question names is allowed whoever it speaks of.
        ("who signed it?", [f"The load [Context|Ongoing|{OLDER.rsplit('/', 1)[1]}]?"], {OLDER}),
        ("and the weight?", [f"What does {RIVAL.rsplit('/', 1)[1]} say?"], {RIVAL}),
    ],
)
def test_what_an_earlier_question_asks_for_is_allowed(
    question: str, before: list[str], added: set[str], subjects: Subjects
) -> None:
    alone = _allowed(subjects, question)
    asked_itself = {PREDICATE} if "predicate" in question else set()
    assert _allowed(subjects, question, *before) == alone | added
    assert alone & {PREDICATE, OLDER, RIVAL, STRAY} == asked_itself


@pytest.mark.parametrize(
    ("question", "stays"),
    [("and the Spinora I?", {OLDER}), ("and of the Spinora II?", set()), ("and SPC-210?", set())],
)
def test_a_question_that_names_a_subject_does_not_get_that_of_the_one_before(
    question: str, stays: set[str], subjects: Subjects
) -> None:
    paper = f"Which load does [Context|Predicates|{PREDICATE.rsplit('/', 1)[1]}] state?"
    for before in ("Which load does K998877 bear?", paper):
        allowed = _allowed(subjects, question, before)
        assert allowed & {PREDICATE, OLDER, RIVAL, STRAY} == stays


def test_a_question_that_names_documents_is_answered_from_these(subjects: Subjects) -> None:
    bench = f"and in [Context|Ongoing|{BENCH.rsplit('/', 1)[1]}]?"
    own = f"What load does [Context|Initiation|{OWN.rsplit('/', 1)[1]}] state?"
    assert _allowed(subjects, bench, own) == {BENCH}
    assert _queries(bench, LOAD, own) == [f"What load state? << {LOAD}"]
    assert _queries(bench) == []
    assert _queries(f"{LOAD} {bench}", own)[0] == f"{LOAD} << What load state?"


def test_a_plan_finds_what_the_question_before_is_on(desk: Desk) -> None:
    asked = "How loud is the alarm of the heater?"
    alone, after = desk.plan("and how long?"), desk.plan("and how long?", before=[asked])
    assert [need.need.before for need in alone.needs + after.needs] == [(), (asked,)]
    texts = [unit.passage.text for unit in after.needs[0].units]
    assert "The alarm lasts ten seconds." in texts[:2]


def test_a_plan_states_what_stands_in_a_document_that_was_named_before(desk: Desk) -> None:
    asked = "How heavy is it in its crate?"
    assert not desk.plan(asked).needs[0].selected
    [stated] = desk.plan(asked, before=["What does note.md say?"]).needs[0].selected
    assert stated.text == "The heater weighs 9.9 kg in its crate."


def test_a_text_goes_on_from_no_question(desk: Desk) -> None:
    plan = desk.plan("Describe the alarm.", before=["How heavy is the heater?"])
    assert {need.need.before for need in plan.needs} == {()}

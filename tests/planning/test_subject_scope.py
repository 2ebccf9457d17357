"""A need gets what is stated of the device, and of another subject only where it asks for it."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.subject import Subjects, subjects_of
from phasergun_desktop.planning.subject_scope import (
    without_other_subjects,
    without_own_names,
)
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.resolver import PromptResolver
from tests.planning.implant_project import (
    AGAINST,
    BENCH,
    IMPLANT,
    MASTER,
    NEW_PLAN,
    OLD_PLAN,
    OLDER,
    OWN,
    PREDICATE,
    RIVAL,
    SHORT,
    STRAY,
    WITHDRAWN,
)


@pytest.fixture(scope="module")
def subjects() -> Subjects:
    return subjects_of(IMPLANT)


def _allowed(prompt: str, subjects: Subjects) -> set[str]:
    request = read_request(PromptResolver(IMPLANT).resolve(prompt))
    [need, *_] = without_other_subjects(request, subjects).needs
    return {r.file for r in IMPLANT.documents() if need.scope.allows(r.file, r.layer)}


@pytest.mark.parametrize(
    ("prompt", "others"),
    [
        ("Which load does the cage bear?", set()),
        ("Compare the load with that of the predicate.", {PREDICATE}),
        ("Which load does K998877 bear?", {PREDICATE}),
        ("The load of the predecessor.", {OLDER}),
        ("What does the Spinora I bear?", {OLDER}),
        ("Loads that competitors state.", {RIVAL, STRAY}),
        ("What did the withdrawn memo say?", {WITHDRAWN, OLD_PLAN}),
        ("Summarise the memo.", {WITHDRAWN}),
        ("Summarise the test plan.", set()),
        ("Welche Last trägt das Prädikat?", {PREDICATE}),
        ("The load of the cage, leave the predicate out.", set()),
        ("The load of the cage, no predecessor. Also that of the predicate.", {PREDICATE}),
    ],
)
def test_only_who_asks_for_a_subject_gets_it(
    prompt: str, others: set[str], subjects: Subjects
) -> None:
    assert _allowed(prompt, subjects) == {MASTER, OWN, BENCH, NEW_PLAN, AGAINST, SHORT} | others


def test_the_devices_own_name_is_not_searched_for(subjects: Subjects) -> None:
    name = next(each for each in subjects.device.names if " " in each)
    request = read_request(PromptResolver(IMPLANT).resolve(f"The load that {name} bears; {name}"))
    load, alone = without_own_names(request, subjects.device).needs
    assert load.query == "load that bears"
    assert alone.query == name


def test_a_document_that_the_prompt_names_is_read_whoever_it_speaks_of(subjects: Subjects) -> None:
    assert OLDER in _allowed(f"The load [Context|Ongoing|{OLDER.rsplit('/', 1)[1]}]", subjects)
    assert PREDICATE in _allowed("The load. Use @predicates.", subjects)
    assert STRAY not in _allowed("The load. Sources: @initiation", subjects)


def test_an_item_asks_for_what_the_line_above_the_list_names(subjects: Subjects) -> None:
    prompt = "Of our cage:\n- load\n- material\n\nOf the predicate:\n- load"
    request = without_other_subjects(
        read_request(PromptResolver(IMPLANT).resolve(prompt)), subjects
    )
    loads = [need for need in request.needs if need.quote == "load"]
    assert [each.scope.allows(PREDICATE, Layer.PREDICATES) for each in loads] == [False, True]

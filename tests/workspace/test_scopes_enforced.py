from __future__ import annotations

import pytest

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import GENERAL_FACT, GENERAL_FILE

QUESTION = "Which company makes the ceramic heater plate?"


def test_a_fact_of_an_on_demand_folder_is_found_by_search_alone(
    shared_session: ProjectSession,
) -> None:
    assert shared_session.search(QUESTION).hits[0].file == GENERAL_FILE
    plan = shared_session.plan(QUESTION)
    assert all(passage.layer is not Layer.GENERAL for passage in plan.passages)
    assert all(GENERAL_FACT not in passage.text for passage in plan.passages)


@pytest.mark.parametrize(
    "reference",
    ["Use @general.", "Use [Context|General].", "Use [Context|General|Supplier-Note.md]."],
)
def test_a_reference_opens_the_folder(shared_session: ProjectSession, reference: str) -> None:
    plan = shared_session.plan(f"{QUESTION} {reference}")
    assert not plan.is_blocked
    assert any(GENERAL_FACT in passage.text for passage in plan.passages)


def test_a_scope_restricts_to_its_source(shared_session: ProjectSession) -> None:
    plan = shared_session.plan(f"{QUESTION} Use @general.")
    assert {passage.layer for passage in plan.passages} == {Layer.GENERAL}


def test_a_thin_scope_is_reported_and_not_filled_from_elsewhere(
    shared_session: ProjectSession,
) -> None:
    plan = shared_session.plan("At which temperature does the alarm sound? Use @initiation.")
    assert {passage.layer for passage in plan.passages} <= {Layer.INITIATION}


def test_an_empty_scope_is_reported(shared_session: ProjectSession) -> None:
    plan = shared_session.plan("Describe the quality policy. Use @quality_policies.")
    assert plan.passages == ()
    assert plan.problems
    assert all(problem.remedy for problem in plan.problems)


def test_a_draft_never_cites_what_the_prompt_does_not_allow(
    shared_session: ProjectSession,
) -> None:
    plan = shared_session.plan(QUESTION)
    result = run_to_end(shared_session.draft(plan, should_stop=lambda: False, use_model=False))
    assert all(note.file != GENERAL_FILE for note in result.footnotes)
    assert "Ostwald" not in result.text

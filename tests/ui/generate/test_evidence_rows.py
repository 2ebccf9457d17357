"""The lines of the evidence board, told without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.planning.model import Plan
from phasergun_desktop.references.model import Problem, ReferenceKind, ResolvedReference, Severity
from phasergun_desktop.ui.generate.evidence_rows import board_rows
from phasergun_desktop.ui.generate.evidence_words import board_summary
from phasergun_desktop.ui.generate.ticked_evidence import TickedEvidence
from tests.planning.test_evidence_edits import need, unit

NAMED = "[Context|Initiation|Device.docx]"
PLAN = Plan(NAMED, NAMED, "Device Description", "regulatory", (), (), (), 0)
REFERENCE = ResolvedReference(
    ReferenceKind.CONTEXT, NAMED, 0, len(NAMED), "Device.docx", resolved=False
)


@pytest.mark.parametrize(
    ("code", "said"), [("hidden_document", "hidden by its label"), ("missing", "not found")]
)
def test_a_hidden_document_is_not_called_missing(code: str, said: str) -> None:
    problem = Problem(code, Severity.BLOCKS, "No.", "Change it.", 0, len(NAMED))
    plan = replace(PLAN, references=(REFERENCE,), problems=(problem,))
    _problem, group = board_rows(plan, (), {})
    assert group.text == "1 reference in the prompt"
    assert [(row.text, row.second) for row in group.rows] == [(NAMED, said)]


def test_passages_are_counted_only_where_there_are_any() -> None:
    assert board_summary(replace(PLAN, words=700), [], 0) == "0 words of about 700"


def test_a_need_says_where_the_passages_stand_that_were_selected_for_it() -> None:
    away = unit(40)
    evidence = TickedEvidence()
    needs = (need(1, unit(10), unit(20)), need(2, away), need(3))
    evidence.begin(replace(PLAN, needs=needs))

    def second() -> list[str]:
        assert evidence.plan is not None
        return [row.second for row in board_rows(evidence.plan, evidence.needs, {})]

    told = "1 passage for this stands under 1. Need 1"
    assert second()[1] == told
    evidence.tick(0, away.place, is_ticked=False)
    assert second()[1] != told

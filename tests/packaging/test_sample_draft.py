"""The draft that lies in the sample is what the product drafts today, with its one problem."""

from __future__ import annotations

from pathlib import Path

import build_sample_draft
import pytest

from phasergun_desktop.drafts.draft_codec import draft_from_json
from phasergun_desktop.drafts.marked import reasons_to_check
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import ProblemCode
from phasergun_desktop.workspace.sample_project import SAMPLE_DRAFT_ID


@pytest.fixture
def kept() -> Draft:
    return draft_from_json(build_sample_draft.DRAFT_FILE.read_text(encoding="utf-8"))


def test_it_has_one_problem_and_is_finished(kept: Draft) -> None:
    marked = [unit for unit in kept.units if reasons_to_check(unit)]
    assert [unit.text for unit in marked] == ["A full cell operates the device for 20 hours."]
    assert marked[0].problems[0].code is ProblemCode.VALUE_MISSING
    assert (kept.draft_id, kept.status) == (SAMPLE_DRAFT_ID, "complete")
    assert kept.discrepancies == ()
    assert kept.warnings == ()
    assert len(kept.footnotes) > 15


def test_it_is_what_the_product_drafts_today(kept: Draft, tmp_path: Path) -> None:
    made = draft_from_json(build_sample_draft.build(tmp_path))
    assert [(u.text, u.kind, u.citations, u.problems) for u in kept.units] == [
        (u.text, u.kind, u.citations, u.problems) for u in made.units
    ]
    assert [(n.file, n.sha256, n.start, n.end, n.quote) for n in kept.footnotes] == [
        (n.file, n.sha256, n.start, n.end, n.quote) for n in made.footnotes
    ]
    assert kept.edits == made.edits

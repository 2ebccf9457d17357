"""The benchmark's own edits change one thing, and its intervals are those of Wilson."""

from __future__ import annotations

import pytest

from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage
from tests.benchmarks.edits.edit_figures import wilson
from tests.benchmarks.edits.edits import edits_of
from tests.benchmarks.edits.sources import Stated

_TEXTS = (
    "The GlucoTrace G2 meter shall measure 20 to 600 mg/dL with 0.6 µL within 5 seconds.",
    "It was reviewed on 2026-08-14 under SOP-003 and is not approved, at least 12 users.",
    "The predicate K231192 conforms to ISO 14971:2019 and 21 CFR 862.1345 in every part.",
)


def _stated(number: int, text: str) -> Stated:
    passage = Passage(
        number, "a.md", "", "a", Layer.GENERAL, ChunkId("c"), 0, len(text), text, (), 1.0
    )
    return Stated(f"{number}.md", text, passage)


def test_every_edit_changes_one_place() -> None:
    edits = edits_of([_stated(number, text) for number, text in enumerate(_TEXTS)], 3)
    assert {edit.kind for edit in edits} == {
        "digit",
        "unit",
        "sign",
        "range end",
        "date",
        "edition",
        "number of a document",
        "negation",
        "name",
    }
    for edit in edits:
        before, after = edit.stated.text, edit.text
        assert before != after
        at = next(
            i
            for i in range(len(before))
            if before.startswith(edit.was, i)
            and (before[:i] + edit.now + before[i + len(edit.was) :] == after)
        )
        assert at >= 0


def test_edits_are_the_same_every_time() -> None:
    stated = [_stated(number, text) for number, text in enumerate(_TEXTS)]
    assert edits_of(stated, 3) == edits_of(stated, 3)


def test_intervals() -> None:
    assert wilson(281, 282) == pytest.approx((98.02, 99.94), abs=0.01)
    assert wilson(0, 150) == pytest.approx((0.0, 2.50), abs=0.01)

"""A gap says what is missing and where a document on it belongs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from phasergun_desktop.drafts.kept_plan import KeptPlan, KeptPoint, kept_plan
from phasergun_desktop.drafts.todos import todo_text
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.planning.model import PointKind

POINT = KeptPoint(PointKind.DESCRIBE, "", "q", "Alarm", "", "", "", ())


def test_an_unsupported_sentence_keeps_its_words() -> None:
    unit = DraftSentence("It is used in hospitals.", support=Support.UNSUPPORTED)
    assert todo_text(unit, POINT) == (
        "[TODO: a source for “It is used in hospitals”; a document that states it belongs in "
        "Context/Ongoing]"
    )


def test_a_missing_value_is_named() -> None:
    problem = SentenceProblem(ProblemCode.VALUE_MISSING, "7 s", "7 s is not there.")
    unit = DraftSentence("It takes 7 s.", problems=(problem,))
    assert todo_text(unit, None).startswith("[TODO: a source for “7 s” in “It takes 7 s”;")


@pytest.mark.parametrize(
    ("point", "folder"),
    [
        (None, "Context/Ongoing"),
        (replace(POINT, kind=PointKind.PROCEDURE), "Procedures/SOPs"),
        (replace(POINT, belongs="the summary in Context/Predicates"), "Context/Predicates"),
        (
            replace(POINT, belongs="the plan in Context/Regulatory Strategy of the device"),
            "Context/Regulatory Strategy",
        ),
        (replace(POINT, belongs="a field of the master record in Context"), "Context"),
    ],
)
def test_the_folder_is_that_of_the_point(point: KeptPoint | None, folder: str) -> None:
    gap = DraftSentence("[TODO: the documents searched do not state the shelf life]", UnitKind.TODO)
    told = f"[TODO: the shelf life; a document that states it belongs in {folder}]"
    assert todo_text(gap, point) == told
    for text in (
        "[TODO: the shelf life was not found in the documents searched (a.md, b.md)]",
        "[TODO: the documents searched (a.md) say nothing on the shelf life]",
    ):
        assert todo_text(replace(gap, text=text), point) == told


def test_a_gap_that_says_where_already_is_told_once() -> None:
    gap = DraftSentence(
        "[TODO: the documents searched do not state the shelf life; add a test report in "
        "Context/Initiation]",
        UnitKind.TODO,
    )
    told = todo_text(gap, POINT)
    assert told == "[TODO: the shelf life; a document that states it belongs in Context/Initiation]"
    again = DraftSentence(told, UnitKind.TODO)
    assert todo_text(again, replace(POINT, belongs="Procedures/QPs")) == told


@pytest.mark.parametrize("text", ["", "{", "[]", '{"outline": [{}]}', '{"outline": 3}'])
def test_a_plan_of_no_known_form_has_no_points(text: str) -> None:
    plan = kept_plan(text)
    assert plan == KeptPlan("", ())
    assert plan.point(0) is None
    assert plan.point(-1) is None


def test_a_point_that_an_earlier_version_kept_as_a_procedure_is_read() -> None:
    point = {
        "kind": "procedure",
        "heading": "Review",
        "text": "how a review is held",
        "attribute": "",
        "device": "",
        "passages": [],
    }
    kept = kept_plan(json.dumps({"title": "Plan", "outline": [point]})).point(0)
    assert kept is not None
    assert (kept.kind, kept.heading) == (PointKind.PROCEDURE, "Review")

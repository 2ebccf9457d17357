from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from phasergun_desktop.evaluation.answer_scores import Given, answer_figures, scored
from phasergun_desktop.evaluation.json_lines import Rows
from phasergun_desktop.evaluation.question_run import QuestionEvaluation, QuestionsAsked
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.searching import judged
from phasergun_desktop.jobs import Job, run_to_end
from phasergun_desktop.retrieval.model import SearchResult

HOSTILE = "((x+x+)+)y"


class _Project:
    """Gives one answer to everything, and finds nothing."""

    versions = "none"

    def __init__(self, text: str) -> None:
        self.text = text

    def search(self, query: str, limit: int) -> SearchResult:
        del query, limit
        return SearchResult(())

    def answer(self, prompt: str) -> Job[Given]:
        del prompt
        yield from ()
        return _given(self.text)


def _given(text: str, *cited: str, sure: bool = False, refuses: bool = False) -> Given:
    return Given(text, refuses, 0.9 if sure else 0.5, sure, cited, 1.0)


def _asked(questions: Sequence[JudgedQuestion]) -> QuestionsAsked:
    return QuestionsAsked("q.jsonl", Rows(tuple(questions), (), "ab"), answers=True)


def test_a_hostile_pattern_is_named_and_the_rest_runs(tmp_path: Path) -> None:
    questions = [
        JudgedQuestion("a", "One?", files=("f",), must_contain=(HOSTILE,)),
        JudgedQuestion("b", "Two?", files=("f",), must_contain=("xxx",)),
    ]
    evaluation = QuestionEvaluation(tmp_path / "runs.db", limit_s=5.0)
    report = run_to_end(evaluation.run(_asked(questions), _Project("x" * 60)))
    assert report.bad == (
        "The question a of q.jsonl has a pattern that takes too long to search for.",
    )
    assert [each.question.question_id for each in report.questions] == ["b"]
    assert dict(report.answers)["answers_right"].value == 1.0


def test_what_an_answer_is_worth() -> None:
    question = JudgedQuestion("a", "One?", files=("f", "g"), must_contain=("1", "2"))
    right = scored(question, _given("1 2", "f", "z"), [True, True])
    assert right.is_right
    assert (right.citation_precision, right.citation_recall) == (0.5, 1.0)
    half = scored(question, _given("1", "z", sure=True), [True, False])
    assert half.is_wrong
    assert half.is_surely_wrong
    refused = scored(question, _given("", refuses=True), [False, False])
    assert not refused.is_right
    assert not refused.is_wrong
    assert (refused.citation_precision, refused.citation_recall) == (None, 0.0)
    nothing = JudgedQuestion("b", "Two?", is_answerable=False)
    assert scored(nothing, _given("", refuses=True), []).is_right
    assert scored(nothing, _given("It is 3.", "f"), []).is_wrong
    figures = dict(answer_figures([right, half, refused]))
    assert figures["answers_right"].value == pytest.approx(1 / 3)
    assert figures["wrong_sure"].value == pytest.approx(1 / 3)
    assert math.isnan(figures["refused_rightly"].value)


def test_nothing_found_is_worth_nothing() -> None:
    ranking = judged([], {"a": 1.0}, any_is_enough=True)
    assert ranking.recall_10 == ranking.gain == ranking.precision == 0.0

"""The questions of a project, searched for and answered, evaluated and kept as a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from phasergun_desktop.evaluation.answer_scores import AnswerScore, Given, answer_figures, scored
from phasergun_desktop.evaluation.json_lines import EvaluationFileError, Rows
from phasergun_desktop.evaluation.metrics import Estimate, interval, rounded
from phasergun_desktop.evaluation.pattern_search import LIMIT_S, SlowPatternError, found_in
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.run_store import RunStore
from phasergun_desktop.evaluation.searching import (
    Searched,
    SearchFigures,
    figures_json,
    question_json,
    search_figures,
    searched,
)
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.retrieval.model import SearchResult

QUESTIONS = "questions"


class Asked(Protocol):
    """Who searches and answers: an open project with a profile."""

    @property
    def versions(self) -> str:
        """What searches and answers: index, profile, models."""
        ...

    def search(self, query: str, limit: int) -> SearchResult:
        """Search every layer."""
        ...

    def answer(self, prompt: str) -> Job[Given]:
        """Answer a question; nothing is kept and nothing is logged."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionsAsked:
    """What is evaluated: the questions of ``file``, or a half of them; with ``answers`` they are
    answered too."""

    file: str
    rows: Rows[JudgedQuestion]
    answers: bool = False
    half: Half | None = None


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """A question with what became of it; ``searched`` is None where no file answers it."""

    question: JudgedQuestion
    searched: Searched | None
    answer: AnswerScore | None


@dataclass(frozen=True, slots=True)
class QuestionsReport:
    """What came of all questions; ``bad`` names rows that were left out."""

    asked: QuestionsAsked
    questions: tuple[QuestionFigures, ...]
    search: SearchFigures
    answers: tuple[tuple[str, Estimate], ...]
    versions: str
    bad: tuple[str, ...]
    seconds: float


class QuestionEvaluation:
    """Evaluates questions; runs are kept in the file ``runs``. Searching one answer for its
    patterns may take ``limit_s``."""

    def __init__(self, runs: Path, limit_s: float = LIMIT_S) -> None:
        self._runs = runs
        self._limit_s = limit_s

    def run(self, asked: QuestionsAsked, project: Asked) -> Job[QuestionsReport]:
        """Search for every question, answer it where that is wanted, and return the figures.

        Raises ``EvaluationFileError`` where no question is left, and what the project raises.
        """
        half = asked.half
        chosen = [e for e in asked.rows.rows if half is None or half.has_id(e.question_id)]
        if not chosen:
            what = f"No question of {asked.file} belongs to this half."
            raise EvaluationFileError("No questions", what, "Leave out --half.")
        started = time.perf_counter()
        bad = list(asked.rows.bad)
        # What is loaded once belongs to no question's time.
        project.search(chosen[0].text, 1)
        figures = []
        for done, question in enumerate(chosen):
            yield Progress("Evaluating", done, len(chosen), "questions", question.question_id)
            found = _search(question, project.search)
            answer = None
            if asked.answers:
                given = yield from project.answer(question.prompt)
                try:
                    answer = self._score(question, given)
                except SlowPatternError:
                    bad.append(
                        f"The question {question.question_id} of {asked.file} has a pattern that "
                        "takes too long to search for."
                    )
                    continue
            figures.append(QuestionFigures(question, found, answer))
        return QuestionsReport(
            asked,
            tuple(figures),
            search_figures([each.searched for each in figures if each.searched is not None]),
            answer_figures([each.answer for each in figures if each.answer is not None]),
            project.versions,
            tuple(bad),
            time.perf_counter() - started,
        )

    def keep(self, report: QuestionsReport) -> int:
        """Keep the run and return its number. Raises ``StorageError``."""
        with closing(RunStore(self._runs)) as runs:
            return runs.add(
                QUESTIONS,
                report.asked.file,
                report.asked.rows.sha256,
                report.versions,
                questions_json(report),
            )

    def _score(self, question: JudgedQuestion, given: Given) -> AnswerScore:
        has = found_in([given.text], question.must_contain, self._limit_s)
        return scored(question, given, has)


def _search(
    question: JudgedQuestion, search: Callable[[str, int], SearchResult]
) -> Searched | None:
    if not question.is_answerable:
        return None
    gains = dict.fromkeys(question.files, 1.0)
    return searched(search, question.question_id, question.text, gains, any_is_enough=True)


def questions_json(report: QuestionsReport) -> dict[str, object]:
    """Return the report for ``eval --json``; what is not defined is null."""
    metrics, intervals = figures_json(report.search)
    if report.asked.answers:
        metrics.update((name, rounded(each.value)) for name, each in report.answers)
        intervals.update((name, interval(each)) for name, each in report.answers)
    half = report.asked.half
    return {
        "status": "complete",
        "half": half.value if half else None,
        "rows": len(report.questions),
        "metrics": metrics,
        "intervals": intervals,
        "versions": report.versions,
        "seconds": round(report.seconds, 2),
        "questions": [_question_json(each) for each in report.questions],
        "warnings": list(report.bad),
    }


def _question_json(figures: QuestionFigures) -> dict[str, object]:
    question, score = figures.question, figures.answer
    row: dict[str, object] = {"id": question.question_id, "question": question.text}
    row["answerable"] = question.is_answerable
    row["files"] = list(question.files)
    if figures.searched is not None:
        row.update(question_json(figures.searched))
    if score is None:
        return row
    return {
        **row,
        "right": float(score.is_right),
        "wrong": float(score.is_wrong),
        "wrong_sure": float(score.is_surely_wrong),
        "refused": float(score.given.is_refusal),
        "citation_precision": score.citation_precision,
        "citation_recall": score.citation_recall,
        "confidence": rounded(score.given.confidence),
        "answer_ms": round(score.given.ms, 1),
        "answer": score.given.text,
        "cited": list(score.given.cited),
    }

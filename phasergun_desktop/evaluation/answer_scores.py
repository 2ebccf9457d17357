"""What an answer to a question is worth: right, refused rightly or wrongly, or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.evaluation.metrics import Estimate, calibration_error, estimate, estimate_of
from phasergun_desktop.evaluation.questions import JudgedQuestion


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given. ``is_refusal``: it says that the answer is not there.
    ``confidence`` is in 0..1, ``is_sure`` whether it is shown as high; ``cited`` are files."""

    text: str
    is_refusal: bool
    confidence: float
    is_sure: bool
    cited: tuple[str, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """An answer with its judgment. ``is_right`` holds for a right refusal too."""

    given: Given
    is_answerable: bool
    is_right: bool
    citation_precision: float | None
    citation_recall: float | None

    @property
    def is_wrong(self) -> bool:
        """Whether something wrong is stated."""
        return not self.is_right and not self.given.is_refusal

    @property
    def is_surely_wrong(self) -> bool:
        """Whether something wrong is stated with high confidence."""
        return self.is_wrong and self.given.is_sure


def scored(question: JudgedQuestion, given: Given, has_patterns: Sequence[bool]) -> AnswerScore:
    """Judge an answer. ``has_patterns`` says which of ``must_contain`` it has.

    Precision is the share of the cited files that are gold, where it cites any; recall whether
    one of the gold files is cited.
    """
    if not question.is_answerable:
        return AnswerScore(given, False, given.is_refusal, None, None)
    gold = set(question.files)
    cited = [file in gold for file in given.cited]
    is_right = not given.is_refusal and all(has_patterns)
    precision = sum(cited) / len(cited) if cited else None
    return AnswerScore(given, True, is_right, precision, float(any(cited)))


def answer_figures(scores: Sequence[AnswerScore]) -> tuple[tuple[str, Estimate], ...]:
    """Return the figures of all answers by their names in JSON, with 95 % intervals.

    ``wrong`` and ``wrong_sure`` are shares of all questions. ``calibration_error`` compares the
    confidence of what was stated with how often it is right.
    """
    with_answer = [each for each in scores if each.is_answerable]
    without = [each for each in scores if not each.is_answerable]
    stated = [each for each in scores if not each.given.is_refusal]
    return (
        ("answers_right", estimate_of([float(each.is_right) for each in with_answer])),
        ("refused_wrongly", estimate_of([float(e.given.is_refusal) for e in with_answer])),
        ("refused_rightly", estimate_of([float(each.is_right) for each in without])),
        ("wrong", estimate_of([float(each.is_wrong) for each in scores])),
        ("wrong_sure", estimate_of([float(each.is_surely_wrong) for each in scores])),
        ("citation_precision", estimate_of(_defined(e.citation_precision for e in with_answer))),
        ("citation_recall", estimate_of(_defined(e.citation_recall for e in with_answer))),
        (
            "calibration_error",
            estimate(
                calibration_error,
                np.array([each.is_right for each in stated], dtype=np.bool_),
                np.array([each.given.confidence for each in stated], dtype=np.float64),
                [str(at) for at in range(len(stated))],
            )
            if stated
            else estimate_of([]),
        ),
    )


def _defined(values: Iterable[float | None]) -> list[float]:
    return [each for each in values if each is not None]

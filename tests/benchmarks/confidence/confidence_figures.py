"""Questions asked on 23 projects; how often the confidence is right, and abstention."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.confidence import probability
from phasergun_desktop.writing.model import AnswerStatus
from tests.benchmarks.confidence.asked_questions import (
    AskedQuestion,
    asked_questions,
    check_absent,
    written_questions,
)
from tests.benchmarks.confidence.calibration import Fit, calibration_error, fitted, interval
from tests.benchmarks.confidence.small_projects import asked_project, lay_out, whole_text
from tests.benchmarks.draft_figures import written_text
from tests.benchmarks.frame import Figure, figure

_BANDS = (("high", 0.8, 1.01), ("medium", 0.6, 0.8), ("low", 0.4, 0.6), ("very_low", 0.0, 0.4))


@dataclass(frozen=True, slots=True)
class Answer:
    """One question as it was answered. ``is_right``: the answer has everything that it must
    (False for an abstention); ``parts`` are the scores of its confidence by name."""

    is_answered: bool
    is_right: bool
    score: float
    parts: dict[str, float]
    seconds: float


Pair = tuple[AskedQuestion, Answer]


def confidence() -> Iterator[Figure]:
    """Ask all questions: answers are word for word, so that no model has a part in them."""
    pairs = _asked()
    of_rule = {one.name for one in asked_questions()}
    yield from _abstention("made_by_rule", [pair for pair in pairs if pair[0].name in of_rule])
    yield from _abstention("written", [pair for pair in pairs if pair[0].name not in of_rule])
    yield from _figures(pairs)


def _asked() -> list[Pair]:
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory(prefix="phasergun-confidence-") as folder:
        for project, root in lay_out(Path(folder) / "projects").items():
            made = tuple(one for one in asked_questions() if one.project == project)
            with asked_project(root, Path(folder) / "home") as session:
                check_absent(made, {project: whole_text(session)})
                written = [one for one in written_questions() if one.project == project]
                pairs += [(one, _ask(session, one)) for one in (*made, *written)]
    return pairs


def _ask(session: ProjectSession, question: AskedQuestion) -> Answer:
    start = time.perf_counter()
    plan = session.plan(question.prompt, asks=True)
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    text = written_text(result)
    is_answered = result.status is AnswerStatus.COMPLETE
    return Answer(
        is_answered=is_answered,
        is_right=is_answered
        and question.is_answerable
        and all(re.search(one, text, re.IGNORECASE) for one in question.must_contain),
        score=result.confidence.score,
        parts={one.name: one.score for one in result.confidence.criteria},
        seconds=time.perf_counter() - start,
    )


def _figures(pairs: Sequence[Pair]) -> Iterator[Figure]:
    fit_half = [(q, a) for q, a in pairs if q.is_for_fitting]
    other = [(q, a) for q, a in pairs if not q.is_for_fitting]
    first, second = _fit(fit_half), _fit(other)
    yield figure(
        "weights_fitted",
        "answers",
        [float(sum(a.is_answered for _, a in fit_half))],
        note=f"fitted on the given answers of the fitting half: bias {first.bias}, weight and"
        f" usual score of each part {first.weights}",
    )
    shipped = [(probability(a.parts) if a.is_answered else 0.0, a) for _, a in other]
    yield from _errors("shipped", shipped, "the weights as shipped, on the other half")
    fresh = [(first.probability(a.parts) if a.is_answered else 0.0, a) for _, a in other]
    yield from _errors("refitted", fresh, "weights of the fitting half, on the other")
    crossed = fresh + [
        (second.probability(a.parts) if a.is_answered else 0.0, a) for _, a in fit_half
    ]
    yield from _errors("crossed", crossed, "each half by the weights of the other")
    for name, low, high in _BANDS:
        if name == "high":
            wrong = [score >= low and not a.is_right for score, a in shipped]
            yield figure(
                "wrong_with_high_confidence",
                "share",
                [sum(wrong) / len(wrong)],
                target=0.03,
                note=f"{sum(wrong)} of {len(wrong)} questions of the other half, as shipped",
            )
        inside = [a for score, a in crossed if a.is_answered and low <= score < high]
        if inside:
            yield figure(
                f"right_{name}",
                "share",
                [sum(a.is_right for a in inside) / len(inside)],
                note=f"{len(inside)} given answers in this band, each half by the other's weights",
            )


def _fit(pairs: Sequence[Pair]) -> Fit:
    given = [a for _, a in pairs if a.is_answered]
    return fitted([a.parts for a in given], [a.is_right for a in given])


def _errors(name: str, scored: Sequence[tuple[float, Answer]], note: str) -> Iterator[Figure]:
    for part, chosen in (
        ("all", scored),
        ("given", [(score, a) for score, a in scored if a.is_answered]),
    ):
        if not chosen:
            continue
        scores, right = [score for score, _ in chosen], [a.is_right for _, a in chosen]
        low, high = interval(scores, right)
        about = "abstentions counted with 0" if part == "all" else "given answers only"
        yield figure(
            f"calibration_error_{name}_{part}",
            "share",
            [calibration_error(scores, right)],
            note=f"{len(chosen)} questions, {about}, 95 % interval {low:.3f} to {high:.3f}; {note}",
        )


def _abstention(name: str, pairs: Sequence[Pair]) -> Iterator[Figure]:
    with_answer = [a for q, a in pairs if q.is_answerable]
    yield figure(
        f"{name}_right",
        "share",
        [sum(a.is_right for a in with_answer) / len(with_answer)],
        note=f"{len(with_answer)} questions with an answer,"
        f" {sum(a.is_answered for a in with_answer)} answered",
    )
    without = [a for q, a in pairs if not q.is_answerable]
    yield figure(
        f"{name}_refused",
        "share",
        [sum(not a.is_answered for a in without) / len(without)],
        note=f"{len(without)} questions without an answer",
    )
    yield figure(f"{name}_seconds", "s", [a.seconds for _, a in pairs])

"""A hundred and twenty questions asked; how often the confidence is right, and abstention."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import user_places
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.confidence import probability
from phasergun_desktop.writing.model import AnswerStatus
from tests.benchmarks.confidence.answers_kept import KeptAnswer, KeptAnswers
from tests.benchmarks.confidence.asked_questions import (
    AskedQuestion,
    asked_questions,
    check_absent,
)
from tests.benchmarks.confidence.calibration import Fit, calibration_error, fitted, interval
from tests.benchmarks.confidence.small_projects import asked_project, lay_out, whole_text
from tests.benchmarks.draft_figures import written_text
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import LANGUAGE_MODEL, NO_MODEL, model_file

_BANDS = (("high", 0.8, 1.01), ("medium", 0.6, 0.8), ("low", 0.4, 0.6), ("very_low", 0.0, 0.4))

Pair = tuple[AskedQuestion, KeptAnswer]


def confidence(model: str = LANGUAGE_MODEL, limit: int = 0) -> Iterator[Figure]:
    """Ask all questions with the language model, or ``limit`` of each project."""
    model_file(model)
    yield from _figures(_asked(model, limit), model)


def confidence_extractive(limit: int = 0) -> Iterator[Figure]:
    """Ask all questions without a model: answers are the best spans, word for word."""
    yield from _figures(_asked("", limit), "extractive")


def _asked(model: str, limit: int) -> list[Pair]:
    questions = asked_questions()
    name = model or "extractive"
    kept = KeptAnswers(user_places().cache / "benchmarks" / f"confidence-{name}.jsonl")
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory(prefix="phasergun-confidence-") as folder:
        roots = lay_out(Path(folder) / "projects")
        for project, root in roots.items():
            mine = tuple(one for one in questions if one.project == project)[: limit or None]
            known = {one.name: kept.get(one.text) for one in mine}
            if any(answer is None for answer in known.values()):
                with asked_project(root, Path(folder) / "home", model or NO_MODEL) as session:
                    check_absent(mine, {project: whole_text(session)})
                    for one in mine:
                        if known[one.name] is None:
                            answer = _ask(session, one, kept.code, uses_model=bool(model))
                            kept.keep(answer)
                            known[one.name] = answer
                            print(_line(one, answer), file=sys.stderr, flush=True)
            pairs += [(one, kept_answer) for one in mine if (kept_answer := known[one.name])]
    return pairs


def _ask(
    session: ProjectSession, question: AskedQuestion, code: str, *, uses_model: bool
) -> KeptAnswer:
    start = time.perf_counter()
    plan = session.plan(question.text, asks=True)
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=uses_model))
    text = written_text(result)
    is_answered = result.status is AnswerStatus.COMPLETE
    return KeptAnswer(
        name=question.name,
        question=question.text,
        status=result.status.value,
        is_answered=is_answered,
        is_right=is_answered
        and question.is_answerable
        and all(re.search(one, text, re.IGNORECASE) for one in question.must_contain),
        score=result.confidence.score,
        parts={one.name: one.score for one in result.confidence.criteria},
        text=text,
        seconds=time.perf_counter() - start,
        code=code,
    )


def _line(question: AskedQuestion, answer: KeptAnswer) -> str:
    outcome = "right" if answer.is_right else "wrong" if answer.is_answered else "abstained"
    return f"{question.name} {outcome} {answer.score:.2f} {answer.seconds:.1f} s"


def _figures(pairs: Sequence[Pair], way: str) -> Iterator[Figure]:
    yield from _abstention(pairs, way)
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
    yield from _errors("shipped", shipped, f"the weights as shipped, on the other half; {way}")
    fresh = [(first.probability(a.parts) if a.is_answered else 0.0, a) for _, a in other]
    yield from _errors("refitted", fresh, f"weights of the fitting half, on the other; {way}")
    crossed = fresh + [
        (second.probability(a.parts) if a.is_answered else 0.0, a) for _, a in fit_half
    ]
    yield from _errors("crossed", crossed, f"each half by the weights of the other; {way}")
    for name, low, high in _BANDS:
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


def _errors(name: str, scored: Sequence[tuple[float, KeptAnswer]], note: str) -> Iterator[Figure]:
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


def _abstention(pairs: Sequence[Pair], way: str) -> Iterator[Figure]:
    with_answer = [a for q, a in pairs if q.is_answerable]
    without = [(q, a) for q, a in pairs if not q.is_answerable]
    abstained = [q for q, a in pairs if not a.is_answered]
    yield figure(
        "answers_right",
        "share",
        [sum(a.is_right for a in with_answer) / len(with_answer)],
        note=f"{len(with_answer)} questions with an answer; {way}",
    )
    if abstained:
        yield figure(
            "abstention_precision",
            "share",
            [sum(not q.is_answerable for q in abstained) / len(abstained)],
            note=f"{len(abstained)} abstentions, how many of them rightly",
        )
    for rule in ("another thing", "another attribute"):
        of_rule = [a for q, a in without if q.rule == rule]
        if of_rule:
            yield figure(
                f"abstained_{rule.replace(' ', '_')}",
                "share",
                [sum(not a.is_answered for a in of_rule) / len(of_rule)],
                note=f"{len(of_rule)} questions without an answer, made by that rule",
            )
    yield figure(
        "abstention_recall",
        "share",
        [sum(not a.is_answered for _, a in without) / len(without)],
        note=f"{len(without)} questions without an answer",
    )
    yield figure("question_seconds", "s", [a.seconds for _, a in pairs])

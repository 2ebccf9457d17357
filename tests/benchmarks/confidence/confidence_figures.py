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
from phasergun_desktop.writing.model import AnswerStatus, ConfidenceLevel
from tests.benchmarks.confidence.asked_questions import (
    AskedQuestion,
    asked_questions,
    check_absent,
    written_questions,
)
from tests.benchmarks.confidence.calibration import calibration_error, interval
from tests.benchmarks.confidence.small_projects import asked_project, lay_out, whole_text
from tests.benchmarks.draft_figures import written_text
from tests.benchmarks.frame import Figure, figure


@dataclass(frozen=True, slots=True)
class Answer:
    """One question as it was answered. ``is_right``: the answer has everything that it must
    (False for an abstention)."""

    is_answered: bool
    is_right: bool
    score: float
    level: ConfidenceLevel
    seconds: float


Pair = tuple[AskedQuestion, Answer]


def confidence() -> Iterator[Figure]:
    """Ask all questions: answers are word for word, so that no model has a part in them."""
    pairs = _asked()
    of_rule = {one.name for one in asked_questions()}
    yield from _abstention("made_by_rule", [pair for pair in pairs if pair[0].name in of_rule])
    yield from _abstention("written", [pair for pair in pairs if pair[0].name not in of_rule])
    yield from _figures([answer for _, answer in pairs])


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
        level=result.confidence.level,
        seconds=time.perf_counter() - start,
    )


def _figures(answers: Sequence[Answer]) -> Iterator[Figure]:
    for about, chosen in (
        ("abstentions counted with 0", answers),
        ("given answers only", [each for each in answers if each.is_answered]),
    ):
        scores = [each.score if each.is_answered else 0.0 for each in chosen]
        right = [each.is_right for each in chosen]
        low, high = interval(scores, right)
        name = "all" if chosen is answers else "given"
        yield figure(
            f"calibration_error_{name}",
            "share",
            [calibration_error(scores, right)],
            note=f"{len(chosen)} questions, {about}, 95 % interval {low:.3f} to {high:.3f}",
        )
    for level in ConfidenceLevel:
        inside = [each.is_right for each in answers if each.is_answered and each.level is level]
        if inside:
            yield figure(
                f"right_{level.value}",
                "share",
                [sum(inside) / len(inside)],
                note=f"{sum(inside)} of {len(inside)} given answers of this level",
            )
        if level is ConfidenceLevel.HIGH:
            wrong = len(inside) - sum(inside)
            yield figure(
                "wrong_with_high_confidence",
                "share",
                [wrong / len(answers)],
                target=0.03,
                note=f"{wrong} of {len(answers)} questions",
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

"""The questions on the projects: whether search finds the file, and what is answered."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus
from tests.benchmarks.draft_figures import found_quotes, written_text
from tests.benchmarks.frame import Figure, figure, share
from tests.benchmarks.glucose import (
    LANGUAGE_MODEL,
    GlucoseProject,
    Question,
    model_file,
    opened,
    question_of,
)
from tests.benchmarks.indexed_copy import indexed_copy
from tests.benchmarks.project_figures import PROJECTS

_CHUNKS = 50


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with its answer."""

    question: Question
    result: AnswerResult
    seconds: float
    wrong_quotes: int

    @property
    def abstained(self) -> bool:
        """Whether it says that the answer is not there."""
        return self.result.status is AnswerStatus.ABSTAINED

    @property
    def is_right(self) -> bool:
        """Whether the answer has everything it must contain."""
        text = written_text(self.result)
        return not self.abstained and all(
            re.search(pattern, text, re.IGNORECASE) for pattern in self.question.must_contain
        )


def question_recall(project: GlucoseProject) -> Iterator[Figure]:
    """Search for the file that answers each question; files not read yet are left out."""
    with project.indexed_home() as home, opened(project.root, home) as (_, session):
        asked, beyond = _reachable(session, project.questions())
        ranks = [_rank_of_file(session, question) for question in asked]
        in_chunks = [_is_in_chunks(session, question) for question in asked]
        read = [_plan_reads(session, question) for question in asked]
    n = len(asked)
    note = (
        f"{n} answerable questions whose file is in a format that is read (not yet:"
        f" {', '.join(beyond) or 'none'}); every layer"
    )
    for k in (1, 5):
        yield figure(
            f"recall@{k}",
            "share",
            [sum(rank <= k for rank in ranks) / n],
            note=f"the file among the first {k} files, each by its best chunk; {note};"
            f" missed: {_names(asked, [rank <= k for rank in ranks])}",
        )
    yield figure(
        "recall@5_chunks",
        "share",
        [sum(in_chunks) / n],
        note="a chunk of the file among the first five hits",
    )
    yield figure(
        "plan_reads_file",
        "share",
        [sum(read) / n],
        note=f"the plan of the question, in its scope, has a passage of the file; missed:"
        f" {_names(asked, read)}",
    )


def answers(
    project: GlucoseProject, model: str = LANGUAGE_MODEL, limit: int = 0
) -> Iterator[Figure]:
    """Ask every question; ``limit`` above 0 asks only so many of each kind."""
    model_file(model)
    questions = project.questions()
    with (
        project.indexed_home() as home,
        opened(project.root, home, model=model) as (_, session),
    ):
        run_to_end(session.warm())
        reachable, beyond = _reachable(session, questions)
        unanswerable = [question for question in questions if not question.answerable]
        right = [_ask(session, question) for question in reachable[: limit or None]]
        without = [_ask(session, question) for question in unanswerable[: limit or None]]
    yield figure(
        "answers_right",
        "share",
        [sum(each.is_right for each in right) / len(right)],
        note=f"{len(right)} answerable questions (not read yet: {', '.join(beyond) or 'none'});"
        f" not right: {_names([e.question for e in right], [e.is_right for e in right])}; {model}",
    )
    yield figure(
        "answers_wrongly_abstained",
        "share",
        [sum(each.abstained for each in right) / len(right)],
        note="of the same questions",
    )
    kept = [each.abstained for each in without]
    yield figure(
        "answers_abstained",
        "share",
        [sum(kept) / len(without)],
        note=f"{len(without)} questions without an answer in the project; answered all the same:"
        f" {_names([each.question for each in without], kept)}",
    )
    yield figure(
        "answers_wrong_quotes",
        "footnotes",
        [float(sum(each.wrong_quotes for each in right + without))],
        target=0.0,
    )
    spent = [each.seconds for each in right + without]
    yield figure("answers_seconds", "s", spent, target=20.0)
    yield figure(
        "answers_first_token",
        "s",
        [each.result.metrics.first_token_ms / 1000 for each in right + without],
        note="0 where no model was asked",
    )


def verbatim_answers(projects: Sequence[GlucoseProject]) -> Iterator[Figure]:
    """Ask every question on ``projects`` without a language model."""
    for project in projects:
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            run_to_end(session.warm())
            asked = [_ask(session, question, use_model=False) for question in project.questions()]
        yield from _shares(project.name.removeprefix("project-"), asked)


def plain_answers() -> Iterator[Figure]:
    """Ask the plain questions on the projects of ``projects`` without a language model: short ones
    for one fact, in the documents' words and in everyday ones, written by people who built none of
    the selecting and by whom nothing was learnt."""
    everything: list[_Asked] = []
    for folder in sorted(PROJECTS.iterdir()):
        rows = map(json.loads, (folder / "questions.jsonl").read_text("utf-8").splitlines())
        with indexed_copy(folder / "project") as (_, session):
            everything += [_ask(session, question_of(row), use_model=False) for row in rows]
    yield from _shares("plain questions", everything)


def _shares(name: str, asked: Sequence[_Asked]) -> Iterator[Figure]:
    of = [each for each in asked if each.question.answerable]
    for what, told in (
        ("right", [each.is_right for each in of]),
        ("wrong", [not (each.is_right or each.abstained) for each in of]),
        ("abstained", [each.abstained for each in of]),
    ):
        rows = [(each.question.name, is_so) for each, is_so in zip(of, told, strict=True)]
        yield share(f"{name}: with an answer, {what}", rows)
    without = [(e.question.name, e.abstained) for e in asked if not e.question.answerable]
    yield share(f"{name}: without an answer, abstained", without)
    # All of it: the units are found and stated in one.
    yield figure(f"{name}: seconds of an answer", "s", [e.seconds for e in asked], target=20.0)


def _reachable(
    session: ProjectSession, questions: tuple[Question, ...]
) -> tuple[list[Question], list[str]]:
    """Return the answerable questions with an indexed file, and the names of the others."""
    indexed = {record.file for record in session.files() if record.state is FileState.INDEXED}
    answerable = [question for question in questions if question.answerable]
    inside = [question for question in answerable if indexed.intersection(question.files)]
    return inside, [question.name for question in answerable if question not in inside]


def _rank_of_file(session: ProjectSession, question: Question) -> int:
    files = dict.fromkeys(hit.file for hit in session.search(question.text, limit=_CHUNKS).hits)
    ranks = [at for at, file in enumerate(files, start=1) if file in question.files]
    return min(ranks, default=_CHUNKS + 1)


def _is_in_chunks(session: ProjectSession, question: Question) -> bool:
    return any(hit.file in question.files for hit in session.search(question.text, limit=5).hits)


def _plan_reads(session: ProjectSession, question: Question) -> bool:
    passages = session.plan(question.prompt, asks=True).passages
    return any(passage.file in question.files for passage in passages)


def _ask(session: ProjectSession, question: Question, *, use_model: bool = True) -> _Asked:
    start = time.perf_counter()
    plan = session.plan(question.prompt, asks=True)
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=use_model))
    spent = time.perf_counter() - start
    return _Asked(question, result, spent, found_quotes(session, result)[1])


def _names(questions: list[Question], good: list[bool]) -> str:
    bad = [q.name for q, is_good in zip(questions, good, strict=True) if not is_good]
    return ", ".join(bad) or "none"

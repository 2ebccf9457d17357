"""The questions on both projects, answered with each profile by the product's own evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phasergun_desktop.evaluation.answer_scores import AnswerScore, answer_figures
from phasergun_desktop.evaluation.question_run import QuestionEvaluation, QuestionsAsked
from phasergun_desktop.evaluation.questions import read_questions
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.respondent import Manner, Respondent
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import GlucoseProject, opened, test_data

_Scores = list[tuple[str, AnswerScore]]


def profile_figures(projects: Sequence[tuple[GlucoseProject, Half | None]]) -> Iterator[Figure]:
    """Ask the questions on each project, or those of its half, with each profile and without a
    language model. Yield how many are answered right, wrongly and not, and how far the confidence
    of what is stated is from the truth, on all projects together."""
    found: dict[str, dict[str, _Scores]] = {}
    for project, half in projects:
        rows = read_questions(test_data() / f"{project.name}-questions.jsonl")
        asked = QuestionsAsked(project.name, rows, answers=True, half=half)
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            run_to_end(session.warm())
            evaluation = QuestionEvaluation(session.runs_file)
            for profile in session.profiles():
                respondent = Respondent(session, Manner(profile.name), lambda: False)
                report = run_to_end(evaluation.run(asked, respondent))
                found.setdefault(profile.name, {})[project.name] = [
                    (each.question.question_id, each.answer)
                    for each in report.questions
                    if each.answer is not None
                ]
    for profile_name, by_project in found.items():
        for project_name, scores in by_project.items():
            of = f"{profile_name}, {project_name.removeprefix('project-')}"
            yield from _shares(of, scores)
        yield _calibration(profile_name, [one for each in by_project.values() for _, one in each])


def _shares(of: str, scores: _Scores) -> Iterator[Figure]:
    with_answer = [each for each in scores if each[1].is_answerable]
    without = [each for each in scores if not each[1].is_answerable]
    yield share(f"{of}: with an answer, right", [(n, s.is_right) for n, s in with_answer])
    yield share(f"{of}: with an answer, wrong", [(n, s.is_wrong) for n, s in with_answer])
    yield share(f"{of}: with an answer, refused", [(n, s.given.is_refusal) for n, s in with_answer])
    yield share(f"{of}: without an answer, refused", [(n, s.is_right) for n, s in without])


def _calibration(profile: str, scores: Sequence[AnswerScore]) -> Figure:
    error = dict(answer_figures(scores))["calibration_error"]
    stated = sum(not each.given.is_refusal for each in scores)
    return Figure(
        f"{profile}: calibration error",
        "mean",
        stated,
        error.low,
        error.value,
        error.high,
        error.high,
        note="of what is stated, both projects; interval by question",
    )

"""The table of what is chosen for prompts, from the facts in the pool to the seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import numpy as np

from phasergun_desktop.answering.model import Plan
from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.draft_report import DraftFigures
from phasergun_desktop.evaluation.metrics import area_under_curve, estimate
from phasergun_desktop.evaluation.wanted_facts import Half, read_facts
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.evidence.judged_units import (
    SelectedUnit,
    in_context,
    judged_figures,
    read_verdicts,
    selected_units,
)
from tests.benchmarks.evidence.unanswerable import (
    PROJECTS,
    CaseResult,
    Rule,
    abstains,
    case_results,
)
from tests.benchmarks.frame import Figure, figure, seconds, share
from tests.benchmarks.glucose import GlucoseProject, Question, opened
from tests.benchmarks.glucose import test_data as data_folder

_RANKS = (5, 10, 20)
# What the odd half has to reach.
_POOL, _DRAFTED = 0.9, 0.6
_RANK_TARGETS = {5: 0.6, 20: 0.85}
_MUST_ABSTAIN, _MAY_ABSTAIN = 0.85, 0.05
_EVIDENCE_S, _DRAFT_S = 1.0, 1.5
# Shares of the answerable prompts that a threshold on the score would let abstain.
_LOST = (0.02, 0.05, 0.1, 0.2)


def evidence_figures() -> Iterator[Figure]:
    """Measure both projects without a language model; project-glucose only warns of a fall."""
    projects = [GlucoseProject(name) for name in PROJECTS]
    units: list[SelectedUnit] = []
    for project in projects:
        short = project.name.removeprefix("project-")
        with project.indexed_home() as home, opened(project.root, home) as (application, session):
            first = session.prompts()[0].text
            first_s = seconds(lambda: session.plan(first))  # noqa: B023
            yield figure(f"{short}: first evidence", "s", [first_s], note="embedder not loaded")
            yield from _draft_figures(project, application, session)
            yield from question_figures(project, session)
            units += selected_units(project.name, session)
    yield from judged_figures(units, read_verdicts())
    yield from abstention_figures(list(case_results(projects)))


def _draft_figures(
    project: GlucoseProject, application: Application, session: ProjectSession
) -> Iterator[Figure]:
    texts = {PurePosixPath(each.file).name: each.text for each in session.prompts()}
    file = read_facts(data_folder() / f"{project.name}-facts.jsonl")
    asked = DraftsAsked(file, texts, use_model=False)
    prompts = run_to_end(application.drafts.run(asked, session, lambda: False)).prompts
    short = project.name.removeprefix("project-")
    if project.name == PROJECTS[0]:
        for half in Half:
            mine = [each for each in prompts if half.has(each.prompt)]
            yield from recall_figures(f"{short} {half}", mine, has_target=half is Half.ODD)
    else:
        yield from recall_figures(short, prompts, has_target=False)
    plans = [each.plan_s for each in prompts]
    yield figure(f"{short}: evidence", "s", plans, target=_EVIDENCE_S)
    whole = [each.plan_s + each.draft_s for each in prompts]
    yield figure(f"{short}: verbatim draft", "s", whole, target=_DRAFT_S)


def recall_figures(
    name: str, prompts: Sequence[DraftFigures], *, has_target: bool
) -> Iterator[Figure]:
    """Yield the shares of the wanted facts of ``prompts`` in pool, selection and draft."""
    facts = [(each.prompt, fact) for each in prompts for fact in each.facts]
    pool = [(prompt, fact.in_pool) for prompt, fact in facts]
    yield share(f"{name}: facts in the pool", pool, target=_POOL if has_target else None)
    yield share(f"{name}: facts selected", [(prompt, fact.is_selected) for prompt, fact in facts])
    drafted = [(prompt, fact.is_drafted) for prompt, fact in facts]
    yield share(f"{name}: facts drafted", drafted, target=_DRAFTED if has_target else None)
    missing = [(each.prompt, is_said) for each in prompts for _, is_said in each.missing]
    if missing:
        yield share(f"{name}: gaps that are told", missing)
    yield figure(f"{name}: words of a draft", "words", [float(each.words) for each in prompts])


def question_figures(project: GlucoseProject, session: ProjectSession) -> Iterator[Figure]:
    """Yield how often a unit that has the whole answer is among the best for the question."""
    short = project.name.removeprefix("project-")
    asked = [(each, session.plan(each.prompt)) for each in project.questions()]
    ranks = [(each.name, _rank(each, session, plan)) for each, plan in asked if each.answerable]
    for count in _RANKS:
        target = _RANK_TARGETS.get(count) if project.name == PROJECTS[0] else None
        found = [(name, rank <= count) for name, rank in ranks]
        yield share(f"{short}: answers in the best {count} units", found, target=target)
    for name, is_answerable in (("with", True), ("without", False)):
        mine = [(q.name, abstains(plan)) for q, plan in asked if q.answerable is is_answerable]
        yield share(f"{short}: questions {name} an answer that have no evidence", mine)


def _rank(question: Question, session: ProjectSession, plan: Plan) -> float:
    """Return the best rank over the needs, which a question with a list in it has several of."""
    patterns = [re.compile(each, re.IGNORECASE) for each in question.must_contain]
    best = float("inf")
    for need in plan.needs:
        for rank, unit in enumerate(need.units[: max(_RANKS)], 1):
            text = in_context(session, unit.passage)
            if all(pattern.search(text) for pattern in patterns):
                best = min(best, rank)
    return best


def abstention_figures(results: Sequence[CaseResult]) -> Iterator[Figure]:
    """Yield the shares that abstain, by half and rule, and how well the best score tells them."""
    for half in Half:
        mine = [each for each in results if each.case.half is half]
        is_report = half is Half.ODD
        without = [each for each in mine if not each.case.rule.is_answerable]
        target = _MUST_ABSTAIN if is_report else None
        yield share(f"{half}: abstain without an answer", _told(without), target=target)
        answerable = [each for each in mine if each.case.rule.is_answerable]
        yield share(
            f"{half}: abstain with an answer",
            _told(answerable),
            target=_MAY_ABSTAIN if is_report else None,
            at_least=False,
        )
        for rule in Rule:
            of_rule = [each for each in mine if each.case.rule is rule]
            yield share(f"{half}: abstain, {rule}", _told(of_rule))
        yield from _separation(f"{half}: best score", mine, [each.score for each in mine])
        yield from _separation(f"{half}: best similarity", mine, [each.similarity for each in mine])


def _told(results: Sequence[CaseResult]) -> list[tuple[str, bool]]:
    return [(each.case.made_of, each.abstains) for each in results]


def _separation(
    name: str, results: Sequence[CaseResult], scores: Sequence[float]
) -> Iterator[Figure]:
    """The area under the curve, and at each threshold what of either kind lies below it."""
    values = np.nan_to_num(np.array(scores), neginf=-1e9)
    positive = np.array([each.case.rule.is_answerable for each in results])
    groups = [each.case.made_of for each in results]
    area = estimate(area_under_curve, positive, values, groups)
    curve = []
    for lost in _LOST:
        threshold = float(np.quantile(values[positive], lost))
        below = values < threshold
        told, wrongly = below[~positive].mean(), below[positive].mean()
        curve.append(f"below {threshold:.3f}: {told:.2f} without, {wrongly:.2f} with an answer")
    note = "area under the curve, with an answer above without; " + "; ".join(curve)
    low, high = area.low, area.high
    yield Figure(name, "", len(values), low, area.value, high, high, note=note)

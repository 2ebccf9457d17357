"""The table of what is chosen for prompts, from the facts in the pool to the seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import numpy as np

from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.draft_report import DraftFigures
from phasergun_desktop.evaluation.metrics import area_under_curve, estimate
from phasergun_desktop.evaluation.wanted_facts import Half, read_facts
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.model import Plan
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
    Case,
    Rule,
    abstains,
    best_scores,
    planned_cases,
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
    yield from abstention_figures(list(planned_cases(projects)))


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
    """Return the rank, from 1, of the best unit that has the whole answer, over the needs."""
    patterns = [re.compile(each, re.IGNORECASE) for each in question.must_contain]
    ranked = [pair for need in plan.needs for pair in enumerate(need.units[: max(_RANKS)], 1)]
    texts = [(rank, in_context(session, unit.passage)) for rank, unit in ranked]
    having = [rank for rank, text in texts if all(each.search(text) for each in patterns)]
    return min(having, default=float("inf"))


def abstention_figures(planned: Sequence[tuple[Case, Plan]]) -> Iterator[Figure]:
    """Yield the shares that abstain, by half and rule, and how well the best score tells them."""
    for half in Half:
        mine = [(case, plan) for case, plan in planned if case.half is half]
        for name, is_answerable, target in (
            ("without", False, _MUST_ABSTAIN),
            ("with", True, _MAY_ABSTAIN),
        ):
            yield share(
                f"{half}: abstain {name} an answer",
                [
                    (c.made_of, abstains(p))
                    for c, p in mine
                    if c.rule.is_answerable is is_answerable
                ],
                target=target if half is Half.ODD else None,
                at_least=not is_answerable,
            )
        for rule in Rule:
            told = [(c.made_of, abstains(p)) for c, p in mine if c.rule is rule]
            yield share(f"{half}: abstain, {rule}", told)
        cases = [case for case, _ in mine]
        scores, similarities = zip(*(best_scores(plan) for _, plan in mine), strict=True)
        yield _separation(f"{half}: best score", cases, scores)
        yield _separation(f"{half}: best similarity", cases, similarities)


def _separation(name: str, cases: Sequence[Case], scores: Sequence[float]) -> Figure:
    """The area under the curve, and at each threshold what of either kind lies below it."""
    values = np.array(scores)
    positive = np.array([case.rule.is_answerable for case in cases])
    area = estimate(area_under_curve, positive, values, [case.made_of for case in cases])
    curve = []
    for lost in _LOST:
        threshold = float(np.quantile(values[positive], lost))
        below = values < threshold
        told, wrongly = below[~positive].mean(), below[positive].mean()
        curve.append(f"below {threshold:.3f}: {told:.2f} without, {wrongly:.2f} with an answer")
    note = "area under the curve, with an answer above without; " + "; ".join(curve)
    high = area.high
    return Figure(name, "", len(values), area.low, area.value, high, high, note=note)

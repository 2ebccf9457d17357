"""Drafts of three small projects that nothing was learnt of, without a language model.

``projects`` holds a wound dressing, a spinal screw and an ECG patch: invented documents, prompts as
writers type them and the facts that good sections hold, each written by somebody who had built none
of the selecting. The prompts whose names begin with "none" have no answer. ``parts.jsonl`` holds
the parts of the others as they are cut, judged by one reader: ``stated`` somewhere, ``missing``
from all documents, or a ``remark`` that asks for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.wanted_facts import read_facts
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.model import Plan, PointKind
from tests.benchmarks.evidence.evidence_figures import recall_figures
from tests.benchmarks.evidence.unanswerable import abstains
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.indexed_copy import indexed_copy

PROJECTS = Path(__file__).with_name("projects")
_UNANSWERABLE = "none-"


def project_figures() -> Iterator[Figure]:
    """Yield the shares of wanted facts of each project, and, over all of them, of the prompts
    without an answer and of those with one that abstain, of the missing parts that are told, and of
    those told that are missing."""
    told: dict[bool, list[tuple[str, bool]]] = {True: [], False: []}
    missing: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for project in sorted(PROJECTS.iterdir()):
        with indexed_copy(project / "project") as (application, session):
            texts = {PurePosixPath(each.file).name: each.text for each in session.prompts()}
            asked = DraftsAsked(read_facts(project / "facts.jsonl"), texts, use_model=False)
            prompts = run_to_end(application.drafts.run(asked, session, lambda: False)).prompts
            judged = judged_parts(project)
            for name, text in texts.items():
                plan = session.plan(text)
                told[not name.startswith(_UNANSWERABLE)].append((name, abstains(plan)))
                for state, is_told in told_parts(plan, judged.get(name, {})):
                    if state == "missing":
                        missing.append((name, is_told))
                    if is_told:
                        right.append((name, state == "missing"))
        yield from recall_figures(project.name, prompts, has_target=False)
    yield share("prompts without an answer that abstain", told[False])
    yield share("prompts with an answer that abstain", told[True])
    yield share("missing parts of prompts that are told", missing)
    yield share("parts told as missing that are", right)


def judged_parts(project: Path) -> dict[str, dict[str, str]]:
    """Return for each prompt what readers of all documents say of its parts: "stated", "partly",
    "missing", or "remark"."""
    judged: dict[str, dict[str, str]] = {}
    for row in map(json.loads, (project / "parts.jsonl").read_text(encoding="utf-8").splitlines()):
        judged.setdefault(row["prompt"], {})[row["part"]] = row["is"]
    return judged


def told_parts(plan: Plan, judged: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield of the ``judged`` parts of a prompt that have a point what readers say of them, and
    whether it is told that all documents lack it."""
    quotes = {each.need.need_id: " ".join(each.need.quote.split()) for each in plan.needs}
    for point in plan.points:
        is_told = not (point.evidence or point.pairs or point.value or point.may_be_empty)
        state = judged.get(quotes.get(point.need_id, ""), "")
        if state and point.kind is not PointKind.COMPARE:
            yield state, is_told

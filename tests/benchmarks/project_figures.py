"""Drafts of three small projects that nothing was learnt of, without a language model.

``projects`` holds a wound dressing, a spinal screw and an ECG patch: invented documents, prompts as
writers type them and the facts that good sections hold, each written by somebody who had built none
of the selecting. The prompts whose names begin with "none" have no answer. ``parts.jsonl`` holds
the parts of the others as they are cut, judged by one reader: ``stated`` somewhere, ``missing``
from all documents, or a ``remark`` that asks for nothing.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.wanted_facts import read_facts
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.model import Plan, PointKind
from tests.benchmarks.evidence.evidence_figures import recall_figures
from tests.benchmarks.evidence.unanswerable import abstains
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import opened

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
        with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
            root = Path(folder) / "project"
            shutil.copytree(project / "project", root, copy_function=shutil.copyfile)
            with opened(root, Path(folder) / "home") as (application, session):
                run_to_end(session.sync())
                texts = {PurePosixPath(each.file).name: each.text for each in session.prompts()}
                asked = DraftsAsked(read_facts(project / "facts.jsonl"), texts, use_model=False)
                prompts = run_to_end(application.drafts.run(asked, session, lambda: False)).prompts
                judged = _judged_parts(project)
                for name, text in texts.items():
                    plan = session.plan(text)
                    told[not name.startswith(_UNANSWERABLE)].append((name, abstains(plan)))
                    for part, is_told in _parts(plan):
                        state = judged.get((name, part), "")
                        if state == "missing":
                            missing.append((name, is_told))
                        if state and is_told:
                            right.append((name, state == "missing"))
        yield from recall_figures(project.name, prompts, has_target=False)
    yield share("prompts without an answer that abstain", told[False])
    yield share("prompts with an answer that abstain", told[True])
    yield share("missing parts of prompts that are told", missing)
    yield share("parts told as missing that are", right)


def _judged_parts(project: Path) -> dict[tuple[str, str], str]:
    rows = map(json.loads, (project / "parts.jsonl").read_text(encoding="utf-8").splitlines())
    return {(row["prompt"], row["part"]): row["is"] for row in rows}


def _parts(plan: Plan) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a prompt that have a point, and whether it is told that all documents lack
    it."""
    quotes = {each.need.need_id: each.need.quote for each in plan.needs}
    for point in plan.points:
        is_told = not (point.evidence or point.pairs or point.value or point.may_be_empty)
        if point.need_id in quotes and point.kind is not PointKind.COMPARE:
            yield " ".join(quotes[point.need_id].split()), is_told

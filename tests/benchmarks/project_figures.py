"""Drafts of three small projects that nothing was learnt of, without a language model.

``projects`` holds a wound dressing, a spinal screw and an ECG patch: invented documents, prompts as
writers type them and the facts that good sections hold, each written by somebody who had built none
of the selecting. The prompts whose names begin with "none" have no answer.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.wanted_facts import read_facts
from phasergun_desktop.jobs import run_to_end
from tests.benchmarks.evidence.evidence_figures import recall_figures
from tests.benchmarks.evidence.unanswerable import abstains
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import opened

PROJECTS = Path(__file__).with_name("projects")
_UNANSWERABLE = "none-"


def project_figures() -> Iterator[Figure]:
    """Yield the shares of wanted facts of each project, and of the prompts without an answer and
    of those with one that abstain, over all of them."""
    told: dict[bool, list[tuple[str, bool]]] = {True: [], False: []}
    for project in sorted(PROJECTS.iterdir()):
        with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
            root = Path(folder) / "project"
            shutil.copytree(project / "project", root, copy_function=shutil.copyfile)
            with opened(root, Path(folder) / "home") as (application, session):
                run_to_end(session.sync())
                texts = {PurePosixPath(each.file).name: each.text for each in session.prompts()}
                asked = DraftsAsked(read_facts(project / "facts.jsonl"), texts, use_model=False)
                prompts = run_to_end(application.drafts.run(asked, session, lambda: False)).prompts
                for name, text in texts.items():
                    has_answer = not name.startswith(_UNANSWERABLE)
                    told[has_answer].append((name, abstains(session.plan(text))))
        yield from recall_figures(project.name, prompts, has_target=False)
    yield share("prompts without an answer that abstain", told[False])
    yield share("prompts with an answer that abstain", told[True])

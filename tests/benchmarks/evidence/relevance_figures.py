"""What the pass before writing leaves out: facts, words and judged units at thresholds."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from phasergun_desktop.answering.model import AnswerMetrics, Plan
from phasergun_desktop.answering.passes.relevance import (
    CERTAIN_FROM,
    RELEVANT_FROM,
    RelevancePass,
)
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.evaluation.draft_texts import evidence_texts
from phasergun_desktop.evaluation.wanted_facts import FactsFile, Half, Wanted, read_facts
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.evidence.judged_units import SelectedUnit, in_context, read_verdicts
from tests.benchmarks.evidence.unanswerable import PROJECTS
from tests.benchmarks.frame import Figure, figure, share
from tests.benchmarks.glucose import GlucoseProject, model_file, opened
from tests.benchmarks.glucose import test_data as data_folder

_MODEL = "qwen2.5-coder-1.5b-instruct"
# The first keeps everything: what is drafted without a model.
_THRESHOLDS = (float("-inf"), -0.2, RELEVANT_FROM, 0.1, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class _Read:
    """A plan of a prompt with the odds of what was read, and what a person said of its units."""

    prompt: str
    plan: Plan
    odds: Mapping[Passage, float]
    answers: Mapping[Passage, bool]
    seconds: float

    def at(self, threshold: float) -> Plan:
        """Return the plan without what lies below ``threshold``."""
        return self.plan.without(lambda unit: self.odds.get(unit, threshold) < threshold)


def relevance_figures() -> Iterator[Figure]:
    """Read the evidence of every prompt of project-oxygenator with the bundled model."""
    project = GlucoseProject(PROJECTS[0])
    model = LlamaModel(LlamaSettings(model_file(_MODEL), _MODEL, "", 4096, 2))
    try:
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            read = list(_read(project.name, session, model))
    finally:
        model.close()
    facts = read_facts(data_folder() / f"{project.name}-facts.jsonl")
    for half in Half:
        mine = [each for each in read if half.has(each.prompt)]
        yield figure(f"{half}: reading", "s", [each.seconds for each in mine])
        for threshold in _THRESHOLDS:
            yield from _figures(f"{half}: from {threshold:g}", threshold, mine, facts)


def _figures(name: str, threshold: float, read: list[_Read], facts: FactsFile) -> Iterator[Figure]:
    found: list[tuple[str, bool]] = []
    judged: list[tuple[str, bool]] = []
    words: list[float] = []
    empty: list[tuple[str, bool]] = []
    for each in read:
        plan = each.at(threshold)
        said = " ".join(" ".join(evidence_texts(plan)[1]).split())
        patterns = [
            fact.pattern
            for fact in facts.facts
            if fact.wanted is Wanted.FACT and PurePosixPath(fact.prompt).name == each.prompt
        ]
        found += [(each.prompt, bool(re.search(p, said, re.IGNORECASE))) for p in patterns]
        kept = [unit for need in plan.needs for unit in need.selected]
        words.append(float(sum(len(unit.text.split()) for unit in kept)))
        judged += [(each.prompt, not each.answers[unit]) for unit in kept if unit in each.answers]
        if each.plan.passages and patterns:
            empty.append((each.prompt, not kept))
    yield share(f"{name}: facts selected", found)
    yield figure(
        f"{name}: words selected", "words", words, note=f"mean {sum(words) / len(words):.0f}"
    )
    yield share(f"{name}: units that answer no need", judged, at_least=False)
    yield share(f"{name}: answerable prompts that abstain", empty, at_least=False)


def _read(project: str, session: ProjectSession, model: LlamaModel) -> Iterator[_Read]:
    files = {record.document_id: record.file for record in session.documents()}
    verdicts = read_verdicts()

    def parsed(document_id: int) -> ParsedDocument:
        return session.source(files[document_id]).document

    reading = RelevancePass(model, parsed, AnswerMetrics(), lambda: False)
    for prompt in session.prompts():
        plan = session.plan(prompt.text)
        name = PurePosixPath(prompt.file).name
        answers: dict[Passage, bool] = {}
        odds: dict[Passage, float] = {}
        started = time.perf_counter()
        for need in plan.needs:
            for unit in (each for each in need.units if each.selected):
                if unit.score < CERTAIN_FROM:
                    read = reading.odds(plan.task, need, unit.passage)
                    odds |= {unit.passage: read} if read is not None else {}
        seconds = time.perf_counter() - started
        for need in plan.needs:
            for passage in need.selected:
                line = in_context(session, passage)
                key = SelectedUnit(
                    f"{project}/{name}", prompt.text, need.need.quote, passage.file, line
                ).key
                if key in verdicts:
                    answers[passage] = verdicts[key].answers
        yield _Read(name, plan, odds, answers, seconds)

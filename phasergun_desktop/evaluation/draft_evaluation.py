"""Drafts of a project, evaluated on the facts that are wanted of them, and kept as a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.evaluation.draft_report import (
    DraftFigures,
    DraftsReport,
    FactFound,
    drafts_json,
    report_of,
)
from phasergun_desktop.evaluation.draft_texts import evidence_texts, gap_texts, stated_texts
from phasergun_desktop.evaluation.pattern_search import LIMIT_S, SlowPatternError, found_in
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.evaluation.wanted_facts import FactsFile, Wanted, WantedFact, slow_pattern
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus

_KIND = "drafts"


class Drafter(Protocol):
    """Who plans and drafts: an open project."""

    def plan(self, prompt: str) -> Plan:
        """Return the plan of a prompt."""
        ...

    def draft(
        self, plan: Plan, *, should_stop: Callable[[], bool], use_model: bool
    ) -> Job[AnswerResult]:
        """Write the plan; the result is kept nowhere."""
        ...


@dataclass(frozen=True, slots=True)
class DraftsAsked:
    """What is evaluated: the facts of ``file``, on ``prompts`` (their texts by name), and whether
    the language model writes."""

    file: FactsFile
    prompts: Mapping[str, str]
    use_model: bool


@dataclass(frozen=True, slots=True)
class _Planned:
    prompt: str
    facts: tuple[WantedFact, ...]
    missing: tuple[WantedFact, ...]
    plan: Plan
    seconds: float
    in_pool: tuple[bool, ...]
    is_selected: tuple[bool, ...]


class DraftEvaluation:
    """Evaluates drafts; runs are kept below ``data``, with the ``versions`` of what searches.
    Searching for the patterns of one prompt in one place may take ``limit_s``."""

    def __init__(self, data: Path, versions: str, limit_s: float = LIMIT_S) -> None:
        self._data = data
        self._versions = versions
        self._limit_s = limit_s

    def run(
        self, asked: DraftsAsked, drafter: Drafter, should_stop: Callable[[], bool]
    ) -> Job[DraftsReport]:
        """Plan and draft every prompt, and return the figures.

        All is planned before the first draft: a pattern that is too slow is known before minutes
        of writing. Raises ``EvaluationFileError`` for such a pattern, what the drafter raises, and
        ``Cancelled`` after a stop.
        """
        planned = []
        for done, prompt in enumerate(asked.prompts):
            if should_stop():
                raise Cancelled
            yield Progress("Planning", done, len(asked.prompts), "prompts")
            planned.append(self._planned(prompt, asked, drafter))
        figures = []
        model = ""
        for done, each in enumerate(planned):
            if should_stop():
                raise Cancelled
            yield Progress("Drafting", done, len(planned), "prompts", each.prompt)
            started = time.perf_counter()
            result = yield from drafter.draft(
                each.plan, should_stop=should_stop, use_model=asked.use_model
            )
            seconds = time.perf_counter() - started
            if result.status is AnswerStatus.CANCELLED:
                raise Cancelled
            figures.append(self._figures(each, result, seconds, asked))
            model = model or result.metrics.model
        return report_of(model, figures)

    def keep(self, asked: DraftsAsked, report: DraftsReport) -> None:
        """Keep the run with those of the other evaluations. Raises ``StorageError``."""
        versions = f"{self._versions}; {report.model}"
        with closing(RunStore(self._data / RUNS_FILE)) as runs:
            runs.add(_KIND, asked.file.path.name, asked.file.sha256, versions, drafts_json(report))

    def _planned(self, prompt: str, asked: DraftsAsked, drafter: Drafter) -> _Planned:
        mine = [each for each in asked.file.facts if each.prompt == prompt]
        facts = tuple(each for each in mine if each.wanted is Wanted.FACT)
        missing = tuple(each for each in mine if each.wanted is Wanted.MISSING)
        started = time.perf_counter()
        plan = drafter.plan(asked.prompts[prompt])
        seconds = time.perf_counter() - started
        pool, selected = evidence_texts(plan)
        return _Planned(
            prompt,
            facts,
            missing,
            plan,
            seconds,
            self._found(pool, facts, asked.file.path),
            self._found(selected, facts, asked.file.path),
        )

    def _figures(
        self, planned: _Planned, result: AnswerResult, seconds: float, asked: DraftsAsked
    ) -> DraftFigures:
        stated = stated_texts(result)
        is_drafted = self._found([" ".join(stated)], planned.facts, asked.file.path)
        is_reported = self._found(gap_texts(result), planned.missing, asked.file.path)
        should_abstain = any(
            each.wanted is Wanted.ABSTENTION and each.prompt == planned.prompt
            for each in asked.file.facts
        )
        return DraftFigures(
            prompt=planned.prompt,
            status=result.status.value,
            facts=tuple(
                FactFound(fact.fact, in_pool, is_selected, is_in)
                for fact, in_pool, is_selected, is_in in zip(
                    planned.facts, planned.in_pool, planned.is_selected, is_drafted, strict=True
                )
            ),
            missing=tuple(
                (each.fact, is_in) for each, is_in in zip(planned.missing, is_reported, strict=True)
            ),
            abstains=result.status is AnswerStatus.ABSTAINED if should_abstain else None,
            words=sum(word != "|" for text in stated for word in text.split()),
            plan_s=planned.seconds,
            draft_s=seconds,
        )

    def _found(
        self, texts: Sequence[str], facts: Sequence[WantedFact], file: Path
    ) -> tuple[bool, ...]:
        try:
            return found_in(texts, [each.pattern for each in facts], self._limit_s)
        except SlowPatternError as error:
            raise slow_pattern(file, facts[error.place].line) from error

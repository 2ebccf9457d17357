"""Runs the support check over rows of claim, source and label."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.evaluation.grounding_pairs import GroundingPair
from phasergun_desktop.evaluation.grounding_report import (
    GroundingReport,
    JudgedPair,
    Opinions,
    report_of,
)
from phasergun_desktop.evaluation.odds_cache import OddsCache
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.judge import Evidence, EvidenceText, Judge
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.second_opinion import opinion_prompt
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.language_model import GenerationMetrics, LanguageModel


class Asked(StrEnum):
    """About which rows the language model is asked."""

    NOBODY = "nobody"
    DOUBTFUL = "doubtful"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Judges:
    """Who judges: the judge of drafts, and a language model with a cache where one is asked."""

    judge: Judge
    asked: Asked = Asked.NOBODY
    model: LanguageModel | None = None
    cache: OddsCache | None = None


def grounding_run(
    pairs: Sequence[GroundingPair], judges: Judges, should_stop: Callable[[], bool]
) -> Job[GroundingReport]:
    """Judge every row and return the figures. Raises ``Cancelled`` when asked to stop.

    Yields ``Progress``. ``ModelError`` where the language model cannot be used.
    """
    started = time.perf_counter()
    judged: list[JudgedPair | None] = [None] * len(pairs)
    # Rows of one source follow one another: it is read once, by the model too.
    order = sorted(range(len(pairs)), key=lambda at: (pairs[at].source, at))
    for done, at in enumerate(order):
        if should_stop():
            raise Cancelled
        yield Progress("Checking claims", done, len(pairs), "claims")
        judged[at] = _judged(pairs[at], judges.judge)
    rows = [each for each in judged if each is not None]
    opinions = Opinions()
    if judges.asked is not Asked.NOBODY and judges.model is not None:
        opinions = yield from _ask(rows, order, judges, judges.model, should_stop)
    yield Progress("Working out the figures", len(pairs), len(pairs), "claims")
    return report_of(rows, time.perf_counter() - started, opinions)


def _judged(pair: GroundingPair, judge: Judge) -> JudgedPair:
    source = pair.source
    if is_instruction_like(source):
        # Without the sentences that give orders the others still count.
        source = "\n".join(
            sentence
            for sentence in judge.checker.read(source).sentences
            if not is_instruction_like(sentence)
        )
    found = judge.judge(pair.claim, Evidence((EvidenceText(source),)))
    return JudgedPair(pair, found.support, found.probability, found.contradiction)


def _ask(
    rows: list[JudgedPair],
    order: Sequence[int],
    judges: Judges,
    model: LanguageModel,
    should_stop: Callable[[], bool],
) -> Job[Opinions]:
    """Put the model's odds into ``rows``; return what that took."""
    started = time.perf_counter()
    check = judges.judge.checker.model
    places = [at for at in order if judges.asked is Asked.ALL or check.is_doubtful(rows[at].score)]
    kept = asked = 0
    for done, at in enumerate(places):
        yield Progress("Asking for a second opinion", done, len(places), "claims")
        row = rows[at]
        prompt = opinion_prompt(row.pair.claim, row.pair.source)
        odds = judges.cache.get(model.digest, prompt) if judges.cache else None
        if odds is not None:
            kept += 1
        else:
            odds = model.yes_odds(prompt, GenerationMetrics(), should_stop)
            if odds is None:
                continue
            asked += 1
            if judges.cache:
                judges.cache.put(model.digest, prompt, odds)
        rows[at] = _with_odds(row, odds, judges.judge)
    return Opinions(model.name, asked, kept, time.perf_counter() - started)


def _with_odds(row: JudgedPair, odds: float, judge: Judge) -> JudgedPair:
    check = judge.checker.model
    score = check.second_opinion.probability(row.score, odds)
    contradiction = check.contradiction_opinion.probability(row.contradiction, odds)
    support = row.support
    if support is not Support.CONTRADICTED:
        support = check.verdict(score)
    return replace(row, score=score, support=support, contradiction=contradiction)

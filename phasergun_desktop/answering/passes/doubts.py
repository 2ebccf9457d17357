"""Asks for a second opinion on sentences of which the checks are not sure."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from typing import Protocol

from phasergun_desktop.answering.model import AnswerMetrics, TraceStep, UnitRevised
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.jobs import Event, Progress

_READ = (UnitKind.SENTENCE, UnitKind.LIST_ITEM)
_DOUBTFUL = (0.35, 0.75)


class Opinion(Protocol):
    """Says how likely a source carries a sentence."""

    def probability(self, sentence: str, source: str, first: float) -> float | None:
        """Return a probability 0..1 that takes ``first`` into account; None without an opinion."""
        ...


class Doubts:
    """The doubtful sentences of one draft; what is asked is traced as ``second opinion``."""

    def __init__(
        self, opinion: Opinion, page: Page, metrics: AnswerMetrics, model_name: str
    ) -> None:
        self._opinion = opinion
        self._page = page
        self._metrics = metrics
        self._model_name = model_name

    def run(self) -> Generator[Event, None, None]:
        """Ask about each; the sentence gets the new probability and the class that follows."""
        doubtful = [at for at, unit in enumerate(self._page.units) if is_doubtful(unit)]
        notes = {note.number: note.quote for note in self._page.footnotes}
        for done, place in enumerate(doubtful, start=1):
            yield Progress("Looking at doubtful sentences again", done, len(doubtful), "sentences")
            unit = self._page.units[place]
            source = "\n".join(notes[number] for number in unit.citations)
            started = time.perf_counter()
            probability = self._opinion.probability(unit.text, source, unit.score)
            ms = (time.perf_counter() - started) * 1000
            judged = unit if probability is None else self._judged(unit, probability)
            note = f"{unit.support} {unit.score:.2f}, then {judged.support} {judged.score:.2f}"
            self._metrics.trace.append(TraceStep("second opinion", self._model_name, ms, note=note))
            if judged != unit:
                yield UnitRevised(place, judged, self._page.exchange(place, judged))

    def _judged(self, unit: DraftSentence, probability: float) -> DraftSentence:
        return with_probability(unit, probability, self._page.binder.judge.verdict(probability))


def is_doubtful(unit: DraftSentence) -> bool:
    """Whether a second opinion on ``unit`` is worth its time: it has a source, nothing plainly
    contradicts it, and it is carried in part or with a middling probability."""
    if unit.kind not in _READ or not unit.citations or unit.support is Support.CONTRADICTED:
        return False
    low, high = _DOUBTFUL
    return unit.support is Support.PARTLY or low <= unit.score <= high


def with_probability(unit: DraftSentence, probability: float, verdict: Support) -> DraftSentence:
    """Return ``unit`` with ``probability`` and what it means. Marks stay: no probability makes a
    value that is missing appear."""
    score = round(probability, 4)
    if verdict is Support.UNSUPPORTED:
        problem = SentenceProblem(
            ProblemCode.NO_SOURCE, "", "On a second look the passages do not state this sentence."
        )
        problems = (*unit.problems, problem)
        return replace(
            unit, citations=(), support=Support.UNSUPPORTED, score=score, problems=problems
        )
    return replace(unit, support=Support.PARTLY if unit.problems else verdict, score=score)

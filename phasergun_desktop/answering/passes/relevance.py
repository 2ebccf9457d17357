"""The pass before writing: the language model leaves out evidence that is beside the point.

The selector orders units by words and meaning; a language model that reads the prompt and one unit
errs on other pairs (``python -m tests.benchmarks relevance`` measures both).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from functools import cache

from phasergun_desktop.answering.model import (
    AnswerMetrics,
    Plan,
    PlannedNeed,
    PointKind,
    TraceStep,
)
from phasergun_desktop.chunking.units import split_units
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.language_models.protocol import (
    GenerationMetrics,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.retrieval.model import Passage

# The threshold holds for exactly this wording. Asked about several passages at once, or with the
# question before the passage, the model tells worse what belongs (area under the curve 0.48 and
# 0.73 instead of 0.81).
_SYSTEM = "You check passages for a regulatory writer."
_TASK = "The writer asks for this section:\n{task}\n\nPoint: {point}"
_QUESTION = (
    "Passage: {passage}\n\nDoes the passage state a fact that belongs into the section on this "
    "point? Answer Yes or No."
)
_MAX_TASK_CHARACTERS, _MAX_PASSAGE_CHARACTERS = 1500, 700
# Log-odds of Yes: what the model says no to. (A higher threshold, 0.2, keeps the facts of the even
# half of project-oxygenator and loses 7 of the 94 of the odd one, this one 3.)
RELEVANT_FROM = 0.0
# Of what the selector is as sure of, the model left out nothing on the even half that a reader
# kept.
CERTAIN_FROM = 0.4


class RelevancePass:
    """Reads the evidence of one draft's plan; ``warnings`` say what came of it."""

    def __init__(
        self,
        model: LanguageModel,
        parsed: Callable[[int], ParsedDocument],
        metrics: AnswerMetrics,
        should_stop: Callable[[], bool],
    ) -> None:
        self._metrics = metrics
        self._model = model
        self._parsed = parsed
        self._should_stop = should_stop
        self._contexts = cache(self._contexts_of)
        self.warnings: tuple[str, ...] = ()

    def run(self, plan: Plan) -> Generator[Event, None, Plan]:
        """Return ``plan`` without the units that do not belong into the text.

        What is certain is not asked about: what a writer put in, the cells of a comparison, and
        what the selector is sure of. Short answers to questions are checked as they are written.
        Where the model gives no odds (a remote one), the plan stays. Raises ``Cancelled`` and
        ``ModelError`` as the model does.
        """
        started = time.perf_counter()
        if any(point.kind is PointKind.VALUE for point in plan.points):
            return plan
        asked = [
            (need, unit.passage)
            for need in plan.needs
            for unit in need.units
            if unit.selected and unit.score < CERTAIN_FROM
        ]
        dropped: set[Passage] = set()
        for done, (need, passage) in enumerate(asked, start=1):
            yield Progress("Reading the passages", done, len(asked), "passages")
            odds = self.odds(plan.task, need, passage)
            if odds is None:
                return plan
            if odds < RELEVANT_FROM:
                dropped.add(passage)
        if not asked:
            return plan
        note = f"{len(dropped)} of {len(asked)} passages left out"
        ms = (time.perf_counter() - started) * 1000
        self._metrics.trace.append(TraceStep("relevance", self._model.name, ms, note=note))
        if dropped:
            warning = (
                f"The model read the {len(asked)} passages that were selected and left out "
                f"{len(dropped)} as beside the point; they are in the plan."
            )
            self.warnings = (warning,)
        return plan.without(dropped.__contains__)

    def odds(self, task: str, need: PlannedNeed, passage: Passage) -> float | None:
        """Return the log-odds that ``passage`` belongs into a text on ``need``; None where the
        model gives none."""
        unit = self._contexts(passage.document_id).get(passage.start, passage.text)
        prompt = ModelPrompt(
            _SYSTEM,
            _TASK.format(task=task[:_MAX_TASK_CHARACTERS], point=need.need.query),
            _QUESTION.format(passage=unit[:_MAX_PASSAGE_CHARACTERS]),
        )
        return self._model.yes_odds(prompt, GenerationMetrics(), self._should_stop)

    def _contexts_of(self, document_id: int) -> dict[int, str]:
        """Return what the embedder reads of each unit of a document, by where the unit begins."""
        units = split_units(self._parsed(document_id))
        return {unit.start: unit.embedded_text for unit in units}

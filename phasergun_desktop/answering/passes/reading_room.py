"""What one step may read: fitted into the budget of its model, and what was left out to fit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from phasergun_desktop.answering.model import AnswerMetrics, PlannedPoint, PointKind, TraceStep
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.retrieval.model import Passage

# Beside the passages a prompt holds its task, and the answer follows it.
_TASK_AND_ANSWER = 520
_LEAST = 60
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class ReadingBudget:
    """Tokens of passages that one step may read, with a model here and with a remote one."""

    local_tokens: int = 1200
    remote_tokens: int = 6000

    def tokens(self, model: LanguageModel, stable_text: str) -> int:
        """Return the budget of ``model``, whose prompts begin with ``stable_text``."""
        wanted = self.remote_tokens if model.is_remote else self.local_tokens
        room = model.context_tokens - _TASK_AND_ANSWER - model.count_tokens(stable_text)
        return min(wanted, max(_LEAST, room))


class ReadingRoom:
    """Fits the points of one draft by leaving out the units that answer least; ``warnings`` say in
    the end what was not read."""

    def __init__(
        self,
        measure: Callable[[str], int],
        metrics: AnswerMetrics,
        should_stop: Callable[[], bool],
        budget_tokens: int,
    ) -> None:
        self._measure = measure
        self._metrics = metrics
        self._should_stop = should_stop
        self._budget_tokens = budget_tokens
        self._left_out: list[Passage] = []

    def fitted(self, index: int, point: PlannedPoint) -> PlannedPoint:
        """Return ``point`` with passages of at most the budget; each stays whole, in its order.
        Raises ``Cancelled`` when stopped."""
        started = time.perf_counter()
        costs = []
        for passage in point.passages:
            if self._should_stop():
                raise Cancelled
            costs.append(self._measure(passage.text))
        if point.kind is PointKind.VERBATIM or sum(costs) <= self._budget_tokens:
            return point
        kept: set[int] = set()
        left = self._budget_tokens
        for place in sorted(range(len(costs)), key=lambda each: -point.passages[each].score):
            if costs[place] <= left:
                kept.add(place)
                left -= costs[place]
        out = [passage for place, passage in enumerate(point.passages) if place not in kept]
        self._left_out.extend(out)
        elapsed_ms = (time.perf_counter() - started) * 1000
        note = f"point {index + 1}: {len(out)} passages left out"
        self._metrics.trace.append(TraceStep("compress", ms=elapsed_ms, note=note))
        passages = tuple(each for place, each in enumerate(point.passages) if place in kept)
        return replace(point, passages=passages)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out, if anything was."""
        if not self._left_out:
            return ()
        count = len(self._left_out)
        places = list(
            dict.fromkeys(
                " › ".join((each.title or each.file, *each.heading_path)) for each in self._left_out
            )
        )
        shown = "; ".join(places[:_MOST_NAMED]) + ("; …" if len(places) > _MOST_NAMED else "")
        verb = "passage was" if count == 1 else "passages were"
        return (f"{count} {verb} left out to fit what the model can read: {shown}.",)

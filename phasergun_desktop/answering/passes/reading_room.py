"""What one step may read: fitted into the budget of its model, and what was left out to fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from phasergun_desktop.answering.model import AnswerMetrics, PlannedPoint, PointKind, TraceStep
from phasergun_desktop.answering.passes.compression import Compressed, Compressor, left_out_warning
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.language_models.protocol import LanguageModel

# Beside the passages a prompt holds its task, and the answer follows it.
_TASK_AND_ANSWER = 520
_LEAST = 60


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
    """Fits the points of one draft; ``warning`` says in the end what was not read."""

    def __init__(
        self,
        model: LanguageModel,
        embedder: Embedder,
        parsed: Callable[[int], ParsedDocument],
        metrics: AnswerMetrics,
        should_stop: Callable[[], bool],
        budget_tokens: int,
    ) -> None:
        self._compressor = Compressor(embedder, parsed, model.count_tokens, should_stop)
        self._metrics = metrics
        self._budget_tokens = budget_tokens
        self._compressed: list[Compressed] = []

    def fitted(self, index: int, point: PlannedPoint) -> PlannedPoint:
        """Return ``point`` with what its step can read; see ``Compressor.fitted``."""
        if point.kind is PointKind.VERBATIM or not point.passages:
            return point
        done = self._compressor.fitted(point, self._budget_tokens)
        if done.point is not point:
            self._compressed.append(done)
            note = (
                f"point {index + 1}: {len(done.passages_left_out)} passages and "
                f"{done.sentences_left_out} sentences left out"
            )
            self._metrics.trace.append(TraceStep("compress", ms=done.ms, note=note))
        return done.point

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out, if anything was."""
        text = left_out_warning(self._compressed)
        return (text,) if text else ()

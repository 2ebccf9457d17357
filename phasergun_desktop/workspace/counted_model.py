"""A language model whose calls are remembered, also those of work that fails midway."""

from __future__ import annotations

from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.language_models.passed_on import PassedOn


class CountedModel(PassedOn):
    """``calls`` are the figures of each call, in order, ``chunk_ids`` those of what was read."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self.calls: list[GenerationMetrics] = []
        self.chunk_ids: list[str] = []

    def before(self, prompt: ModelPrompt, metrics: GenerationMetrics) -> None:
        """Remember the call."""
        self.calls.append(metrics)
        self.chunk_ids.extend(prompt.chunk_ids)

"""A language model in front of another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)


class PassedOn:
    """Passes every call on to ``model``; ``before`` sees it first and may raise."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def before(self, prompt: ModelPrompt, metrics: GenerationMetrics) -> None:
        """Look at a call that is about to be made."""

    @property
    def name(self) -> str:
        """Name shown to the user and logged."""
        return self._model.name

    @property
    def digest(self) -> str:
        """What tells the model from others."""
        return self._model.digest

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together."""
        return self._model.context_tokens

    @property
    def is_remote(self) -> bool:
        """Whether text leaves the machine."""
        return self._model.is_remote

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` for this model."""
        return self._model.count_tokens(text)

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield text; see ``LanguageModel.generate``."""
        self.before(prompt, metrics)
        yield from self._model.generate(prompt, settings, metrics, should_stop)

    def yes_odds(
        self, prompt: ModelPrompt, metrics: GenerationMetrics, should_stop: Callable[[], bool]
    ) -> float | None:
        """Return odds; see ``LanguageModel.yes_odds``."""
        self.before(prompt, metrics)
        return self._model.yes_odds(prompt, metrics, should_stop)

    def close(self) -> None:
        """The model behind belongs to whoever made it."""

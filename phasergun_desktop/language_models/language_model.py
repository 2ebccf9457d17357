"""What every language model offers, local or remote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """One call: ``system`` and ``shared`` are stable and come first, ``task`` comes last.
    ``chunk_ids`` are those of the passages that stand in it."""

    system: str
    shared: str
    task: str
    chunk_ids: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How to write. ``temperature`` 0 to 2; ``max_tokens`` at least 1. ``grammar`` (GBNF, the
    notation of llama.cpp) forces the form of the text; a model that cannot be forced ignores
    it, so that what comes back is checked all the same."""

    max_tokens: int = 320
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    seed: int = 0
    grammar: str = ""


@dataclass(slots=True)
class GenerationMetrics:
    """Filled while a call runs; milliseconds and tokens."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    first_token_ms: float = 0.0
    total_ms: float = 0.0
    prompt_sha256: str = ""


class LanguageModel(Protocol):
    """Writes text for a prompt."""

    @property
    def name(self) -> str:
        """Name shown to the user and logged."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of the model file, or the endpoint's model name."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together."""
        ...

    @property
    def is_remote(self) -> bool:
        """Whether text leaves the machine."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` for this model."""
        ...

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield pieces of text. Raises ``Cancelled`` within a second of ``should_stop()``,
        also while the prompt is being read; ``ModelError`` if the prompt does not fit."""
        ...

    def yes_odds(
        self, prompt: ModelPrompt, metrics: GenerationMetrics, should_stop: Callable[[], bool]
    ) -> float | None:
        """Return the log-odds (natural) of Yes against No as the first token of the answer; no
        text is written. None where the model gives no odds (a remote one). Raises as
        ``generate`` does."""
        ...

    def close(self) -> None:
        """Free the memory; the object is not used again."""
        ...

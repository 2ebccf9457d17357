"""A language model that says what it was told to, word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)

Reply = Callable[[ModelPrompt], str]


class ScriptedModel:
    """``replies`` is a text per call, in order, or a function of the prompt. A token is a word
    with the space before it; ``prompts`` keeps what it was asked, ``settings`` how."""

    name = "scripted"
    digest = "0" * 64
    context_tokens = 4096
    is_remote = False

    def __init__(
        self, replies: Sequence[str] | Reply, odds: Callable[[ModelPrompt], float] | None = None
    ) -> None:
        self._replies = replies
        self._odds = odds
        self.prompts: list[ModelPrompt] = []
        self.settings: list[GenerationSettings] = []
        self.stopped_early = 0

    def count_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())

    def tokens_of(self, text: str) -> Sequence[str]:
        """Return the pieces in which ``text`` is said."""
        return re.findall(r"\s*\S+", text)

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield the reply, at most ``settings.max_tokens`` words of it."""
        number = len(self.prompts)
        self.prompts.append(prompt)
        self.settings.append(settings)
        if callable(self._replies):
            text = self._replies(prompt)
        else:
            text = self._replies[number] if number < len(self._replies) else "NOT FOUND"
        metrics.prompt_tokens = self.count_tokens(prompt.system + prompt.shared + prompt.task)
        metrics.prompt_sha256 = f"{number:064d}"
        is_whole = False
        try:
            for token in self.tokens_of(text):
                if should_stop():
                    raise Cancelled
                if metrics.completion_tokens >= settings.max_tokens:
                    return
                metrics.completion_tokens += 1
                yield token
            is_whole = True
        finally:
            self.stopped_early += not is_whole

    def yes_odds(
        self, prompt: ModelPrompt, metrics: GenerationMetrics, should_stop: Callable[[], bool]
    ) -> float | None:
        """What ``odds`` says of the prompt; None (no odds) unless it was given."""
        del metrics
        if should_stop():
            raise Cancelled
        return self._odds(prompt) if self._odds else None

    def close(self) -> None:
        """Nothing is open."""

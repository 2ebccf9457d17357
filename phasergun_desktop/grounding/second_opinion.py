"""Asks the language model whether a source states a claim; no text is generated."""

from __future__ import annotations

from collections.abc import Callable

from phasergun_desktop.grounding.support_model import OddsMix
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    LanguageModel,
    ModelPrompt,
)

# The coefficients are learnt on odds of exactly this wording: a new wording needs new ones.
_SYSTEM = "You check whether statements are carried by their source."
_QUESTION = "Is every fact in the claim stated in the source? Answer Yes or No."


def opinion_prompt(claim: str, source: str) -> ModelPrompt:
    """Return the question; the source comes first, so that further claims on the same source
    cost only their own tokens."""
    return ModelPrompt(_SYSTEM, f"Source:\n{source}", f"Claim: {claim}\n{_QUESTION}")


class SecondOpinion:
    """Puts the language model's odds beside the first probability."""

    def __init__(self, model: LanguageModel, should_stop: Callable[[], bool], mix: OddsMix) -> None:
        self._model = model
        self._should_stop = should_stop
        self._mix = mix

    def odds(self, sentence: str, source: str) -> float | None:
        """Return the model's log-odds that ``source`` states ``sentence``; None if it gives none.

        Raises ``Cancelled`` within a second of a stop, ``ModelError`` if the prompt does not fit.
        """
        prompt = opinion_prompt(sentence, source)
        return self._model.yes_odds(prompt, GenerationMetrics(), self._should_stop)

    def probability(self, sentence: str, source: str, first: float) -> float | None:
        """Return the probability (0..1) after the model was asked, ``first`` the one before.

        None where the model gives no odds (a remote one). Raises as ``odds`` does.
        """
        odds = self.odds(sentence, source)
        return None if odds is None else self._mix.probability(first, odds)

"""How the language model is asked whether a source states a claim; no text is generated."""

from __future__ import annotations

from phasergun_desktop.language_models.language_model import ModelPrompt

# The coefficients are learnt on odds of exactly this wording: a new wording needs new ones.
_SYSTEM = "You check whether statements are carried by their source."
_QUESTION = "Is every fact in the claim stated in the source? Answer Yes or No."


def opinion_prompt(claim: str, source: str) -> ModelPrompt:
    """Return the question; the source comes first, so that further claims on the same source
    cost only their own tokens."""
    return ModelPrompt(_SYSTEM, f"Source:\n{source}", f"Claim: {claim}\n{_QUESTION}")

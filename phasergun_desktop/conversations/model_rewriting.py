"""Has the language model make a follow-up whole, where the rules are in doubt."""

from __future__ import annotations

from collections.abc import Callable

from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.text.words import content_words

_SYSTEM = "You rewrite questions. You never answer them."
_TASK = (
    "First question: {before}\nNext question: {question}\n\nThe next question leaves out what the "
    "first one names. Write the next question so that it can be understood alone, in the words of "
    "the two questions. Write the question only."
)
_GRAMMAR = 'root ::= [^?\\n]+ "?"'
_LONGEST = 60


def rewritten_by_model(
    model: LanguageModel, question: str, before: str, should_stop: Callable[[], bool]
) -> str:
    """Return ``question``, which follows ``before``, as the model makes it whole; empty where it
    brings words of its own. Raises ``Cancelled`` and ``ModelError``."""
    prompt = ModelPrompt(_SYSTEM, "", _TASK.format(before=before, question=question))
    settings = GenerationSettings(_LONGEST, 0.0, ("\n",), grammar=_GRAMMAR)
    text = "".join(model.generate(prompt, settings, GenerationMetrics(), should_stop)).strip()
    known = set(content_words(f"{question} {before}"))
    is_of_them = text.endswith("?") and set(content_words(text)) <= known
    # One that is the first question again has lost what was asked.
    return text if is_of_them and set(content_words(question)) <= set(content_words(text)) else ""

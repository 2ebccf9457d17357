"""The language model as a reranker: it grades the passages by number, in JSON under a grammar."""

from __future__ import annotations

import json
from collections.abc import Sequence

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.retrieval.reranking import ShouldStop

_SYSTEM = "You grade how well passages answer a question. You write JSON only."
_TASK = (
    "Question: {query}\n\nGrade each of the {count} passages above: 9 answers the question, 0 says "
    'nothing on it. Write the grades in the order of the passages, as {{"grades": [9, 0]}}.'
)
_BEST = 9
_GRAMMAR = 'root ::= "{{\\"grades\\": [" {grades} "]}}"\ngrade ::= [0-9]'
_MOST_PASSAGES = 20
# What a small model reads in some twenty seconds.
_MOST_TOKENS = 1200
# What the question, the instructions and the frame of a chat cost beside the passages.
_SPARE_TOKENS = 400
_TOKENS_OF_A_GRADE, _TOKENS_OF_THE_FRAME = 3, 16


class LanguageModelReranker:
    """Scores passages with ``model``, each cut to its share of what a small one reads."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def identity(self) -> str:
        """The model's digest."""
        return self._model.digest

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        """Return the grade of each text, 0..1; 0 for those behind the twentieth. Raises
        ``ModelError`` where the model gives no grades, and ``Cancelled``."""
        behind = [0.0] * len(texts[_MOST_PASSAGES:])
        texts = texts[:_MOST_PASSAGES]
        if not texts:
            return []
        model, count = self._model, len(texts)
        limit = _TOKENS_OF_THE_FRAME + count * _TOKENS_OF_A_GRADE
        room = min(model.context_tokens - limit - _SPARE_TOKENS, _MOST_TOKENS)
        share = max(1, room // count)
        listed = (f"{n}. {_cut(model, text, share)}" for n, text in enumerate(texts, start=1))
        prompt = ModelPrompt(_SYSTEM, "\n\n".join(listed), _TASK.format(query=query, count=count))
        grammar = _GRAMMAR.format(grades=' ", " '.join(["grade"] * count))
        settings = GenerationSettings(limit, grammar=grammar)
        said = "".join(model.generate(prompt, settings, GenerationMetrics(), should_stop or _never))
        return [*(grade / _BEST for grade in _grades(said, count)), *behind]


def _never() -> bool:
    return False


def _cut(model: LanguageModel, text: str, tokens: int) -> str:
    """Return the beginning of ``text`` that has about so many tokens, on one line."""
    words = text.split()
    cost = model.count_tokens(text)
    return " ".join(words if cost <= tokens else words[: max(1, len(words) * tokens // cost)])


def _grades(said: str, count: int) -> list[int]:
    try:
        found = json.loads(said)["grades"]
    except (ValueError, KeyError, TypeError):
        found = None
    is_whole = isinstance(found, list) and len(found) == count
    if not is_whole or not all(type(one) is int and 0 <= one <= _BEST for one in found):
        raise ModelError(
            "No grades",
            "The language model did not grade the passages.",
            "Try another model, or rerank with something else in Edit › Settings.",
        )
    return list(found)

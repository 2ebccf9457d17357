"""Keeps the values that a source states in the sentences written from it."""

from __future__ import annotations

from phasergun_desktop.answering.writing.verbatim import own_sentence, word_for_word
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.values import missing_values


def with_its_values(sentence: str, binding: Binding) -> tuple[str, Binding]:
    """Return ``sentence``, or its source's own sentence where that states a value (a number, an
    identifier, a date) and it not.

    A model that summarises leaves values out; they are what a reviewer looks for. Only a sentence
    that one whole span carries is exchanged.
    """
    if len(binding.spans) != 1:
        return sentence, binding
    span = binding.spans[0]
    own = own_sentence(span)
    if not own or not loses_values(own, sentence):
        return sentence, binding
    return own, word_for_word(span)


def loses_values(source: str, text: str) -> bool:
    """Whether ``source`` states a value that ``text`` does not."""
    return bool(missing_values(source, text))

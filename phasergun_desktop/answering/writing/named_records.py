"""Keeps the records and documents that a source names in the sentences written from it."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.answering.writing.verbatim import own_sentence, word_for_word
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.values import ValueKind, missing_values
from phasergun_desktop.retrieval.model import Passage


def with_its_records(sentence: str, binding: Binding) -> tuple[str, Binding]:
    """Return ``sentence``, or its source's own sentence where that names a record and it not.

    A model that summarises leaves identifiers out; a procedure's records are what its reader
    looks for. Only a sentence that one whole span carries is exchanged.
    """
    if len(binding.spans) != 1:
        return sentence, binding
    span = binding.spans[0]
    own = own_sentence(span)
    if not own or not names_more(own, sentence):
        return sentence, binding
    return own, word_for_word(span)


def unnamed_records(
    said: str, passages: Sequence[Passage], binder: SpanBinder
) -> list[CandidateSpan]:
    """Return the spans of ``passages`` that name a record which ``said`` does not.

    The shortest span that names it is taken, in the order of the document.
    """
    spans = [span for span in binder.spans_of(passages) if own_sentence(span)]
    chosen: list[CandidateSpan] = []
    for span in sorted(spans, key=lambda each: len(each.text)):
        if names_more(span.text, said):
            chosen.append(span)
            said += f"\n{span.text}"
    chosen.sort(key=lambda each: (each.passage.file, each.start))
    return chosen


def names_more(source: str, sentence: str) -> bool:
    """Whether ``source`` names a document or record that ``sentence`` does not."""
    return any(value.kind is ValueKind.IDENTIFIER for value in missing_values(source, sentence))

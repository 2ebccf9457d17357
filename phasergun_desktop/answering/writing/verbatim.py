"""Spans of a source that stand in a draft word for word: as a sentence, an item or a row."""

from __future__ import annotations

import re

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.grounding.text_units import without_list_mark

# A limit without a verb stands under a heading that says of what: "Within 15 percent of …".
_LIMIT = re.compile(
    r"(?:within|between|up to|at least|at most|from|not more than|no more than|no less than"
    r"|not less than|less than|more than|greater than|above|below|over|under)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|shall|must|may|might|can|could|will"
    r"|would|should)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^[\d.()]+\s+")
_ENDS = (".", "!", "?")
# Shorter items without a full stop are names, not statements.
_MIN_WORDS = 4


def as_written(span: CandidateSpan) -> tuple[str, UnitKind]:
    """Return the text of ``span`` on one line without the number of its item, and what it is.

    ``""`` for a lead-in that ends in a colon (it states nothing without its list) and for text
    that is aimed at the program.
    """
    text = without_list_mark(" ".join(span.text.split())).rstrip(";, ")
    if text.endswith(":") or is_instruction_like(text):
        return "", UnitKind.SENTENCE
    is_whole = text.endswith(_ENDS) and text[:1].isupper()
    return text, UnitKind.SENTENCE if is_whole else UnitKind.LIST_ITEM


def own_sentence(span: CandidateSpan) -> str:
    """Return ``span`` as a sentence word for word, ``""`` where it is none (a row, an item)."""
    if span.block.kind is BlockKind.TABLE_ROW:
        return ""
    text, kind = as_written(span)
    if kind is UnitKind.LIST_ITEM and text[:1].isupper() and len(text.split()) >= _MIN_WORDS:
        return f"{text}."
    return text if kind is UnitKind.SENTENCE else ""


def under_its_heading(sentence: str, binding: Binding) -> str:
    """Return ``sentence`` after its heading and a colon where it is a limit without a verb."""
    if not binding.spans or not _LIMIT.match(sentence) or _VERB.search(sentence):
        return sentence
    path = binding.spans[0].block.heading_path
    heading = _NUMBER.sub("", path[-1]).strip() if path else ""
    return f"{heading}: {sentence[:1].lower()}{sentence[1:]}" if heading else sentence


def word_for_word(span: CandidateSpan) -> Binding:
    """Return the binding of a span that stands in the draft as it is."""
    return Binding((span,), Support.SUPPORTED, 1.0, ())

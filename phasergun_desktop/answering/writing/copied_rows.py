"""Recognises table rows that a model has written out, so that the table can stand instead."""

from __future__ import annotations

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.words import content_words

_COPIED_ROW = 0.75


def copied_row(text: str, binding: Binding) -> CandidateSpan | None:
    """Return the table row that ``text`` copies, if it does: the same words, little else."""
    if not binding.spans:
        return None
    span = binding.spans[0]
    headers = [name for name, _ in span.block.cells]
    if span.block.kind is not BlockKind.TABLE_ROW or len(headers) < 2 or not all(headers):
        return None
    said, row = set(content_words(text)), set(content_words(span.text))
    return span if row and len(said & row) / len(said | row) >= _COPIED_ROW else None

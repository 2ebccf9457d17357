"""Footnotes for passages that the writer chose in a source."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.candidate_spans import whole_span
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.retrieval.model import Passage


def footnote_at(
    record: DocumentRecord, document: ParsedDocument, start: int, end: int
) -> Footnote | None:
    """Return the footnote (number 1) of code points ``start``..``end`` of ``document``, without
    the white space around them; None where nothing stands there."""
    chosen = document.text[start:end]
    start += len(chosen) - len(chosen.lstrip())
    end -= len(chosen) - len(chosen.rstrip())
    block = next((b for b in document.blocks if b.start < end and start < b.end), None)
    if block is None or start >= end:
        return None
    start = max(start, block.start)
    span = whole_span(Passage.of(record, start, end, document.text[start:end]), document)
    made = FootnoteNumbers(lambda _id: document).number(span, 1.0)
    return replace(made, chunk_id=made.chunk_id or None)

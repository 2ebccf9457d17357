"""Footnotes for passages that the writer chose in a source."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.documents.model import Block, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId, DocumentRecord
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
    span = span_in(record, document, block, max(start, block.start), end)
    made = FootnoteNumbers(lambda _id: document).number(span, 1.0)
    return replace(made, chunk_id=made.chunk_id or None)


def passage_in(
    record: DocumentRecord,
    document: ParsedDocument,
    start: int,
    end: int,
    heading_path: tuple[str, ...] = (),
    chunk: ChunkId | None = None,
) -> Passage:
    """Return ``start``..``end`` of ``document`` as a passage."""
    return Passage(
        record.document_id,
        record.file,
        record.sha256,
        record.title,
        record.layer,
        chunk or ChunkId(""),
        start,
        end,
        document.text[start:end],
        heading_path,
        0.0,
    )


def span_in(
    record: DocumentRecord,
    document: ParsedDocument,
    block: Block,
    start: int,
    end: int,
    chunk: ChunkId | None = None,
) -> CandidateSpan:
    """Return ``start``..``end``, which begins in ``block``, as a span."""
    passage = passage_in(record, document, start, end, block.heading_path, chunk)
    context = " ".join((record.title, *block.heading_path))
    return CandidateSpan(passage, block, start, end, document.text[start:end], context)

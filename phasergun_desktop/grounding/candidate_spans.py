"""The spans of a passage that a footnote may point at: sentences, pairs, items, table rows."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans

_MAX_SPAN_CHARACTERS = 900
_PREDICATE = re.compile(r"\bpredicates?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CandidateSpan:
    """A quotable piece: ``text`` is exactly ``start``..``end`` of the document's text.

    ``context`` is what a reader sees around it (title and headings): it helps to recognise what
    the span is about, but values must stand in ``text`` itself.
    """

    passage: Passage
    block: Block
    start: int
    end: int
    text: str
    context: str


def candidate_spans(passage: Passage, document: ParsedDocument) -> list[CandidateSpan]:
    """Return the spans of ``passage`` in document order; they may overlap (sentence, pair)."""
    spans: list[CandidateSpan] = []
    for block in document.blocks:
        if block.end <= passage.start:
            continue
        if block.start >= passage.end:
            break
        if not block.kind.is_body or block.kind is BlockKind.HEADING or block.is_table_header:
            continue
        context = " ".join((passage.title, *block.heading_path))
        for start, end in _pieces(document, block, passage):
            text = document.text[start:end]
            spans.append(CandidateSpan(passage, block, start, end, text, context))
    return spans


def block_before(document: ParsedDocument, position: int) -> Block:
    """Return the last block that starts at or before ``position``."""
    at = bisect_right(document.blocks, position, key=lambda block: block.start) - 1
    return document.blocks[max(at, 0)]


def table_around(row: Block, document: ParsedDocument) -> list[Block]:
    """Return the rows of the table in ``document`` that ``row`` stands in, with its header."""
    first = first_of_table(row, document)
    rest = document.blocks[first.ordinal + 1 :]
    return [first, *takewhile(lambda each: _is_row(each) and not each.is_table_header, rest)]


def first_of_table(row: Block, document: ParsedDocument) -> Block:
    """Return the header, or else the first row, of the table that ``row`` stands in."""
    blocks, at = document.blocks, row.ordinal
    while at and not blocks[at].is_table_header and _is_row(blocks[at - 1]):
        at -= 1
    return blocks[at]


def whole_span(passage: Passage, document: ParsedDocument) -> CandidateSpan:
    """Return all of ``passage``, which lies in one block, as a span."""
    block = block_before(document, passage.start)
    context = " ".join((passage.title, *block.heading_path))
    return CandidateSpan(passage, block, passage.start, passage.end, passage.text, context)


def part_of(span: CandidateSpan, start: int, end: int) -> CandidateSpan:
    """Return the span of ``start``..``end`` of the text of ``span``."""
    return replace(span, start=span.start + start, end=span.start + end, text=span.text[start:end])


def is_of_a_third_device(span: CandidateSpan) -> bool:
    """Whether ``span`` stands in a document on a predicate and speaks of a predicate: that one is
    the predicate of the predicate. The rows of its comparison say which column is whose."""
    if span.passage.layer is not Layer.PREDICATES or span.block.kind is BlockKind.TABLE_ROW:
        return False
    return bool(_PREDICATE.search(span.text))


def overlap(left: CandidateSpan, right: CandidateSpan) -> bool:
    """Whether two spans share text of one file."""
    return (
        left.passage.file == right.passage.file
        and left.start < right.end
        and right.start < left.end
    )


def sentences_of(span: CandidateSpan) -> list[CandidateSpan]:
    """Return the sentences of ``span`` as spans of their own; a table row stays whole."""
    if span.block.kind is BlockKind.TABLE_ROW:
        return [span]
    return [part_of(span, start, end) for start, end in sentence_spans(span.text)]


def _is_row(block: Block) -> bool:
    return block.kind is BlockKind.TABLE_ROW


def _pieces(document: ParsedDocument, block: Block, passage: Passage) -> list[tuple[int, int]]:
    if block.kind is BlockKind.TABLE_ROW and block.end - block.start <= _MAX_SPAN_CHARACTERS:
        return [(block.start, block.end)]
    low, high = max(block.start, passage.start), min(block.end, passage.end)
    singles = [(low + start, low + end) for start, end in sentence_spans(document.text[low:high])]
    pairs = [
        (first[0], second[1])
        for first, second in pairwise(singles)
        if second[1] - first[0] <= _MAX_SPAN_CHARACTERS
    ]
    return sorted(singles + pairs)

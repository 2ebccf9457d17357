"""What became of a cited passage when its file changed: still there, other words, or gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from phasergun_desktop.documents.model import Block, ParsedDocument
from phasergun_desktop.drafts.renumbering import with_number
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, candidate_spans, whole_span
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.text.words import content_words, fold

# Chosen on made-up pairs (the tests hold them), not measured on real revisions: a sentence with
# other values or a clause more stays above 0.6, two sentences of one section below 0.45.
_LIKE_ENOUGH = 0.5
_LIKE_ENOUGH_HERE = 0.4
_SAME_SECTION = 0.15
_SAME_BLOCK = 0.05
_COMPARED = 16

ChunkAt = Callable[[int, int, int], ChunkId | None]


class SourceState(StrEnum):
    """What became of a quote."""

    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"
    # No document has the words: that of its file is not there any more.
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A footnote whose file changed. ``place`` is the footnote at the new place (its quote is the
    text there): word for word the old quote where ``MOVED``, None where there is none."""

    note: Footnote
    state: SourceState
    place: Footnote | None = None


def place_now(
    note: Footnote, record: DocumentRecord, document: ParsedDocument, chunk_at: ChunkAt
) -> SourceChange:
    """Return what became of ``note`` in ``document``, which is what its file holds now.

    ``chunk_at`` gives the chunk of a document (by id) that holds a stretch of it.
    """
    exact, text = _exact_place(note, document), document.text
    place = exact or _likest(note, Passage.of(record, 0, len(text), text), document)
    if place is None:
        return SourceChange(note, SourceState.GONE)
    start, end = place
    chunk = chunk_at(record.document_id, start, end)
    passage = Passage.of(record, start, end, text[start:end], chunk_id=chunk)
    now = _footnote(note, whole_span(passage, document), document)
    return SourceChange(note, SourceState.MOVED if exact else SourceState.CHANGED, now)


def _exact_place(note: Footnote, document: ParsedDocument) -> tuple[int, int] | None:
    """Return start and end of the quote where it stands word for word, the likeliest of several
    places first; line breaks and spaces may differ."""
    found: list[tuple[tuple[bool, bool, int], int, int]] = []
    for block in document.blocks:
        text = document.block_text(block)
        at = _find_words(text, note.quote)
        if at is None:
            continue
        start, end = block.start + at[0], block.start + at[1]
        likelihood = (
            block.heading_path != note.heading_path,
            block.block_id != note.block_id,
            abs(start - note.start),
        )
        found.append((likelihood, start, end))
    return min(found, key=lambda one: one[0])[1:] if found else None


def _find_words(text: str, quote: str) -> tuple[int, int] | None:
    """Return where the words of ``quote`` stand in ``text``, whatever the white space between."""
    at = text.find(quote) if quote else -1
    if at >= 0 and _is_whole(text, at, at + len(quote)):
        return at, at + len(quote)
    words = quote.split()
    if not words:
        return None
    start = 0
    while (first := text.find(words[0], start)) >= 0:
        end = first + len(words[0])
        for word in words[1:]:
            gap = end
            while gap < len(text) and text[gap].isspace():
                gap += 1
            if gap == end or not text.startswith(word, gap):
                break
            end = gap + len(word)
        else:
            if _is_whole(text, first, end):
                return first, end
        start = first + 1
    return None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word or number goes on at either end: 42.5 does not stand in 142.5."""
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not before and not after


def _likest(note: Footnote, whole: Passage, document: ParsedDocument) -> tuple[int, int] | None:
    wanted = frozenset(content_words(note.quote))
    is_one = len(sentence_spans(note.quote)) <= 1
    scored: list[tuple[float, CandidateSpan]] = []
    for span in candidate_spans(whole, document):
        if is_one and len(sentence_spans(span.text)) > 1:
            continue
        words = frozenset(content_words(span.text))
        shared = 2 * len(wanted & words) / max(1, len(wanted) + len(words))
        scored.append((shared + _nearness(note, span.block), span))
    scored.sort(key=lambda one: (-one[0], one[1].start))
    best: tuple[float, CandidateSpan] | None = None
    for _, span in scored[:_COMPARED]:
        likeness = _likeness(note.quote, span.text)
        near = _nearness(note, span.block)
        enough = _LIKE_ENOUGH_HERE if near >= _SAME_SECTION else _LIKE_ENOUGH
        if likeness >= enough and (best is None or likeness + near > best[0]):
            best = (likeness + near, span)
    return (best[1].start, best[1].end) if best is not None else None


def _nearness(note: Footnote, block: Block) -> float:
    near = _SAME_SECTION if block.heading_path == note.heading_path else 0.0
    return near + (_SAME_BLOCK if block.block_id == note.block_id else 0.0)


def _likeness(left: str, right: str) -> float:
    """Return how alike two texts are, 0..1: half the order of their words, half their stems."""
    order = SequenceMatcher(None, fold(left).split(), fold(right).split(), autojunk=False).ratio()
    stems = frozenset(content_words(left)), frozenset(content_words(right))
    total = len(stems[0]) + len(stems[1])
    return 0.5 * order + 0.5 * (2 * len(stems[0] & stems[1]) / total if total else order)


def _footnote(note: Footnote, span: CandidateSpan, document: ParsedDocument) -> Footnote:
    made = FootnoteNumbers(lambda _id: document).number(span, note.score)
    return replace(
        with_number(made, note.number),
        chunk_id=span.passage.chunk_id or None,
        revision=made.revision or note.revision,
        document_number=made.document_number or note.document_number,
    )

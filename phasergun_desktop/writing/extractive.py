"""The evidence of a point as spans: the verbatim draft states it word for word."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, sentences_of
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import Event
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.planning.verbatim import (
    as_written,
    under_its_heading,
    without_its_head,
    word_for_word,
)
from phasergun_desktop.text.sentences import without_heading_number
from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.arrangement import (
    Arranged,
    alone,
    arranged,
    introduction,
)
from phasergun_desktop.writing.joining import Joiner
from phasergun_desktop.writing.model import UnitBound
from phasergun_desktop.writing.page import Page


def evidence_of(page: Page, point: PlannedPoint) -> list[CandidateSpan]:
    """Return the evidence of ``point`` as spans of its documents, in its order."""
    return [page.binder.span_of(unit) for unit in point.evidence]


def extract(
    page: Page, point: PlannedPoint, joiner: Joiner | None = None, step: str = ""
) -> Generator[Event, None, bool]:
    """Put the evidence of ``point`` on ``page``; return whether it says anything, or all it would
    say stands there already. ``joiner`` makes prose of the paragraphs; lists and tables stay as
    they are."""
    if point.kind in (PointKind.VALUE, PointKind.FIELD):
        joiner = None  # An answer stands word for word.
    # A field is filled in with what another one states, too.
    may_repeat = point.is_by_hand or point.kind is PointKind.FIELD
    before = len(page.units)
    is_said = False
    first: CandidateSpan | None = None
    paragraph: list[CandidateSpan] = []
    for placed in arranged(evidence_of(page, point), page.parsed):
        span = placed.span
        is_line = placed.is_listed or span.block.kind is BlockKind.TABLE_ROW
        # What says whose statement it is stays as it is, and what states nothing is not sent.
        is_prose = joiner is not None and not (is_line or placed.of) and bool(alone(span))
        if paragraph and (placed.opens or not is_prose):
            yield from _joined(page, joiner, step, paragraph)
            paragraph = []
        if placed.opens:
            page.new_paragraph()
        if placed.begins or not is_line:
            first = span if is_line else None
        if not may_repeat and page.repeats(span.text):
            is_said = True
            continue
        if is_prose:
            paragraph.append(span)
            page.awaits(span.text)
            continue
        if first is not None and any(_parts(page, span, may_repeat=may_repeat)):
            yield from _introduced(page, first)
            first = None
        yield from stated(page, placed, may_repeat=may_repeat)
    yield from _joined(page, joiner, step, paragraph)
    return is_said or len(page.units) > before


def _joined(
    page: Page, joiner: Joiner | None, step: str, spans: Sequence[CandidateSpan]
) -> Generator[Event, None, None]:
    if joiner is None or not spans:
        return
    for text, bound in (yield from joiner.joined(step, spans)):
        yield page.item(text, bound, UnitKind.SENTENCE)


def stated(page: Page, placed: Arranged, *, may_repeat: bool = False) -> Iterator[UnitBound]:
    """Put a span on the page: its sentences, an item, or a row of its table. What the draft says
    already is left out unless it ``may_repeat`` that."""
    if placed.span.block.kind is BlockKind.TABLE_ROW:
        if as_written(placed.span)[0]:
            yield from page.row(placed.span, placed.columns)
        return
    of = placed.of
    for part in _parts(page, placed.span, may_repeat=may_repeat):
        for added in _part(page, part, is_listed=placed.is_listed, of=of):
            of = ""
            yield added


def _parts(page: Page, span: CandidateSpan, *, may_repeat: bool) -> Iterator[CandidateSpan]:
    """Yield the sentences of ``span``, or its row, that ``page`` does not say by then."""
    is_row = span.block.kind is BlockKind.TABLE_ROW
    for part in sentences_of(without_its_head(span)):
        if as_written(part)[0] and (is_row or may_repeat or not page.repeats(part.text)):
            yield part


def _part(page: Page, span: CandidateSpan, *, is_listed: bool, of: str) -> list[UnitBound]:
    text = page.cleaned(as_written(span)[0] if is_listed else alone(span))
    if not text:
        return []
    bound = word_for_word(span)
    if is_listed:
        return [page.item(text, bound)]
    text = under_its_heading(text, bound)
    is_named = set(content_words(of)) <= set(content_words(text))
    return [page.item(text if is_named else f"{of}: {text}", bound, UnitKind.SENTENCE)]


def _introduced(page: Page, first: CandidateSpan) -> Iterator[UnitBound]:
    """Put what introduces the list or the table of ``first`` before it."""
    lead = introduction(first, page.parsed(first.passage.document_id))
    if lead is not None:
        text = page.cleaned(" ".join(lead.text.split())).rstrip(":. ")
        if lead.block.kind is BlockKind.HEADING:
            text = without_heading_number(text)
        page.new_paragraph()
        yield page.item(f"{text}:", word_for_word(lead), UnitKind.SENTENCE)

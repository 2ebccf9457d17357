"""The evidence of a point as spans: the verbatim draft states it word for word."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, sentences_of
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import Event
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.planning.verbatim import (
    as_written,
    without_its_head,
    word_for_word,
)
from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.arrangement import (
    Arranged,
    alone,
    arranged,
    label,
)
from phasergun_desktop.writing.joining import Joiner, in_own_words
from phasergun_desktop.writing.model import StreamDiscarded, UnitBound
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
    is_answer = point.kind in (PointKind.VALUE, PointKind.FIELD)
    if is_answer:
        joiner = None  # An answer stands word for word.
    # A field is filled in with what another one states, too.
    may_repeat = point.is_by_hand or point.kind is PointKind.FIELD
    before = len(page.units)
    is_said = False
    paragraph: list[CandidateSpan] = []
    above: list[Iterator[UnitBound]] = []
    last: Arranged | None = None
    for placed in arranged(evidence_of(page, point), page.parsed, is_answer=is_answer):
        span = placed.span
        is_row = span.block.kind is BlockKind.TABLE_ROW
        is_line = placed.is_listed or is_row
        # What says whose statement it is stays as it is, and what states nothing is not sent.
        is_prose = joiner is not None and not (is_line or placed.of) and bool(alone(span))
        if paragraph and (placed.opens or not is_prose):
            yield from _joined(page, joiner, step, paragraph, above)
            paragraph, above = [], []
        if placed.opens:
            page.new_paragraph()
        if not may_repeat and page.repeats(span.text, is_row=is_row):
            is_said = True
            continue
        if not any(_parts(page, span, may_repeat=may_repeat)):
            continue
        leads, topic = _not_there(placed, last, point.heading)
        goes_on = placed.is_listed and last is not None and _item(last.span) == _item(span)
        last = placed
        of = "" if any(_names(lead.text, placed.of) for lead in placed.leads) else placed.of
        if leads or topic is not None:
            above.append(_introduced(page, leads, topic, replace(placed, of=of), goes_on=goes_on))
        own = replace(placed, of=of if topic is None else "")
        goes_on |= topic is not None
        if is_prose:
            paragraph.append(span)
            page.awaits(span.text)
            continue
        yield from chain(*above, stated(page, own, may_repeat=may_repeat, goes_on=goes_on))
        above = []
    yield from _joined(page, joiner, step, paragraph, above)
    return is_said or len(page.units) > before


def _not_there(
    placed: Arranged, last: Arranged | None, heading: str
) -> tuple[list[CandidateSpan], CandidateSpan | None]:
    """Return the leads and the topic of what is ``placed`` that do not stand above it by then: as
    those of what was stated ``last``, as that itself, or as the ``heading`` of the point."""
    before = (*last.leads, last.topic, last.span) if last is not None else ()
    there = set(map(_place, filter(None, before)))
    leads = [
        lead
        for lead in placed.leads
        if _place(lead) not in there and label(lead).casefold() != f"{heading}:".casefold()
    ]
    is_new = placed.topic is not None and _place(placed.topic) not in there
    return leads, placed.topic if is_new else None


def _place(span: CandidateSpan) -> tuple[str, int]:
    return span.passage.file, span.start


def _item(span: CandidateSpan) -> tuple[str, int]:
    return span.passage.file, span.block.start


def _joined(
    page: Page,
    joiner: Joiner | None,
    step: str,
    spans: Sequence[CandidateSpan],
    above: Sequence[Iterator[UnitBound]],
) -> Generator[Event, None, None]:
    """Put what the model makes of ``spans`` on the page, below what stands ``above`` it. A stop
    meanwhile leaves them there word for word before it is raised."""
    if joiner is None or not spans:
        return
    stop: Cancelled | None = None
    try:
        made = yield from joiner.joined(step, spans, is_headed=bool(above))
    except Cancelled as cancelled:
        stop, made = cancelled, [in_own_words(page, span) for span in spans]
        yield StreamDiscarded()
    yield from chain(*above)
    for text, bound in made:
        yield page.item(text, bound, UnitKind.SENTENCE)
    if stop is not None:
        raise stop


def stated(
    page: Page, placed: Arranged, *, may_repeat: bool = False, goes_on: bool = False
) -> Iterator[UnitBound]:
    """Put a span on the page: its sentences, an item, which ``goes_on`` where its first sentences
    stand there, or a row of its table. What the draft says already is left out unless it
    ``may_repeat`` that."""
    if placed.span.block.kind is BlockKind.TABLE_ROW:
        if as_written(placed.span)[0]:
            yield from page.row(placed.span, placed.columns)
        return
    of = placed.of
    for part in _parts(page, placed.span, may_repeat=may_repeat):
        for added in _part(page, part, is_listed=placed.is_listed, goes_on=goes_on, of=of):
            of, goes_on = "", placed.is_listed
            yield added


def _parts(page: Page, span: CandidateSpan, *, may_repeat: bool) -> Iterator[CandidateSpan]:
    """Yield the sentences of ``span``, or its row, that ``page`` does not say by then."""
    is_row = span.block.kind is BlockKind.TABLE_ROW
    for part in sentences_of(without_its_head(span)):
        if as_written(part)[0] and (is_row or may_repeat or not page.repeats(part.text)):
            yield part


def _part(
    page: Page, span: CandidateSpan, *, is_listed: bool, goes_on: bool, of: str
) -> list[UnitBound]:
    text = page.cleaned(as_written(span)[0] if is_listed else alone(span))
    if not text:
        return []
    bound = word_for_word(span)
    if is_listed:
        return [page.item(text, bound, goes_on=goes_on)]
    of_document = text if _names(text, of) else f"{of}: {text}"
    return [page.item(of_document, bound, UnitKind.SENTENCE)]


def _names(text: str, document: str) -> bool:
    return set(content_words(document)) <= set(content_words(text))


def _introduced(
    page: Page,
    leads: Sequence[CandidateSpan],
    topic: CandidateSpan | None,
    placed: Arranged,
    *,
    goes_on: bool,
) -> Iterator[UnitBound]:
    """Put ``leads`` as lines of their own, and ``topic`` before what is ``placed``."""
    for lead in leads:
        page.new_paragraph()
        yield page.label(page.cleaned(label(lead)), lead, UnitKind.SENTENCE)
        page.new_paragraph()
    if topic is not None:
        kind = UnitKind.LIST_ITEM if placed.is_listed else UnitKind.SENTENCE
        text = ": ".join(filter(None, (placed.of, page.cleaned(label(topic)))))
        yield page.label(text, topic, kind, goes_on=goes_on)

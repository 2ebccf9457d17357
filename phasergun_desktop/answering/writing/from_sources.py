"""Puts on the page what its sources say, word for word: spans, lists, records left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phasergun_desktop.answering.model import PlannedPoint, UnitBound
from phasergun_desktop.answering.writing.listed_steps import is_lead_in, listed_step
from phasergun_desktop.answering.writing.named_records import names_more, unnamed_records
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.verbatim import (
    as_written,
    goes_on,
    is_statement,
    under_its_heading,
    word_for_word,
)
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.candidates import CandidateSpan, sentences_of
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.grounding.text_units import without_list_mark
from phasergun_desktop.retrieval.model import Passage


def add_span(page: Page, span: CandidateSpan) -> list[UnitBound]:
    """Add ``span``: its sentences, an item, or a row of its table."""
    added: list[UnitBound] = []
    parts = sentences_of(span)
    has_said = False
    for part in parts:
        if page.repeats(part.text):
            has_said = True
            continue
        # "It must be …" is understood behind the sentence before it alone.
        may_stand = len(parts) == 1 or is_statement(part) or (has_said and goes_on(part.text))
        units = _add_part(page, part) if may_stand else []
        has_said = bool(units)
        added.extend(units)
    return added


def add_list(page: Page, point: PlannedPoint) -> list[UnitBound]:
    """Add a step that its procedure writes as a list, under its own heading; nothing where the
    step is prose, is said already, or has no room."""
    step = listed_step(point.passages, page.parsed)
    if step is None or not page.has_room_for(" ".join(span.text for span in step.spans)):
        return []
    if all(page.repeats(span.text) for span in step.spans):
        return []
    first, *others = step.spans
    # An item of a template has its heading above it already.
    title = "" if point.heading else step.title or point.instruction.partition(". ")[0].strip()
    if is_lead_in(first):
        text = page.cleaned(first.text)
        text = f"{title}: {text[:1].lower()}{text[1:]}" if title else text
        added = [page.sentence(text, word_for_word(first))]
    else:
        added = []
        if step.heading is not None and title:
            added.append(page.sentence(f"{title}:", word_for_word(step.heading)))
        others = [first, *others]
    for span in others:
        added.extend(_add_item(page, span))
    return added


def add_unnamed_records(
    page: Page, point_units: int, passages: Sequence[Passage]
) -> list[UnitBound]:
    """Add the sentences that name a record no sentence has named.

    ``point_units`` is how many units there were before the step.
    """
    said = "\n".join(unit.text for unit in page.units[point_units:])
    added: list[UnitBound] = []
    for span in unnamed_records(said, passages, page.binder):
        is_new = page.has_room_for(span.text) and not page.repeats(span.text)
        if is_new and is_statement(span):
            added.extend(add_span(page, span))
    return added


def not_said(
    page: Page, point_units: int, spans: Sequence[CandidateSpan]
) -> Iterator[CandidateSpan]:
    """Yield those of ``spans`` that the draft has room for and does not say yet, as it grows.

    ``point_units`` is how many units there were before the point: a span that one of its
    sentences cites was read and put in other words, unless they leave a record out.
    """
    for span in spans:
        written = page.units[point_units:]
        cited = {number for unit in written for number in unit.citations}
        said = "\n".join(unit.text for unit in written)
        is_used = any(
            note.number in cited
            and note.file == span.passage.file
            and note.start < span.end
            and span.start < note.end
            for note in page.footnotes
        )
        is_told = is_used and not names_more(span.text, said)
        if not is_told and not page.repeats(span.text) and page.has_room_for(span.text):
            yield span


def _add_part(page: Page, span: CandidateSpan) -> list[UnitBound]:
    written, kind = as_written(span)
    text = page.cleaned(written)
    if not text:
        return []
    if span.block.kind is BlockKind.TABLE_ROW or kind is UnitKind.SENTENCE:
        bound = word_for_word(span)
        return page.state(under_its_heading(text, bound), bound)
    return [page.item(text, word_for_word(span), kind)]


def _add_item(page: Page, span: CandidateSpan) -> list[UnitBound]:
    text = page.cleaned(without_list_mark(" ".join(span.text.split())).rstrip(";, "))
    if span.block.kind is BlockKind.TABLE_ROW:
        return page.state(text, word_for_word(span))
    kind = UnitKind.LIST_ITEM if span.block.kind is BlockKind.LIST_ITEM else UnitKind.SENTENCE
    return [page.item(text, word_for_word(span), kind, span.block.level)]

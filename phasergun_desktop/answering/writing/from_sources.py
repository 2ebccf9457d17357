"""Puts on the page what its sources say, word for word, and what a model left out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phasergun_desktop.answering.model import UnitBound
from phasergun_desktop.answering.writing.kept_values import loses_values
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


def add_span(page: Page, span: CandidateSpan, *, may_repeat: bool = False) -> list[UnitBound]:
    """Add ``span``: its sentences, an item, or a row of its table. What the draft says already is
    left out unless it ``may_repeat`` that."""
    added: list[UnitBound] = []
    parts = sentences_of(span)
    has_said = False
    for part in parts:
        if not may_repeat and page.repeats(part.text):
            has_said = True
            continue
        # "It must be …" is understood behind the sentence before it alone.
        may_stand = len(parts) == 1 or is_statement(part) or (has_said and goes_on(part.text))
        units = _add_part(page, part) if may_stand else []
        has_said = bool(units)
        added.extend(units)
    return added


def not_said(
    page: Page, point_units: int, spans: Sequence[CandidateSpan]
) -> Iterator[CandidateSpan]:
    """Yield those of ``spans`` that the draft has room for and does not say yet, as it grows.

    ``point_units`` is how many units there were before the point: a span that one of its
    sentences cites was read and put in other words, unless they leave a value out.
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
        is_told = is_used and not loses_values(span.text, said)
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

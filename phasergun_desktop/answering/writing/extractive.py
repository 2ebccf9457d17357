"""The evidence of a point as spans: a draft without a model states it word for word."""

from __future__ import annotations

from collections.abc import Generator

from phasergun_desktop.answering.model import PlannedPoint, PointKind, Table, UnitBound
from phasergun_desktop.answering.writing.from_sources import add_span
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.verbatim import word_for_word
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.candidates import CandidateSpan


def table_of(span: CandidateSpan) -> Table | None:
    """Return the file, the headings and the header of the table that ``span`` is a row of."""
    if span.block.kind is not BlockKind.TABLE_ROW:
        return None
    header = tuple(name for name, _ in span.block.cells)
    return span.passage.file, span.block.heading_path, header


def evidence_of(page: Page, point: PlannedPoint) -> list[CandidateSpan]:
    """Return the evidence of ``point`` as spans of its documents, in its order."""
    return [page.binder.span_of(unit) for unit in point.evidence]


def extract(page: Page, point: PlannedPoint) -> Generator[UnitBound, None, bool]:
    """Put the evidence of ``point`` on ``page``; return whether it says anything, or all it would
    say stands there already. To a question only a unit that answers it is given."""
    said = False
    for span in evidence_of(page, point):
        if not point.is_by_hand and page.repeats(span.text):
            said = True
            continue
        text, binding = " ".join(span.text.split()), word_for_word(span)
        is_answer = point.kind is not PointKind.VALUE or page.answers(
            point.query, text, binding, point.passages
        )
        if is_answer and page.has_room_for(text):
            units = add_span(page, span, may_repeat=point.is_by_hand)
            yield from units
            said = said or bool(units)
    return said

"""Finds what stands in each cell of a comparison: one attribute of one device."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from phasergun_desktop.answering.comparing.comparison import Cell, answered_cell, bound_cell
from phasergun_desktop.answering.comparing.counterpart import counterpart
from phasergun_desktop.answering.model import PlannedPoint
from phasergun_desktop.answering.writing.composer import Composer
from phasergun_desktop.answering.writing.extractive import Extractor
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.words import fold
from phasergun_desktop.jobs import Event


def cell_of(
    point: PlannedPoint, page: Page, composer: Composer | None, extractor: Extractor | None
) -> Generator[Event, None, Cell]:
    """Return the cell of ``point``: a bootstrap answer before a stated value before what the
    passages say; empty where nothing states it. Yields the model's events."""
    cell = answered_cell(point)
    if cell is not None:
        return cell
    if point.value is not None:
        return Cell(point.attribute, point.device, point.value.text, value=point.value)
    cell = Cell(point.attribute, point.device)
    if point.passages and composer is not None:
        text = yield from composer.slot(point)
        if text:
            found = Cell(point.attribute, point.device, text)
            cell = bound_cell(found, page.bind(text, point.passages))
    elif point.passages and extractor is not None:
        for span in extractor.best_spans(point):
            text = " ".join(span.text.split())
            found = Cell(point.attribute, point.device, text)
            cell = bound_cell(found, extractor.binding(span))
    return cell


def fill_from_counterparts(
    rows: Iterable[list[Cell]], points: Sequence[PlannedPoint], binder: SpanBinder
) -> None:
    """Fill a value that one device lacks from the clause that says what the other's says.

    A small model that does not know what sort of words are wanted says NOT FOUND; shown the
    other device's value it repeats that. A rule finds the device's own words.
    """
    asked = {(point.attribute, point.device): point for point in points}
    for row in rows:
        example = next((cell.text for cell in row if cell.text), "")
        for at, cell in enumerate(row):
            if cell.text or not example:
                continue
            spans = binder.spans_of(asked[cell.attribute, cell.device].passages)
            found = counterpart(example, spans)
            if found is not None:
                binding = Binding((found.span,), Support.SUPPORTED, 1.0, ())
                row[at] = Cell(cell.attribute, cell.device, found.text, binding)
            else:
                row[at] = replace(cell, elsewhere=_said_elsewhere(cell.device, row))


def _said_elsewhere(device: str, row: Sequence[Cell]) -> str:
    """Return what the table row that another device's value was taken from says of ``device``:
    a summary of the subject often has a column for its predicate."""
    for cell in row:
        for span in cell.binding.spans if cell.binding else ():
            for name, text in span.block.cells:
                if text.strip() and fold(device) in fold(name):
                    return f"{span.passage.file} gives “{text.strip()}” for it"
    return ""

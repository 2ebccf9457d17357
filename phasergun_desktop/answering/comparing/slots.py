"""Finds what stands in each cell of a comparison: one attribute of one device."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from phasergun_desktop.answering.comparing.attributes import is_attribute_named
from phasergun_desktop.answering.comparing.comparison import (
    Cell,
    answered_cell,
    bound_cell,
    names_attribute,
)
from phasergun_desktop.answering.comparing.counterpart import counterpart
from phasergun_desktop.answering.comparing.devices import is_named_in
from phasergun_desktop.answering.model import PlannedPoint
from phasergun_desktop.answering.writing.brought_words import brings_words_to_value
from phasergun_desktop.answering.writing.composer import Composer
from phasergun_desktop.answering.writing.extractive import Extractor
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.verbatim import word_for_word
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.turning_words import turning_words
from phasergun_desktop.grounding.values import ValueKind, extract_values, missing_values
from phasergun_desktop.grounding.words import fold, squeezed
from phasergun_desktop.jobs import Event

_NOTHING = re.compile(r"(?!)")
_RANGE_AFTER = re.compile(r"[\s$]*(?:%\s*)?(?:to|[-–—])[\s$]*\d")
_RANGE_BEFORE = re.compile(r"\d[^.;]{0,8}?\s*(?:to|[-–—])[\s$]*$")


def cell_of(
    point: PlannedPoint, page: Page, composer: Composer | None, extractor: Extractor
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
            binding = _where_it_stands(found, extractor, point)
            if binding is None:
                bound = page.bind(text, point.passages)
                is_its = any(names_attribute(point.attribute, span) for span in bound.spans)
                has_number = any(v.kind is ValueKind.NUMBER for v in extract_values(text))
                brings = brings_words_to_value(text, map(stated_in, bound.spans))
                # A number stands as the document has it, or it is another one's.
                is_said = is_its and not brings and not has_number
                binding = bound if is_said else None
            cell = bound_cell(found, binding) if binding else cell
        if not cell.text:
            cell = _under_its_heading(point, extractor)
    elif point.passages:
        for span in extractor.evidence(point):
            text = " ".join(span.text.split())
            found = Cell(point.attribute, point.device, text)
            cell = bound_cell(found, extractor.binding(span))
    return cell


def _where_it_stands(cell: Cell, extractor: Extractor, point: PlannedPoint) -> Binding | None:
    """Return the binding of a value that a span has word for word, the best one that names the
    attribute; None where none has it. Few words are too little for the trained check."""
    having = [
        span for span in extractor.spans_of(point) if states_value(cell.text, stated_in(span))
    ]
    if not having:
        return None
    best = min(having, key=lambda s: (not names_attribute(cell.attribute, s), len(s.text)))
    return word_for_word(best)


def stated_in(span: CandidateSpan) -> str:
    """Return what ``span`` states: of a row its cells, not the headers, which may be a torn row of
    another device."""
    return "; ".join(text for _, text in span.block.cells) or span.text


def _listed_with(value: str) -> re.Pattern[str]:
    """Return what follows a number that is one of several: "20%" of "20%, 25% and 30%"."""
    unit = re.sub(r"^.*\d", "", value)
    if not unit or not value[:1].isdigit():
        return _NOTHING
    return re.compile(rf"\s*(?:,|and|or)\s*(?:and |or )?[\d.]+\s*{re.escape(unit)}")


def states_value(value: str, text: str) -> bool:
    """Whether ``text`` has ``value`` as it is, but for spaces that a PDF file lost: not inside a
    longer number or word ("5 s" in "15 s"), not as one end of a range, not denied before it."""
    wanted = squeezed(value)
    if not wanted or missing_values(value, text):
        return False
    pattern = r"\s*".join(map(re.escape, wanted))
    folded = fold(text)
    one_of_several = _listed_with(wanted)
    return any(
        not _RANGE_AFTER.match(folded, match.end())
        and not one_of_several.match(folded, match.end())
        and not _RANGE_BEFORE.search(folded[: match.start()])
        and turning_words(folded[: match.start()]) <= turning_words(value)
        for match in re.finditer(rf"(?<![\w\-−±<>≤≥])(?<!\d[.,]){pattern}(?![\w])", folded)
    )


def _under_its_heading(point: PlannedPoint, extractor: Extractor) -> Cell:
    """Return the best sentence of a section that is headed by the attribute, where the model
    found no value: what such a section states is not "not stated"."""
    cell = Cell(point.attribute, point.device)
    for span in extractor.evidence(point):
        heading = " ".join((*span.block.heading_path[-1:], *span.passage.heading_path[-1:]))
        if is_attribute_named(point.attribute, heading):
            text = " ".join(span.text.split())
            return bound_cell(replace(cell, text=text), extractor.binding(span))
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
                if text.strip() and is_named_in(device, name):
                    return f"{span.passage.file} gives “{text.strip()}” for it"
    return ""

"""Writes a comparison: a table of what the documents state, word for word, and its gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.planning.model import PlannedPoint
from phasergun_desktop.writing.model import UnitBound
from phasergun_desktop.writing.page import Page

NOT_FOUND = "not found"


def write_comparison(
    page: Page, points: Sequence[PlannedPoint], *, tells_gaps: bool = True
) -> list[UnitBound]:
    """Add the table of ``points``, a row for each attribute and a column for each device; return
    what was added. An attribute of which no document states anything has a row of gaps, or with
    ``tells_gaps`` a note behind the table. A table of gaps alone is none."""
    rows: dict[str, list[PlannedPoint]] = {}
    for point in points:
        rows.setdefault(point.attribute, []).append(point)
    stated = [row for row in rows.values() if any(point.value is not None for point in row)]
    added = []
    if stated:
        head = ("Attribute", *(point.device for point in stated[0]))
        added.append(page.add_unit(_row(head, [() for _ in head[1:]], is_header=True)))
        for row in stated if tells_gaps else rows.values():
            cells = (row[0].attribute[:1].upper() + row[0].attribute[1:], *map(_text, row))
            added.append(page.add_unit(_row(cells, [_numbers(page, point) for point in row])))
    for row in rows.values():
        # A row that has a value says itself what else is not stated.
        if tells_gaps and row not in stated:
            page.new_paragraph()
            devices = " or ".join(point.device for point in row)
            added.append(page.gap(f"the {row[0].attribute} of {devices}"))
    return added


def _text(point: PlannedPoint) -> str:
    """Return a cell; one that says "Same" with what it refers to."""
    if point.value is None:
        return NOT_FOUND
    text = " ".join(point.value.text.split()).replace(" | ", "; ")
    return text if point.referred is None else f"{text} ({' '.join(point.referred.text.split())})"


def _numbers(page: Page, point: PlannedPoint) -> tuple[int, ...]:
    values = [value for value in (point.value, point.referred) if value is not None]
    return tuple(page.number_value(value).number for value in values)


def _row(
    cells: tuple[str, ...], notes: Sequence[tuple[int, ...]], *, is_header: bool = False
) -> DraftSentence:
    citations = tuple(dict.fromkeys(number for numbers in notes for number in numbers))
    row = DraftSentence(
        " | ".join(cells),
        UnitKind.TABLE_ROW,
        citations=citations,
        cells=cells,
        citations_per_cell=((), *notes),
        is_header=is_header,
    )
    return row if is_header else replace(row, support=Support.SUPPORTED, score=1.0)

"""Where the units of a draft stand in the editor's document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.drafts.draft_shape import (
    CELL_SEPARATOR,
    NO_UNIT,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    runs_by_unit,
)


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """One unit: ``stretches`` are UTF-16 positions (a row has one for each cell with text), its
    footnote marks included; ``text`` is without them. ``block`` is the number of its paragraph.
    ``level`` is that of a heading (0: none), ``mark`` its mark of acceptance."""

    key: int
    stretches: tuple[tuple[int, int], ...]
    text: str
    block: int
    is_row: bool = False
    is_header: bool = False
    level: int = 0
    mark: str = ""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.stretches[0][0]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.stretches[-1][1]


def unit_places(shape: DraftShape) -> list[UnitPlace]:
    """Return every unit of a ``shape`` whose runs have the keys of their statements, in the order
    of the text; a heading of the writer's own has ``NO_UNIT``."""
    found: list[UnitPlace] = []
    for piece in shape:
        if isinstance(piece, Paragraph):
            level = piece.level if piece.kind is ParagraphKind.HEADING else 0
            for _unit, runs in runs_by_unit(piece):
                found.append(_place((runs,), piece, level=level))
            continue
        for row in piece.rows:
            cells = [cell for cell in row.cells if any(run.text or run.footnote for run in cell)]
            if cells:
                found.append(_place(cells, row, is_row=True, is_header=row.is_header))
    return found


def place_at(places: list[UnitPlace], position: int) -> UnitPlace | None:
    """Return the unit that ``position`` stands in or directly behind; a unit of the sources goes
    before the writer's own text."""
    touching = [one for one in places for start, end in one.stretches if start <= position <= end]
    inside = [one for one in touching if one.start <= position < one.end]
    for one in (*inside, *touching):
        if one.key != NO_UNIT:
            return one
    return touching[0] if touching else None


def _place(
    stretches: Sequence[tuple[Run, ...]],
    piece: Paragraph | Row,
    *,
    is_row: bool = False,
    is_header: bool = False,
    level: int = 0,
) -> UnitPlace:
    runs = [run for stretch in stretches for run in stretch]
    at = piece.start
    return UnitPlace(
        next((run.unit for run in runs if run.unit != NO_UNIT), NO_UNIT),
        tuple((at + stretch[0].start, at + stretch[-1].end) for stretch in stretches),
        CELL_SEPARATOR.join("".join(run.text for run in stretch) for stretch in stretches),
        piece.block,
        is_row,
        is_header,
        level,
        next((run.accepted for run in runs if run.accepted), ""),
    )

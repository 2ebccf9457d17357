"""The table of a comparison, and the needs of its prompt that it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from phasergun_desktop.planning.model import PlannedNeed, PlannedPoint, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.sources import IndexedDocuments


@dataclass(frozen=True, slots=True)
class Comparison:
    """The points of a table, and the needs that it answers."""

    needs: tuple[Need, ...]
    points: tuple[PlannedPoint, ...]

    def without_cells(self, pool: Pool, documents: IndexedDocuments) -> Pool:
        """Return ``pool`` without the units whose value stands in a cell of the table."""
        files = {record.document_id: record.file for record in documents.documents()}
        values = [point.value for point in self.points if point.value is not None]

        def is_left(unit: PooledUnit) -> bool:
            return not any(
                files[unit.document_id] == value.file
                and unit.start <= value.start
                and value.end <= unit.end
                for value in values
            )

        kept = {need_id: tuple(filter(is_left, units)) for need_id, units in pool.of_need.items()}
        return replace(pool, of_need=kept)

    @property
    def tabled(self) -> tuple[Need, ...]:
        """The needs that ask for attributes of which a cell is stated, without the first."""
        return tuple(
            need for need in self.needs[1:] if any(p.value is not None for p in self._cells(need))
        )

    def with_cells(self, planned: PlannedNeed) -> PlannedNeed:
        """Return ``planned`` with the cells of its attributes before its units."""
        if planned.need not in self.needs:
            return planned
        cells = dict.fromkeys(each for p in self._cells(planned.need) for each in p.evidence)
        units = tuple(PlannedUnit(each, selected=True, is_cell=True) for each in cells)
        return replace(planned, units=(*units, *planned.units))

    def _cells(self, need: Need) -> list[PlannedPoint]:
        """Return the points of the attributes that a need names; the first has those of none."""
        if need != self.needs[0]:
            return [p for p in self.points if p.attribute.casefold() in need.query.casefold()]
        others = " ".join(each.query for each in self.needs[1:]).casefold()
        return [point for point in self.points if point.attribute.casefold() not in others]

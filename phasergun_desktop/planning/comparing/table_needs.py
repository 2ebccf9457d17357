"""The table of a comparison, and the needs of its prompt that it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from phasergun_desktop.planning.comparing.compared_devices import COMPARES, ComparedDevice
from phasergun_desktop.planning.model import PlannedNeed, PlannedPoint, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.sources import IndexedDocuments


@dataclass(frozen=True, slots=True)
class Comparison:
    """The points of a table, and the needs that it answers."""

    needs: tuple[Need, ...]
    points: tuple[PlannedPoint, ...]
    devices: tuple[ComparedDevice, ...] = ()

    def beside(self, pool: Pool, documents: IndexedDocuments) -> Pool:
        """Return ``pool`` with, for what the table answers, only what the company's papers say of
        another of the devices: how they differ, and why that matters or not."""
        others = [each for each in self.devices if not each.is_own]
        files = {record.document_id: record.file for record in documents.documents()}

        def is_on_both(unit: PooledUnit) -> bool:
            document = documents.parsed(unit.document_id)
            headings = " ".join(document.blocks[unit.block].heading_path)
            text = f"{headings}\n{document.text[unit.start : unit.end]}"
            is_own_paper = all(files[unit.document_id] not in each.files for each in others)
            is_asked = any(each.subject.is_asked_by(text) for each in others)
            return is_own_paper and (is_asked or COMPARES.search(headings) is not None)

        tabled = {need.need_id for need in self.needs if self._cells(need)}
        kept = {
            need_id: tuple(filter(is_on_both, units)) if need_id in tabled else units
            for need_id, units in pool.of_need.items()
        }
        return replace(pool, of_need=kept)

    @property
    def whole(self) -> tuple[Need, ...]:
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

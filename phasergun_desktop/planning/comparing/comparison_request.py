"""Which comparison a prompt asks for: its devices, what of them, and in which needs; and the table
that answers these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.planning.comparing.compared_devices import (
    COMPARES,
    OURS,
    ComparedDevice,
    compared_devices,
    may_name_two,
)
from phasergun_desktop.planning.comparing.listed_attributes import WHOLE, listed_attributes
from phasergun_desktop.planning.model import PlannedNeed, PlannedPoint, PlannedUnit
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import NUMBER, Role, Subject, Subjects
from phasergun_desktop.references.model import PromptSentence, Resolution


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The devices, the attributes in the prompt's order (none where it lists none), and the needs
    that the table answers."""

    devices: tuple[ComparedDevice, ...]
    attributes: tuple[str, ...]
    needs: tuple[Need, ...]


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


def read_comparison(
    resolution: Resolution, request: Request, subjects: Subjects, documents: IndexedDocuments
) -> ComparisonRequest | None:
    """Return the comparison that the prompt asks for: of the attributes that it lists, or of
    everything, in the first sentence that names two devices, or one besides the project's with a
    word that compares, and not in the last of what it lists alone."""
    asking = [each for each in resolution.sentences if not each.is_directive]
    by_list = _with_list(resolution.prompt, asking, request, subjects, documents)
    if by_list is not None:
        return by_list
    for at, sentence in enumerate(asking):
        # "Table: attribute / ours / theirs" says how to compare.
        its = [sentence, *(each for each in asking[at + 1 : at + 2] if WHOLE.search(each.text))]
        needs = [n for e in its for n in request.needs if e.start <= n.start < e.end]
        own = [need for need in needs if need.start < sentence.end]
        lead = resolution.prompt[sentence.start : own[0].end] if own else ""
        if not (COMPARES.search(lead) or may_name_two(lead, subjects)):
            continue
        devices = compared_devices(sentence.text, subjects, documents)
        if len(devices) > 1 and any(WHOLE.search(each.text) for each in its):
            return ComparisonRequest(devices, (), tuple(needs))
    return None


def _with_list(
    prompt: str,
    asking: Sequence[PromptSentence],
    request: Request,
    subjects: Subjects,
    documents: IndexedDocuments,
) -> ComparisonRequest | None:
    """Return the comparison of which ``prompt`` lists the attributes in the sentence that compares
    or the next one, or further behind where a table is wanted."""
    others = {*subjects.others.values(), Subject(Role.PREDICATE)}

    def is_device(item: str) -> bool:
        is_named = NUMBER.search(item) or subjects.device.is_named_in(item) or OURS.fullmatch(item)
        return bool(is_named) or any(each.is_asked_by(item) for each in others)

    listed = listed_attributes(prompt, asking, is_device)
    if listed is None:
        return None
    is_table = WHOLE.search(prompt, 0, listed.start) is not None
    for at, sentence in enumerate(asking):
        said = prompt[sentence.start : min(sentence.end, listed.start)]
        compares = COMPARES.search(said) is not None
        # Two of three signs: a table is wanted, a word compares, two devices are named.
        if is_table + compares + may_name_two(sentence.text, subjects) > 1:
            behind = asking[at : at + 2][-1].end
            break
    else:
        return None
    if not (is_table or listed.start < behind):
        return None
    devices = compared_devices(prompt[sentence.start : listed.start], subjects, documents)
    if len(devices) < 2:
        devices = compared_devices(" ".join(e.text for e in asking), subjects, documents)
    needs = tuple(n for n in request.needs if sentence.start <= n.start < listed.end)
    return ComparisonRequest(devices, listed.names, needs) if needs and len(devices) > 1 else None

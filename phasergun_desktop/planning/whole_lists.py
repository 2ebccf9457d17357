"""Reads the whole table or list for a question that asks how many there are, or for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.footnotes import block_at
from phasergun_desktop.planning.evidence_edits import with_evidence
from phasergun_desktop.planning.evidence_points import unit_passage
from phasergun_desktop.planning.model import Plan, PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.values import ValueKind, extract_values

MOST_WHOLE = 60
_ALL = re.compile(
    rf"^\W*(?:{'|'.join(map(re.escape, listed('questions', 'wants_all')))})\b", re.IGNORECASE
)
_COUNT = re.compile(r"\bhow many\b|\bwhat (?:is the )?number of\b", re.IGNORECASE)
# One row alone seldom looks like the answer to a question for all of them.
_ROW_FROM = 0.05
_ROWS = (BlockKind.TABLE_ROW, BlockKind.LIST_ITEM)
_PARTIAL = "This may be partial: what “{asked}” asks for stands in no single table or list."
_CUT = (
    "This is partial: the table or list in {file} has {total} entries, of which the first "
    f"{MOST_WHOLE} are read."
)


def with_whole_lists(plan: Plan, documents: IndexedDocuments) -> Plan:
    """Return ``plan`` with the whole table or list that the best evidence is of, for each need
    that asks for all of something; where there is none, a warning says that it may be partial."""
    warnings: list[str] = []
    needs: list[PlannedNeed] = []
    for need in plan.needs:
        made, said = _whole(need, documents)
        needs.append(made)
        warnings += said
    if any(made is not need for made, need in zip(needs, plan.needs, strict=True)):
        plan = with_evidence(plan, needs)
    return replace(plan, warnings=(*plan.warnings, *warnings)) if warnings else plan


def asks_for_all(need: Need) -> bool:
    """Whether ``need`` asks for all of something, not how many there are."""
    return _ALL.search(need.quote) is not None


def asks_for_number(need: Need) -> bool:
    """Whether ``need`` asks how many of something there are; "how many months" is a measure."""
    found = _COUNT.search(need.quote)
    if found is None:
        return False
    first = next(iter(extract_values(f"5{need.quote[found.end() :]}")), None)
    return first is None or not first.unit


def _whole(need: PlannedNeed, documents: IndexedDocuments) -> tuple[PlannedNeed, list[str]]:
    asks_all = asks_for_all(need.need)
    if not asks_all and not asks_for_number(need.need):
        return need, []
    if not any(unit.selected for unit in need.units):
        return need, []
    least = _ROW_FROM if asks_all else 1.0
    looked_at = [unit for unit in need.units if unit.selected or unit.score >= least]
    looked_at.sort(key=lambda unit: -unit.score)
    # A sentence may well say how many there are.
    if not asks_all and _has_number(looked_at[0].passage.text):
        looked_at = looked_at[:1]
    found = ((unit, _block_of(unit, documents)) for unit in looked_at)
    best, block = next(((u, b) for u, b in found if b.kind in _ROWS), (None, None))
    if best is None or block is None:
        return need, [_PARTIAL.format(asked=need.need.quote.rstrip("?. "))] if asks_all else []
    rows = _same_list(documents.parsed(best.passage.document_id), block)
    said = [_CUT.format(file=best.passage.file, total=len(rows))] if len(rows) > MOST_WHOLE else []
    return _with_rows(need, best, rows[:MOST_WHOLE], documents), said


def _has_number(text: str) -> bool:
    return any(value.kind is ValueKind.NUMBER for value in extract_values(text))


def _block_of(unit: PlannedUnit, documents: IndexedDocuments) -> Block:
    return block_at(documents.parsed(unit.passage.document_id), unit.passage.start)


def _same_list(document: ParsedDocument, block: Block) -> list[Block]:
    names = [name for name, _ in block.cells]
    return [
        each
        for each in document.blocks
        if each.kind is block.kind
        and not each.is_table_header
        and each.heading_path == block.heading_path
        and [name for name, _ in each.cells] == names
    ]


def _with_rows(
    need: PlannedNeed, best: PlannedUnit, rows: Iterable[Block], documents: IndexedDocuments
) -> PlannedNeed:
    record = next(r for r in documents.documents() if r.file == best.passage.file)
    known = {unit.place: unit for unit in need.units}
    units = dict(known)
    for row in rows:
        inside = [u for u in known.values() if _is_in(u, best.passage.file, row)]
        for unit in inside:
            units[unit.place] = replace(unit, selected=True)
        if not inside:
            passage = unit_passage(documents, record, row.start, row.end, best.score)
            units[passage.place] = PlannedUnit(
                passage, selected=True, score=best.score, table=best.table
            )
    return replace(need, units=tuple(units.values()))


def _is_in(unit: PlannedUnit, file: str, row: Block) -> bool:
    passage = unit.passage
    return passage.file == file and row.start <= passage.start and passage.end <= row.end

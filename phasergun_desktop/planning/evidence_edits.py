"""A plan with other evidence selected: what the writer ticks, adds and puts in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.model import (
    Plan,
    PlannedNeed,
    PlannedPoint,
    PlannedUnit,
    PointKind,
    Table,
)
from phasergun_desktop.planning.prompt_warnings import problems_after
from phasergun_desktop.retrieval.model import Place


def in_text_order(needs: Sequence[PlannedNeed]) -> list[tuple[PlannedUnit, ...]]:
    """Return for each need the units that its text states, as they stand there.

    What one document states stands together, under the need that most of it was selected for: which
    part of a prompt a single sentence goes with best is hard to tell, and a text that follows it
    tears the story of each document apart (what blind readers preferred:
    ``tests/benchmarks/README.md``). Under the prompt's headings only the rows of a table do. The
    document with the most probable unit comes first, each in its own order. What the writer has put
    in order stays under its need and in that order.
    """
    # A heading stands with the first of its needs alone.
    headings: list[str] = []
    for need in needs:
        headings.append(need.need.heading or "".join(headings[-1:]))
    places = Counter(
        (_together(headings[at], unit), at)
        for at, need in enumerate(needs)
        for unit in need.chosen
        if not need.is_by_itself
    )
    home: dict[Table | str | None, int] = {}
    for (together, at), count in places.items():
        if together is not None and count > places[together, home.get(together, -1)]:
            home[together] = at
    placed: list[list[PlannedUnit]] = [[] for _ in needs]
    for at, need in enumerate(needs):
        for unit in need.chosen:
            own = None if need.is_by_itself else _together(headings[at], unit)
            placed[home.get(own, at)].append(unit)
    return [
        tuple(rows_together(units) if need.is_ordered else _best_document_first(units))
        for need, units in zip(needs, placed, strict=True)
    ]


def _together(heading: str, unit: PlannedUnit) -> Table | str | None:
    """Return what the units that stand with ``unit`` under one need share: its file, or where a
    ``heading`` stands above the need its table."""
    return unit.table if heading else unit.passage.file


def _best_document_first(units: Sequence[PlannedUnit]) -> list[PlannedUnit]:
    best: dict[str, float] = {}
    for unit in units:
        best[unit.passage.file] = max(unit.score, best.get(unit.passage.file, 0.0))
    return sorted(units, key=lambda unit: (-best[unit.passage.file], _reading_order(unit)))


def as_stated(needs: Sequence[PlannedNeed]) -> tuple[PlannedNeed, ...]:
    """Return ``needs`` with the units that their text states first, in its order, then the others,
    best first: what a writer changes from there on is changed in the text and nothing else is."""
    cells = [[unit for unit in need.units if unit.is_cell] for need in needs]
    bare = [replace(n, units=tuple(u for u in n.units if not u.is_cell)) for n in needs]
    return tuple(
        replace(
            need,
            units=(*of_table, *stated, *(unit for unit in need.units if not unit.selected)),
            is_ordered=True,
        )
        for need, of_table, stated in zip(bare, cells, in_text_order(bare), strict=True)
    )


def rows_together(units: Sequence[PlannedUnit]) -> list[PlannedUnit]:
    """Return ``units`` in their order, the rows of a table behind its first one."""
    first: dict[Table, int] = {}
    places = [
        at if unit.table is None else first.setdefault(unit.table, at)
        for at, unit in enumerate(units)
    ]
    return [unit for _, unit in sorted(zip(places, units, strict=True), key=lambda pair: pair[0])]


def place_for(units: Sequence[PlannedUnit], new: PlannedUnit) -> int:
    """Return where among the ``units`` of a text ``new`` belongs: in reading order among the rows
    of its table, or among the units of its document where they stand in it, else at the end."""
    rows = [at for at, unit in enumerate(units) if unit.table and unit.table == new.table]
    same = rows or [at for at, u in enumerate(units) if u.passage.file == new.passage.file]
    order = [_reading_order(units[at]) for at in same]
    if not same or (not rows and order != sorted(order)):
        return len(units)
    after = [at for at in same if _reading_order(units[at]) < _reading_order(new)]
    return after[-1] + 1 if after else same[0]


def as_planned(needs: Sequence[PlannedNeed], planned: Sequence[PlannedNeed]) -> list[PlannedNeed]:
    """Return ``needs``, which were read or kept, with what a plan knows of them and their units."""
    by_id = {each.need.need_id: each for each in planned}
    everywhere = {unit.place: unit for each in planned for unit in each.units}
    made = []
    for each in needs:
        own = by_id.get(each.need.need_id)
        # Units of gaps may stand under several needs.
        known = everywhere | {unit.place: unit for unit in (own.units if own else ())}
        units = tuple(
            replace(known.get(unit.place, unit), selected=unit.selected) for unit in each.units
        )
        # The item of a template has no words in the prompt.
        is_same = own is not None and each.need.quote in ("", own.need.quote)
        of_plan = own if own is not None and is_same else each
        made.append(replace(of_plan, units=units, is_ordered=each.is_ordered))
    return made


def with_evidence(plan: Plan, needs: Sequence[PlannedNeed]) -> Plan:
    """Return ``plan`` for a text that states what is selected in ``needs`` and nothing else.

    What stands word for word (values, answers) stays, and what a template asks for; a cell of a
    comparison stays unless its passage is not selected any more. A need that is not among
    ``needs`` is not written. Nothing is looked up: tokens, summaries and discrepancies are those of
    ``plan`` until the planner has settled it.
    """
    stated = in_text_order([_without_cells(need) for need in needs])
    known = {need.need.need_id for need in plan.needs}
    elsewhere = _stated_elsewhere(plan.needs, needs)
    cells = {u.place for need in needs for u in need.units if u.is_cell and u.selected}
    points: list[PlannedPoint] = []
    for each, units in zip(needs, stated, strict=True):
        is_elsewhere = each.need.need_id in elsewhere and not each.need.is_field
        may_be = each.may_be_stated or is_elsewhere
        need = replace(each, may_be_stated=may_be)
        own = [p for p in plan.points if p.need_id == need.need.need_id]
        made = [_edited(point, need, units, cells) for point in own]
        is_known = need.need.need_id in known
        if not any(map(states_evidence, own)) and (units or not is_known):
            point = replace(evidence_point(need, units), is_by_hand=True)
            # A table or a value answers it already.
            made.append(replace(point, heading="", is_supplement=True) if is_known else point)
        points.extend(made)
    words = sum(len(unit.passage.text.split()) for units in stated for unit in units)
    maximum = plan.maximum_words and max(plan.maximum_words, round(words * TOLERANCE))
    return replace(
        plan,
        points=tuple(points),
        needs=tuple(needs),
        problems=problems_after(plan.problems, needs, points),
        maximum_words=maximum,
        is_settled=False,
    )


def _stated_elsewhere(planned: Sequence[PlannedNeed], needs: Sequence[PlannedNeed]) -> set[str]:
    """Return the ids of the ``planned`` needs of which some unit is selected under any need."""
    selected = {unit.place for need in needs for unit in need.chosen}
    return {n.need.need_id for n in planned if any(unit.place in selected for unit in n.chosen)}


def evidence_point(need: PlannedNeed, units: Sequence[PlannedUnit]) -> PlannedPoint:
    """Return the point that states ``units`` for ``need``, word for word."""
    passages = tuple(unit.passage for unit in units)
    return PlannedPoint(
        kind=PointKind.DESCRIBE,
        heading=need.need.heading,
        query=need.need.query,
        instruction=need.need.name,
        scope=need.need.scope,
        passages=passages,
        relevance=max((unit.similarity for unit in need.units), default=0.0),
        evidence=passages,
        need_id=need.need.need_id,
        # A document stands under the need that most of it was selected for.
        may_be_stated=not units and (need.may_be_stated or bool(need.chosen)),
    )


def _edited(
    point: PlannedPoint,
    need: PlannedNeed,
    units: Sequence[PlannedUnit],
    cells: Collection[Place],
) -> PlannedPoint:
    if point.kind is PointKind.COMPARE:
        is_kept = all(p.place in cells for p in point.evidence)
        return (
            point
            if is_kept
            else replace(point, value=None, referred=None, passages=(), evidence=())
        )
    if not states_evidence(point):
        return point
    made = evidence_point(need, units)
    return replace(
        point,
        passages=made.passages,
        evidence=made.evidence,
        may_be_stated=made.may_be_stated,
        is_by_hand=made.evidence != point.evidence,
    )


def states_evidence(point: PlannedPoint) -> bool:
    """Whether ``point`` is written from selected units."""
    return point.kind not in (PointKind.COMPARE, PointKind.VERBATIM)


def _without_cells(need: PlannedNeed) -> PlannedNeed:
    return replace(need, units=tuple(unit for unit in need.units if not unit.is_cell))


def _reading_order(unit: PlannedUnit) -> tuple[str, int]:
    return unit.passage.file, unit.passage.start

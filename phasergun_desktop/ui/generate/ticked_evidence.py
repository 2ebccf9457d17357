"""What the writer has ticked, added and moved in a plan, and what of it outlives the next plan."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from phasergun_desktop.planning.evidence_edits import as_stated, place_for, with_evidence
from phasergun_desktop.planning.model import Plan, PlannedNeed, PlannedUnit
from phasergun_desktop.retrieval.model import Place

_MOST_UNDONE = 50
_MOST_PROMPTS = 30

# A unit by its file and its words: a file that is read again may have it at another place.
_UnitKey = tuple[str, str]
_Lists = tuple[tuple[tuple[PlannedUnit, ...], tuple[PlannedUnit, ...]], ...]


@dataclass(slots=True)
class NeedRows:
    """A need of the plan: the units in the order of the text, ticked or not, and ``more`` that were
    considered, best first. ``suggested`` are the units that the plan states here, ``selected_for``
    those that it selected for the need: others of their documents may stand elsewhere, and they
    with them."""

    planned: PlannedNeed
    shown: list[PlannedUnit]
    more: list[PlannedUnit]
    suggested: tuple[PlannedUnit, ...] = ()
    selected_for: tuple[PlannedUnit, ...] = ()

    @property
    def ticked(self) -> list[PlannedUnit]:
        """The units that the text states, in its order."""
        return [unit for unit in self.shown if unit.selected]

    @property
    def edited(self) -> PlannedNeed:
        """The need as the writer has left it."""
        cells = (unit for unit in self.planned.units if unit.is_cell)
        return replace(self.planned, units=(*cells, *self.shown, *self.more), is_ordered=True)


@dataclass(slots=True)
class _Decisions:
    """What the writer wants otherwise than it was suggested, for each need by its words."""

    out: dict[str, set[_UnitKey]] = field(default_factory=dict)
    into: dict[str, list[PlannedUnit]] = field(default_factory=dict)
    order: dict[str, list[_UnitKey]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.out or self.into or self.order)


class TickedEvidence:
    """The needs of a plan as they are ticked; ``plan`` is what shall be drafted."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._edited: Plan | None = None
        self._undone: list[_Lists] = []
        self._redone: list[_Lists] = []
        self._kept: dict[tuple[str, str], _Decisions] = {}
        self._is_other_prompt = False
        self.needs: list[NeedRows] = []

    # The plan -----------------------------------------------------------------------------

    @property
    def plan(self) -> Plan | None:
        """The plan with what is ticked."""
        if self._plan is not None and self._edited is None:
            changed = self.is_changed
            needs = [each.edited for each in self.needs]
            self._edited = with_evidence(self._plan, needs) if changed else self._plan
        return self._edited

    @property
    def is_changed(self) -> bool:
        """Whether the writer wants anything otherwise than it was suggested."""
        return any(_places(each.ticked) != _places(each.suggested) for each in self.needs)

    def begin(self, plan: Plan | None) -> None:
        """Take up another plan, with what the writer has decided on the same prompt or, for what is
        found again, on the prompt before it was changed."""
        before, self._plan, self._edited = self._plan, plan, None
        decided = _decisions(self.needs) if before is not None else _Decisions()
        self._undone, self._redone = [], []
        if plan is None:
            self.needs = []
            return
        key = (plan.prompt, plan.template)
        is_same = before is not None and (before.prompt, before.template) == key
        if not is_same and (self._is_other_prompt or not decided):
            decided = self._kept.get(key, _Decisions())
        self._is_other_prompt = False
        self.needs = _suggested_by(plan)
        if decided:
            _apply(decided, self.needs)
        self._keep()

    def settle(self, plan: Plan) -> None:
        """Take what the session made of ``plan``: the same, without units that are gone."""
        there = {unit.place for need in plan.needs for unit in need.units}
        for need in self.needs:
            need.shown = [unit for unit in need.shown if unit.place in there]
            need.more = [unit for unit in need.more if unit.place in there]
        self._edited = plan
        self._keep()

    def leave_prompt(self) -> None:
        """The next plan is of another prompt, not of this one changed."""
        self._is_other_prompt = True

    def forget(self) -> None:
        """Forget every prompt: another project is opened."""
        self._kept.clear()
        self.begin(None)

    # What the writer does -------------------------------------------------------------------

    def find(self, place: Place, need_at: int = -1) -> tuple[int, PlannedUnit] | None:
        """Return the need that a unit stands under, and the unit. What was considered may stand
        under several needs: the one at ``need_at`` comes first, then one where it is ticked."""
        found = [
            (at, unit)
            for at, need in enumerate(self.needs)
            for unit in (*need.shown, *need.more)
            if unit.place == place
        ]
        return min(found, key=lambda f: (f[0] != need_at, not f[1].selected), default=None)

    def tick(self, need_at: int, place: Place, *, is_ticked: bool) -> bool:
        """Take a unit in or out; one that was only considered gets its place in the text."""
        found = self.find(place, need_at)
        if found is None or found[1].selected == is_ticked:
            return False
        at, unit = found
        need, new = self.needs[at], replace(unit, selected=is_ticked)
        self._remember()
        if unit in need.shown:
            need.shown[need.shown.index(unit)] = new
        else:
            self._remove(place)
            need.shown.insert(place_for(need.shown, new), new)
        return self._changed()

    def take_away(self, need_at: int, place: Place) -> bool:
        """Put a unit back among those that were only considered."""
        found = self.find(place, need_at)
        if found is None or found[1] not in self.needs[found[0]].shown:
            return False
        at, unit = found
        self._remember()
        self.needs[at].shown.remove(unit)
        self._put_back(at, replace(unit, selected=False))
        return self._changed()

    def add(self, need_at: int, unit: PlannedUnit) -> bool:
        """Take a unit in under a need, from wherever it stands."""
        found = self.find(unit.place)
        if found is not None and found[1].selected and found[0] == need_at:
            return False
        known = self.find(unit.place, need_at)
        new = replace(known[1] if known is not None else unit, selected=True)
        self._remember()
        self._remove(unit.place)
        need = self.needs[need_at]
        need.shown.insert(place_for(need.shown, new), new)
        return self._changed()

    def move(self, from_need: int, place: Place, need_at: int, row: int) -> bool:
        """Put a unit before the unit at ``row`` of a need, ticked; the rows of a table stay
        together in the text."""
        found = self.find(place, from_need)
        if found is None:
            return False
        at, unit = found
        need = self.needs[need_at]
        if at == need_at and unit in need.shown and need.shown.index(unit) < row:
            row -= 1
        if at == need_at and unit.selected and need.shown.index(unit) == row:
            return False
        self._remember()
        self._remove(place)
        need.shown.insert(row, replace(unit, selected=True))
        return self._changed()

    def step(self, need_at: int, place: Place, step: int) -> bool:
        """Move a unit one place up (-1) or down (1), over the end of its need to the next one."""
        found = self.find(place, need_at)
        if found is None or found[1] not in self.needs[found[0]].shown:
            return False
        at, unit = found
        row = self.needs[at].shown.index(unit)
        if 0 <= row + step < len(self.needs[at].shown):
            return self.move(at, place, at, row + (2 if step > 0 else -1))
        if not 0 <= at + step < len(self.needs):
            return False
        last = len(self.needs[at + step].shown)
        return self.move(at, place, at + step, 0 if step > 0 else last)

    def reset(self) -> bool:
        """Go back to what was suggested."""
        if self._plan is None or not self.is_changed:
            return False
        self._remember()
        self.needs = _suggested_by(self._plan)
        return self._changed()

    def undo(self) -> bool:
        """Take back what was done last."""
        return self._swap(self._undone, self._redone)

    def redo(self) -> bool:
        """Do again what was taken back."""
        return self._swap(self._redone, self._undone)

    # Parts ----------------------------------------------------------------------------------

    def _remove(self, place: Place) -> None:
        """Take a unit from all lists: what is in the text is offered nowhere else."""
        for need in self.needs:
            for units in (need.shown, need.more):
                units[:] = [unit for unit in units if unit.place != place]

    def _put_back(self, at: int, unit: PlannedUnit) -> None:
        known = [each.place for each in self.needs[at].planned.units]
        rank = known.index(unit.place) if unit.place in known else -1
        more = self.needs[at].more
        more.insert(sum(known.index(e.place) < rank for e in more if e.place in known), unit)

    def _lists(self) -> _Lists:
        return tuple((tuple(each.shown), tuple(each.more)) for each in self.needs)

    def _remember(self) -> None:
        self._undone = [*self._undone[1 - _MOST_UNDONE :], self._lists()]
        self._redone = []

    def _swap(self, source: list[_Lists], target: list[_Lists]) -> bool:
        if not source:
            return False
        target.append(self._lists())
        for need, (shown, more) in zip(self.needs, source.pop(), strict=True):
            need.shown, need.more = list(shown), list(more)
        return self._changed()

    def _changed(self) -> bool:
        self._edited = None
        self._keep()
        return True

    def _keep(self) -> None:
        if self._plan is None:
            return
        key = (self._plan.prompt, self._plan.template)
        self._kept.pop(key, None)
        decided = _decisions(self.needs)
        if decided:
            self._kept[key] = decided
        for oldest in list(self._kept)[:-_MOST_PROMPTS]:
            del self._kept[oldest]


def _suggested_by(plan: Plan) -> list[NeedRows]:
    return [
        _rows_of(stated, tuple(unit for unit in need.chosen if not unit.is_cell))
        for need, stated in zip(plan.needs, as_stated(plan.needs), strict=True)
    ]


def _rows_of(need: PlannedNeed, selected_for: tuple[PlannedUnit, ...]) -> NeedRows:
    units = [unit for unit in need.units if not unit.is_cell]
    stated = [unit for unit in units if unit.selected]
    # What no draft could state is not offered.
    more = [unit for unit in units if not unit.selected and unit.can_stand]
    more.sort(key=lambda unit: -unit.score)
    return NeedRows(need, stated, more, tuple(stated), selected_for)


def _key(unit: PlannedUnit) -> _UnitKey:
    return unit.passage.file, unit.passage.text


def _name(need: NeedRows) -> str:
    asked = need.planned.need
    return " ".join(f"{asked.heading} {asked.query or asked.quote}".casefold().split())


def _places(units: list[PlannedUnit] | tuple[PlannedUnit, ...]) -> list[Place]:
    return [unit.place for unit in units]


def _decisions(needs: list[NeedRows]) -> _Decisions:
    made = _Decisions()
    for need in needs:
        ticked, suggested = need.ticked, need.suggested
        if _places(ticked) == _places(suggested):
            continue
        name = _name(need)
        before, now = {_key(u) for u in suggested}, {_key(u) for u in ticked}
        made.out[name] = before - now
        made.into[name] = [unit for unit in ticked if _key(unit) not in before]
        made.order[name] = [_key(unit) for unit in ticked]
    return made


def _apply(decided: _Decisions, needs: list[NeedRows]) -> None:
    """Repeat what was decided; what no need considers is taken in where its own need is there."""
    names = [_name(need) for need in needs]
    for name, keys in decided.out.items():
        for key in keys:
            known = _known(needs, names, name, key)
            # A need that asks for something else now may suggest it after all.
            if known is not None and (names[known[0]] == name or name not in names):
                shown = needs[known[0]].shown
                if known[1] in shown:
                    shown[shown.index(known[1])] = replace(known[1], selected=False)
    for name, units in decided.into.items():
        for unit in units:
            known = _known(needs, names, name, _key(unit))
            if known is None and name not in names:
                continue
            at = names.index(name) if name in names else known[0] if known else 0
            new = replace(known[1] if known else unit, selected=True)
            for need in needs:
                for each in (need.shown, need.more):
                    each[:] = [one for one in each if one.place != new.place]
            needs[at].shown.insert(place_for(needs[at].shown, new), new)
    for name, keys_in_order in decided.order.items():
        if name in names:
            _put_in_order(needs[names.index(name)], keys_in_order)


def _known(
    needs: list[NeedRows], names: list[str], name: str, key: _UnitKey
) -> tuple[int, PlannedUnit] | None:
    """Return the need that a unit stands under now, the one that is called ``name`` first, and
    the unit."""
    found = (
        (at, unit)
        for at, need in enumerate(needs)
        for unit in (*need.shown, *need.more)
        if _key(unit) == key
    )
    return min(found, key=lambda pair: (names[pair[0]] != name, not pair[1].selected), default=None)


def _put_in_order(need: NeedRows, order: list[_UnitKey]) -> None:
    """Put what was ordered before into the places that it has now, in that order."""
    rank = {key: at for at, key in enumerate(order)}
    places = [at for at, unit in enumerate(need.shown) if _key(unit) in rank]
    units = sorted((need.shown[at] for at in places), key=lambda unit: rank[_key(unit)])
    for at, unit in zip(places, units, strict=True):
        need.shown[at] = unit

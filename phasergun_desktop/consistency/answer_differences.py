"""Another document that answers what is asked for with another value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.statements import as_written, quantities
from phasergun_desktop.consistency.value_differences import file_name
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import (
    Discrepancy,
    DiscrepancyKind,
    PlannedNeed,
    PlannedUnit,
)
from phasergun_desktop.text.values import Value, ValueKind, extract_values

# What answers with this probability is told. Of 1,723 questions on twelve small projects of which
# the cross-encoder learnt nothing twelve were told of another value, six of them rightly; of 261
# drafts three, two rightly.
_ANSWERS = 0.35


def answer_discrepancies(needs: Sequence[PlannedNeed], material: Material) -> Iterator[Discrepancy]:
    """Yield one for each text that answers one of ``needs`` too, with another value than the best
    answer that is selected, which gives no other number."""
    for need in needs:
        best = max(need.chosen, key=lambda unit: unit.score, default=None)
        home = material.of_file(best.passage.file) if best is not None else None
        if best is None or home is None or not home.subject:
            continue
        values = _values(best)
        for unit in need.units if len(values) == 1 else ():
            read = material.of_file(unit.passage.file)
            others = [each for each in _values(unit) if each.unit == values[0].unit]
            if (
                unit.score >= _ANSWERS
                and read is not None
                and (read is not home and read.subject == home.subject)
                and [each.kind for each in others] == [values[0].kind]
                and others[0].key != values[0].key
            ):
                yield Discrepancy(
                    DiscrepancyKind.VALUES,
                    f"On “{need.need.query.strip()}” {file_name(home)} says {values[0].text}, "
                    f"{file_name(read)} {others[0].text}.",
                    (_place(home, best, values[0]), _place(read, unit, others[0])),
                )


def _values(unit: PlannedUnit) -> list[Value]:
    """Return the quantities of ``unit``; none where a bare number may be what is asked for."""
    text = unit.passage.text
    is_bare = any(each.kind is ValueKind.NUMBER and not each.unit for each in extract_values(text))
    return [] if is_bare else quantities(text)


def _place(read: ReadDocument, unit: PlannedUnit, value: Value) -> SourcePlace:
    passage = unit.passage
    return read.place(passage.start, passage.end, as_written(value, passage.text))

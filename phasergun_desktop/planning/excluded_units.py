"""The units that state what a prompt says not to write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.pair_reading import log_odds
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.unit_reading import UnitReader

# A unit states what the prompt says not to write where the mean of what is read of that is above
# even odds, and by so much, in log odds, above that the unit belongs. Of what is left out so for
# the prompts of twelve judged projects, which this was set on, 1 of 25 judged units belongs; from
# 3.0 on none of 11, from 0.0 on 5 of 34.
_MARGIN = 1.0


def excluded_units(
    exclusions: Sequence[str],
    pool: Pool,
    units: Sequence[PooledUnit],
    documents: Sequence[DocumentRecord],
    reader: UnitReader,
) -> frozenset[int]:
    """Return the rows of those of ``units``, which are of ``pool``, that go better with one of the
    ``exclusions`` of a prompt than with what it asks for; none where scores are no probabilities.
    """
    if not (exclusions and units and pool.is_measured):
        return frozenset()
    rows = [unit.row for unit in units]
    asked = log_odds(np.array([unit.score for unit in units]))
    found: set[int] = set()
    for what in exclusions:
        belongs = reader.belonging(what, pool.table, rows, documents)
        answers = reader.answering(what, pool.table, rows, documents)
        if belongs is not None and answers is not None:
            read = (belongs + answers) / 2
            found.update(np.array(rows)[(read > 0.0) & (read - asked > _MARGIN)].tolist())
    return frozenset(found)

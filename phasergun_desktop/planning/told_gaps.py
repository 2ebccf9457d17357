"""The needs of which a draft can say that no document states them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.features import Column
from phasergun_desktop.planning.looked_at import LookedAt, best_of, nearest_rows
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.unit_reading import UnitReader

# So many units are read of what goes best with a need, and of what does with the whole prompt.
_READ_OF_NEED, _READ_OF_PROMPT = 12, 25
# Below even odds that the best unit belongs to a need read alone, and below these of that and of
# the best answer together, it can be said that none states it. Of what is told so in twelve judged
# projects that the cross-encoder learnt nothing of (``python -m tests.benchmarks near_misses``) 9
# of 22 are missing; by what goes best with the need, and by the first bound alone, 10 of 56 were
# (all by the cross-encoder that read each unit alone).
_STATED_FROM, _STATED_OR_ANSWERED_FROM = 0.0, -1.0


def told_gaps(
    needs: Sequence[Need],
    looked: LookedAt,
    scores: Column,
    documents: Sequence[DocumentRecord],
    reader: UnitReader,
) -> frozenset[str]:
    """Return the ids of those of ``needs`` that no unit states, each read alone with what goes best
    with it and, by the ``scores`` of the units ``looked`` at, with the prompt. (With the words of
    the prompt, as they stand there: a query without those of form, or with the section's title or
    the whole prompt, told less.)"""
    of_prompt = looked.units.rows[best_of(scores, _READ_OF_PROMPT)]

    def is_told(need: Need) -> bool:
        query = need.quote or need.query
        match = looked.matches[need.need_id]
        nearest = nearest_rows(match, _READ_OF_NEED)
        others = sorted(set(of_prompt[np.isin(of_prompt, match.rows)].tolist()) - set(nearest))
        belongs = -np.inf
        # The first ones are mostly enough to say that it may be stated.
        for rows in filter(None, (nearest, others)):
            read = reader.belonging(query, looked.table, rows, documents)
            if read is None or read.max() >= _STATED_FROM:
                return False
            belongs = max(belongs, read.max())
        answers = reader.answering(query, looked.table, [*nearest, *others], documents)
        return answers is not None and belongs + answers.max() < _STATED_OR_ANSWERED_FROM

    return frozenset(need.need_id for need in needs if is_told(need))

"""A cross-encoder that knows what to say of texts by what stands in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.cross_encoder import UnitRun


class ScriptedPairs:
    """A text has the log odds of the first of ``odds`` that is in it, else -9, to answer, and to
    belong into a text; ``read`` are the texts of the last call."""

    def __init__(self) -> None:
        self.odds: dict[str, float] = {}
        self.read: list[str] = []

    def answering(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the scripted log odds, shape (len(texts),)."""
        self.read = [*texts]
        return np.array(
            [next((o for part, o in self.odds.items() if part in t), -9.0) for t in texts]
        )

    def belonging(self, prompt: str, runs: Sequence[UnitRun]) -> NDArray[np.float64]:
        """Return the scripted log odds of the units, in their order, shape (units,)."""
        return self.answering(prompt, [" : ".join(unit) for run in runs for unit in run.units])

"""A stand-in for the cross-encoder that counts words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.cross_encoder import UnitRun
from phasergun_desktop.text.words import content_words

_LEAST, _SPREAD = -4.0, 8.0


class SharedWords:
    """Reads which share of the query's words a text has."""

    def answering(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return log odds from -4 to 4, shape (len(texts),)."""
        asked = set(content_words(question))
        shares = [len(asked & set(content_words(text))) / max(len(asked), 1) for text in texts]
        return _LEAST + _SPREAD * np.array(shares, dtype=np.float64)

    def belonging(self, prompt: str, runs: Sequence[UnitRun]) -> NDArray[np.float64]:
        """Return log odds from -4 to 4 of the units, in their order, shape (units,)."""
        return self.answering(prompt, [" : ".join(unit) for run in runs for unit in run.units])

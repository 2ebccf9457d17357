"""A cross-encoder that says the same of every pair: the selector alone then ranks the units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class IndifferentPairs:
    """Reads nothing."""

    def logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return zeros, shape (len(texts), 2)."""
        return np.zeros((len(texts), 2))

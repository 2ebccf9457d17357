"""A stand-in for the cross-encoder that counts words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.text.words import content_words

_LEAST, _SPREAD = -3.0, 6.0


class SharedWords:
    """Reads which share of the query's words a text has."""

    def logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return logits from -3 to 3, twice the same, shape (len(texts), 2)."""
        asked = set(content_words(query))
        shares = [len(asked & set(content_words(text))) / max(len(asked), 1) for text in texts]
        each = _LEAST + _SPREAD * np.array(shares, dtype=np.float64)
        return np.column_stack([each, each]).reshape(len(texts), 2)

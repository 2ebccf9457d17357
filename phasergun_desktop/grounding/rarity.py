"""How rare a word is in general English, from the order of the tokenizer's vocabulary."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from phasergun_desktop.errors import ModelError
from phasergun_desktop.text.words import content_words

# A word that the vocabulary does not hold whole counts as its rarest.
_RAREST = 1.0


class WordRarity:
    """Weights of stems, 0 (commonest) to 1 (rarest): the logarithm of their rank."""

    def __init__(self, ranks: Mapping[str, int]) -> None:
        """``ranks`` are places of stems in an order by frequency, from 0."""
        self._scale = math.log(max(ranks.values(), default=0) + 2.0)
        self._ranks = dict(ranks)

    def of(self, stem: str) -> float:
        """Return the weight of one stem, as ``content_words`` gives it."""
        rank = self._ranks.get(stem)
        return _RAREST if rank is None else math.log(rank + 1.0) / self._scale

    def of_all(self, stems: Sequence[str]) -> float:
        """Return the sum of the weights of ``stems``."""
        return sum(self.of(stem) for stem in stems)


def load_rarity(tokenizer: Path) -> WordRarity:
    """Read the order of the words of a WordPiece ``tokenizer.json``: commonest first.

    Raises ``ModelError`` where the file is absent or not such a tokenizer.
    """
    try:
        vocabulary = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
        words = sorted(vocabulary, key=vocabulary.__getitem__)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            "Embedding model damaged",
            f"The file {tokenizer.name} is not a tokenizer that can be loaded.",
            "Install PhaserGun again, or run its set-up once more.",
        ) from error
    ranks: dict[str, int] = {}
    # As one text: stemming word by word would take ten times as long.
    whole = " ".join(word for word in words if word.isalpha() and len(word) > 1)
    for rank, stem in enumerate(content_words(whole)):
        ranks.setdefault(stem, rank)
    return WordRarity(ranks)

"""Vectors of words alone, for when no embedding model can be used."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.pooling import normalised

_WORD = re.compile(r"\w+|[^\w\s]")


class WordVectors:
    """An embedder without a model: it adds one fixed direction per word, so that texts are alike by
    the words that they share. No index has vectors of its ``identity``."""

    identity = "words"
    max_tokens = 256

    def __init__(self, *, dimensions: int = 256) -> None:
        self.dimensions = dimensions

    def count_tokens(self, text: str) -> int:
        """Words and punctuation marks."""
        return len(_WORD.findall(text))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Spans of words and punctuation marks."""
        return [match.span() for match in _WORD.finditer(text)]

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1; zeros without words."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for place, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                rows[place] += _direction(word, self.dimensions)
        return normalised(rows)

    def token_vectors(self, text: str) -> Vector:
        """Return a row per word and mark: its direction, whatever stands around it."""
        words = _WORD.findall(text.lower())[: self.max_tokens - 2]
        rows = np.array([_direction(word, self.dimensions) for word in words], dtype=np.float32)
        return normalised(rows.reshape(len(words), self.dimensions))


@lru_cache(maxsize=20_000)
def _direction(word: str, dimensions: int) -> Vector:
    data = word.encode("utf-8", "surrogatepass")
    seed = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)

"""An embedder without a model: the same words give similar vectors, always the same ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from phasergun_desktop.embedding.embedder import Vector

_WORD = re.compile(r"\w+|[^\w\s]")


class HashEmbedder:
    """Adds one fixed random direction per word; counts what it was asked to embed."""

    def __init__(self, *, identity: str = "hash:1", dimensions: int = 64) -> None:
        self._identity = identity
        self._dimensions = dimensions
        self.embedded: list[str] = []

    @property
    def identity(self) -> str:
        """A made-up name."""
        return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        """As the bundled model."""
        return 256

    def count_tokens(self, text: str) -> int:
        """Words and punctuation marks."""
        return len(_WORD.findall(text))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Spans of words and punctuation marks."""
        return [match.span() for match in _WORD.finditer(text)]

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1."""
        self.embedded.extend(texts)
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for place, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                rows[place] += self._direction(word)
        norms = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        unit: Vector = (rows / norms).astype(np.float32)
        return unit

    def token_vectors(self, text: str) -> Vector:
        """Return a row per word and mark: its direction, whatever stands around it."""
        words = _WORD.findall(text.lower())[: self.max_tokens - 2]
        rows = np.array([self._direction(word) for word in words], dtype=np.float32)
        rows = rows.reshape(len(words), self._dimensions)
        unit: Vector = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _direction(self, word: str) -> Vector:
        data = word.encode("utf-8", "surrogatepass")
        seed = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
        return np.random.default_rng(seed).standard_normal(self._dimensions).astype(np.float32)

"""What every embedder offers, whichever runtime is behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class SearchEmbedder(Protocol):
    """Turns texts and queries into unit vectors that can be compared."""

    @property
    def identity(self) -> str:
        """What vectors depend on: those of different identities never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1, one text per run."""
        ...

    def embed_query(self, query: str) -> Vector:
        """Return float32 of shape (dimensions,), L2 norm 1."""
        ...


class Embedder(Protocol):
    """Turns text into unit vectors; a vector depends on its text alone."""

    @property
    def identity(self) -> str:
        """Model, digest and kernel class: vectors of different identities never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector (384 for all-MiniLM-L6-v2)."""
        ...

    @property
    def max_tokens(self) -> int:
        """Word pieces that the model reads, the two special ones included (256)."""
        ...

    def count_tokens(self, text: str) -> int:
        """Word pieces of ``text`` without the special ones, not truncated."""
        ...

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Code-point spans of the word pieces of ``text``, not truncated."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1, one text per run."""
        ...

    def token_vectors(self, text: str) -> Vector:
        """Return float32 of shape (pieces, dimensions), L2 norm 1 a row: the vector of every
        word piece of ``text`` in its context, without the special ones.

        Pieces after the ``max_tokens - 2``-th are not read; a text without pieces gives no rows.
        """
        ...

"""An embedder without a model: the same words give similar vectors, always the same ones."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.errors import ModelError


class HashEmbedder(WordVectors):
    """Counts what it was asked to embed; fails from ``fail()`` on, as a damaged model does."""

    def __init__(self, *, identity: str = "hash:1", dimensions: int = 64) -> None:
        super().__init__(dimensions=dimensions)
        self.identity = identity
        self.embedded: list[str] = []
        self._fails = False

    def fail(self) -> None:
        """Raise ``ModelError`` for every text from now on."""
        self._fails = True

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1."""
        self._check()
        self.embedded.extend(texts)
        return super().embed(texts)

    def embed_query(self, query: str) -> Vector:
        """Return float32 of shape (dimensions,), L2 norm 1."""
        vector: Vector = self.embed([query])[0]
        return vector

    def token_vectors(self, text: str) -> Vector:
        """Return a row per word and mark: its direction, whatever stands around it."""
        self._check()
        return super().token_vectors(text)

    def _check(self) -> None:
        if self._fails:
            raise ModelError("Embedding model missing", "The file is not there.", "Install it.")

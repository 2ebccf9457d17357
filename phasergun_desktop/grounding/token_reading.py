"""Reads texts of any length into the vectors of their word pieces, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Embedder, Vector
from phasergun_desktop.kept_values import KeptValues
from phasergun_desktop.text.sentences import sentence_spans

_CACHED_PIECES = 60_000


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as its model read it.

    ``vectors`` is float32 of shape (pieces, dimensions), L2 norm 1 a row. ``sentence_of`` has
    shape (pieces,): which of ``sentences`` (never empty for a text with words) a piece is in.
    ``starts`` has shape (pieces,): where a piece begins in ``text``, in code points.
    """

    text: str
    sentences: tuple[str, ...]
    vectors: Vector
    sentence_of: NDArray[np.int64]
    starts: NDArray[np.int64]

    def mean(self) -> Vector:
        """Return the mean direction of the text, shape (dimensions,), norm 1 (zeros if empty)."""
        summed = self.vectors.sum(axis=0)
        unit: Vector = summed / max(float(np.linalg.norm(summed)), 1e-12)
        return unit

    def sentence_vectors(self) -> Vector:
        """Return the mean direction of every sentence, float32 (sentences, dimensions), norm 1."""
        rows = np.zeros((len(self.sentences), self.vectors.shape[1]), dtype=np.float32)
        np.add.at(rows, self.sentence_of, self.vectors)
        unit: Vector = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return unit


def joined(reads: Sequence[ReadText]) -> ReadText:
    """Return several texts (at least one) as one, one after another."""
    if len(reads) == 1:
        return reads[0]
    firsts = np.cumsum([0, *(len(each.sentences) for each in reads[:-1])])
    begins = np.cumsum([0, *(len(each.text) + 1 for each in reads[:-1])])
    return ReadText(
        "\n".join(each.text for each in reads),
        tuple(sentence for each in reads for sentence in each.sentences),
        np.concatenate([each.vectors for each in reads]),
        np.concatenate(
            [each.sentence_of + first for each, first in zip(reads, firsts, strict=True)]
        ),
        np.concatenate([each.starts + begin for each, begin in zip(reads, begins, strict=True)]),
    )


class TokenReader:
    """Reads texts through an embedder, in windows where they are longer than it reads.

    The latest texts are kept (about 90 MB at 384 dimensions). Not safe between threads.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: KeptValues[str, ReadText] = KeptValues(
            _CACHED_PIECES, lambda read: len(read.vectors)
        )

    def read(self, text: str) -> ReadText:
        """Return ``text`` read; a window never cuts a sentence that fits into one."""
        return self._kept.get(text, lambda: self._read(text))

    def _read(self, text: str) -> ReadText:
        spans = sentence_spans(text)
        vectors = [np.zeros((0, self._embedder.dimensions), dtype=np.float32)]
        begins = [np.zeros(0, dtype=np.int64)]
        sentences = np.array([start for start, _ in spans], dtype=np.int64)
        for start, end in self._windows(text, spans):
            window = text[start:end]
            rows = self._embedder.token_vectors(window)
            offsets = self._embedder.token_offsets(window)[: len(rows)]
            begins.append(np.array([start + offset for offset, _ in offsets], dtype=np.int64))
            vectors.append(rows[: len(offsets)])
        starts = np.concatenate(begins)
        return ReadText(
            text,
            tuple(text[start:end] for start, end in spans),
            np.concatenate(vectors),
            np.maximum(np.searchsorted(sentences, starts, side="right") - 1, 0),
            starts,
        )

    def _windows(self, text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        limit = self._embedder.max_tokens - 2
        windows: list[tuple[int, int]] = []
        filled = 0
        for start, end in spans:
            offsets = self._embedder.token_offsets(text[start:end])
            if windows and filled + len(offsets) <= limit:
                windows[-1] = (windows[-1][0], end)
                filled += len(offsets)
                continue
            cuts = [start + offsets[at][0] for at in range(limit, len(offsets), limit)]
            windows.extend(zip([start, *cuts], [*cuts, end], strict=True))
            filled = len(offsets) - limit * len(cuts)
        return windows

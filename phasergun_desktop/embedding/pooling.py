"""From the vectors of word pieces to the vector of a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector


def mean_pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> Vector:
    """Return the mean of the word pieces that ``mask`` marks with 1, with L2 norm 1.

    ``hidden`` has shape (texts, pieces, dimensions), ``mask`` (texts, pieces); the result is
    float32 of shape (texts, dimensions). A text without pieces gives zeros.
    """
    weights = mask[:, :, np.newaxis].astype(np.float32)
    summed = (hidden * weights).sum(axis=1)
    counts = np.maximum(weights.sum(axis=1), 1.0)
    return normalised(summed / counts)


def normalised(vectors: NDArray[np.float32]) -> Vector:
    """Return the rows of ``vectors`` with L2 norm 1 (rows of zeros stay zeros)."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vector = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit

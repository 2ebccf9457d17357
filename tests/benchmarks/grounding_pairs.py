"""The published claims with their sources, as rows of features (read once a run)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.evaluation.grounding_pairs import (
    CONTRADICTED,
    GroundingPair,
    read_pairs,
)
from phasergun_desktop.grounding.support_check import SupportChecker, SupportFigures
from phasergun_desktop.grounding.support_features import FEATURES
from phasergun_desktop.paths import resources_path

SCIFACT = "scifact_train.jsonl"
CLIMATE = "climate_fever_pairs.jsonl"


@dataclass(frozen=True, slots=True)
class FeatureRows:
    """A set of pairs measured. ``features`` has shape (rows, features); the flags (rows,)."""

    name: str
    pairs: tuple[GroundingPair, ...]
    features: NDArray[np.float64]

    @property
    def claims(self) -> list[str]:
        """The claim of every row: rows of one claim stay in one fold."""
        return [pair.claim for pair in self.pairs]

    @property
    def supported(self) -> NDArray[np.bool_]:
        """Which rows are positive."""
        return np.array([pair.is_supported for pair in self.pairs])

    @property
    def contradicted(self) -> NDArray[np.bool_]:
        """Which rows say the opposite."""
        return np.array([pair.label == CONTRADICTED for pair in self.pairs])


def bundled_embedder() -> OnnxEmbedder:
    """Return the product's embedder."""
    models = resources_path() / "models"
    return OnnxEmbedder(models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json")


def measured(path: Path, figures: SupportFigures, embedder: OnnxEmbedder) -> FeatureRows:
    """Return the rows of a file of pairs, measured as the product does."""
    pairs = read_pairs(path)
    return FeatureRows(path.stem, pairs, features_of(pairs, figures, embedder))


def features_of(
    pairs: Sequence[GroundingPair], figures: SupportFigures, embedder: OnnxEmbedder
) -> NDArray[np.float64]:
    """Return the features of ``pairs``, shape (rows, features); zeros where there are no words."""
    checker = SupportChecker(embedder, figures)
    rows = np.zeros((len(pairs), len(FEATURES)))
    # By source, so that a source is read once.
    for at in sorted(range(len(pairs)), key=lambda index: pairs[index].source):
        found = checker.features(pairs[at].claim, (pairs[at].source,))
        if found is not None:
            rows[at] = found.vector()
    return rows

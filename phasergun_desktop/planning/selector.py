"""The selector: what a prompt asks for, which units belong into the text, what is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.errors import ModelError
from phasergun_desktop.planning.features import NEED_FEATURES, UNIT_FEATURES, Column

SELECTOR_FILE = "selector.json"
# Of 37 parts of prompts on fourteen judged projects that were rightly told as missing each asks for
# content with more than this probability, of eleven remarks told as missing five do.
_CLEARLY = 0.6


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression; ``weights`` in the order of its features."""

    intercept: float
    weights: tuple[float, ...]

    def probabilities(self, columns: Column) -> Column:
        """Return probabilities, shape (rows,), for ``columns`` of shape (rows, features)."""
        odds = columns @ np.array(self.weights) + self.intercept
        made: Column = 1.0 / (1.0 + np.exp(-np.clip(odds, -500.0, 500.0)))
        return made


@dataclass(frozen=True, slots=True)
class Selector:
    """``clause``: a clause of a prompt, by its vector of the model ``embedder``, asks for content;
    below ``asks_from`` it is a remark to the writer. ``unit``: a unit belongs into the text.
    ``need``: some unit that the need allows answers it; below ``answered_from`` it is a gap."""

    embedder: str
    clause: Logistic
    unit: Logistic
    need: Logistic
    asks_from: float
    answered_from: float

    def asks(self, vectors: Vector, identity: str) -> list[bool]:
        """Return which clauses ask for content, by their ``vectors`` of shape (clauses,
        dimensions); all of them where none would, and where the embedder with this ``identity``
        is another one than it was learnt with."""
        asked = self._asking(vectors, identity) >= self.asks_from
        return asked.tolist() if asked.any() else [True] * len(vectors)

    def clearly_asks(self, vectors: Vector, identity: str) -> list[bool]:
        """Return which clauses, as in ``asks``, are no half remarks either ("neutral tone")."""
        return [bool(each >= _CLEARLY) for each in self._asking(vectors, identity)]

    def _asking(self, vectors: Vector, identity: str) -> Column:
        is_known = identity.startswith(self.embedder)
        if not is_known or vectors.shape[1] != len(self.clause.weights):
            return np.ones(len(vectors))
        return self.clause.probabilities(vectors.astype(np.float64))

    def answered(self, chances: Mapping[str, float]) -> frozenset[str]:
        """Return which needs of a prompt are answered; ``chances`` are the probabilities of
        ``need`` for each of them."""
        return frozenset(name for name, it in chances.items() if it >= self.answered_from)


def load_selector(path: Path) -> Selector:
    """Read the coefficients, which ``packaging/train_selector.py`` writes. Raises ``ModelError``
    where the file is absent, damaged, or made for other features."""
    try:
        loaded = json.loads(path.read_text("utf-8"))
        selector = Selector(
            str(loaded["embedder"]),
            Logistic(
                float(loaded["clause"]["intercept"]),
                tuple(map(float, loaded["clause"]["weights"].split())),
            ),
            _logistic(loaded["unit"], UNIT_FEATURES),
            _logistic(loaded["need"], NEED_FEATURES),
            float(loaded["asks_from"]),
            float(loaded["answered_from"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            "Selector damaged",
            f"The file {path.name} with the figures of the selector cannot be used.",
            "Install PhaserGun again, or run its set-up once more.",
        ) from error
    return selector


def _logistic(loaded: Mapping[str, object], features: Sequence[str]) -> Logistic:
    weights = loaded["weights"]
    if not isinstance(weights, dict) or set(weights) != set(features):
        raise ValueError("made for other features")
    return Logistic(
        float(str(loaded["intercept"])), tuple(float(weights[name]) for name in features)
    )

"""The selector: how probable it is that a unit answers a need, and that a need is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasergun_desktop.errors import ModelError
from phasergun_desktop.planning.features import NEED_FEATURES, UNIT_FEATURES, Column

SELECTOR_FILE = "selector.json"


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
    """``unit``: a unit answers a need. ``need``: some unit that the need allows answers it; below
    ``answered_from`` it is a gap. A prompt of which every need is below ``stated_from`` has no
    evidence."""

    unit: Logistic
    need: Logistic
    answered_from: float
    stated_from: float

    def answered(self, chances: Mapping[str, float]) -> frozenset[str]:
        """Return which needs of a prompt are answered; ``chances`` are the probabilities of
        ``need`` for each of them."""
        if max(chances.values(), default=0.0) < self.stated_from:
            return frozenset()
        return frozenset(name for name, it in chances.items() if it >= self.answered_from)


def load_selector(path: Path) -> Selector:
    """Read the coefficients, which ``packaging/train_selector.py`` writes. Raises ``ModelError``
    where the file is absent, damaged, or made for other features."""
    try:
        loaded = json.loads(path.read_text("utf-8"))
        selector = Selector(
            _logistic(loaded["unit"], UNIT_FEATURES),
            _logistic(loaded["need"], NEED_FEATURES),
            float(loaded["answered_from"]),
            float(loaded["stated_from"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
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

"""A prompt or a question read together with units: what a cross-encoder's log odds say of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.cross_encoder import UnitRun
from phasergun_desktop.planning.features import Column
from phasergun_desktop.planning.selector import Logistic

# How probable it is that a unit belongs into a text: by the selector's log odds and those of the
# cross-encoder. ``packaging/train_cross_encoder.py --fit`` fits and prints this and the next on
# prompts of twelve projects that the cross-encoder did not learn of.
BELONGING = Logistic(-0.574, (0.18, 0.669))
# How probable it is that a need is answered: by the log odds of the selector, of which more than so
# much tells no more, and by the cross-encoder's best that one of its units belongs into the text.
ANSWERED = Logistic(-0.291, (0.316, 0.593))
_MOST_ODDS = 4.0
_LEAST = 1e-6


class PairModel(Protocol):
    """Reads a query and texts together."""

    def answering(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log odds that each of ``texts`` answers ``question``, shape (len(texts),).
        Raises ``ModelError``."""
        ...

    def belonging(self, prompt: str, runs: Sequence[UnitRun]) -> NDArray[np.float64]:
        """Return the log odds that each unit of ``runs`` belongs into what ``prompt`` asks for, in
        their order, shape (units,). Raises ``ModelError``."""
        ...


def pair_text(file: str, context: str, text: str) -> str:
    """Return what the model reads of a unit alone: the name of its file, its context, its text."""
    return " : ".join(part for part in (title_of(file), context, text) if part)


def title_of(file: str) -> str:
    """Return the name of ``file`` in words."""
    return PurePosixPath(file).stem.replace("_", " ").replace("-", " ")


def log_odds(probabilities: Column) -> Column:
    """Return the logarithms of the odds of ``probabilities``, 0..1, at most 13.8 either way."""
    clipped = np.clip(probabilities, _LEAST, 1.0 - _LEAST)
    made: Column = np.log(clipped / (1.0 - clipped))
    return made


def answered_columns(chances: Column, belongs: Column) -> Column:
    """Return what ``ANSWERED`` reads, shape (needs, 2): ``chances`` are the selector's
    probabilities, ``belongs`` the cross-encoder's best log odds."""
    return np.column_stack([np.clip(log_odds(chances), -_MOST_ODDS, _MOST_ODDS), belongs])

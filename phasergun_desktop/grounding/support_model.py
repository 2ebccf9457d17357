"""The trained part of the support check: a few readable coefficients in a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.document_codec import decoded, loads
from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.support_features import FEATURES, FEATURES_VERSION, SupportFeatures

SUPPORT_FILE = "support.json"


@dataclass(frozen=True, slots=True)
class Term:
    """What a feature adds to the log-odds: ``weight`` times (value - ``mean``) / ``scale``.

    ``weight_long`` is the weight for long sources; in between it goes from one to the other.
    """

    feature: str
    mean: float
    scale: float
    weight: float
    weight_long: float

    def of(self, value: float, length: float = 0.0) -> float:
        """Return the contribution of ``value`` for a source of ``length`` (0 short, 1 long)."""
        weight = self.weight + length * (self.weight_long - self.weight)
        return weight * (value - self.mean) / self.scale


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression over named features."""

    intercept: float
    terms: tuple[Term, ...]

    def probability(self, features: SupportFeatures) -> float:
        """Return the probability, 0..1."""
        length = features.length
        return sigmoid(
            self.intercept
            + sum(each.of(float(getattr(features, each.feature)), length) for each in self.terms)
        )


@dataclass(frozen=True, slots=True)
class OddsMix:
    """How a first probability and the language model's log-odds are put together."""

    intercept: float
    first: Term
    odds: Term

    def probability(self, first: float, odds: float) -> float:
        """Return the joint probability, 0..1."""
        return sigmoid(self.intercept + self.first.of(log_odds(first)) + self.odds.of(odds))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability on a claim is supported, and partly."""

    supported: float
    partly: float


@dataclass(frozen=True, slots=True)
class SupportModel:
    """``support``: P(the source states the claim), as likely as not beforehand.
    ``contradiction``: P(it says the opposite), given that it speaks of the matter.
    The two opinions put a language model's odds beside each of these."""

    support: Logistic
    contradiction: Logistic
    second_opinion: OddsMix
    contradiction_opinion: OddsMix
    thresholds: Thresholds

    def verdict(self, probability: float) -> Support:
        """Return what a probability means (contradiction apart)."""
        if probability >= self.thresholds.supported:
            return Support.SUPPORTED
        return Support.PARTLY if probability >= self.thresholds.partly else Support.UNSUPPORTED

    def is_doubtful(self, probability: float) -> bool:
        """Whether a second opinion is worth its seconds: neither clearly carried nor clearly
        not."""
        supported, partly = self.thresholds.supported, self.thresholds.partly
        margin = (1.0 - supported) / 2
        return partly - margin <= probability <= supported + margin


def load_support_model(path: Path) -> SupportModel:
    """Read the coefficients. Raises ``ModelError`` where the file is absent, damaged, or made for
    features of another version."""
    try:
        loaded = loads(path.read_bytes())
        if loaded["features_version"] != FEATURES_VERSION:
            raise ValueError("made for other features")
        model = decoded(loaded, SupportModel)
        if not 0 < model.thresholds.partly <= model.thresholds.supported < 1:
            raise ValueError("thresholds out of order")
        if not model.support.terms or not model.contradiction.terms:
            raise ValueError("no terms")
        terms = (*model.support.terms, *model.contradiction.terms)
        if any(term.feature not in FEATURES for term in terms):
            raise ValueError("unknown feature")
        opinions = (model.second_opinion, model.contradiction_opinion)
        if any(t.scale <= 0 for t in (*terms, *(t for o in opinions for t in (o.first, o.odds)))):
            raise ValueError("scale must be positive")
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(
            "Support check damaged",
            f"The file {path.name} with the figures of the support check cannot be used.",
            "Install PhaserGun again, or run its set-up once more.",
        ) from error
    return model


def sigmoid(odds: float) -> float:
    """Return the probability of log-odds, without overflow."""
    if odds >= 0:
        return 1.0 / (1.0 + math.exp(-odds))
    grown = math.exp(odds)
    return grown / (1.0 + grown)


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, kept away from the infinite."""
    kept = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(kept / (1.0 - kept))

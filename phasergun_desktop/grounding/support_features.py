"""What is measured of a claim beside a source; nothing here is trained."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.grounding.direction import Direction, direction_of
from phasergun_desktop.grounding.rarity import WordRarity
from phasergun_desktop.grounding.token_reading import ReadText
from phasergun_desktop.text.values import extract_values, missing_values
from phasergun_desktop.text.words import content_words

# To be raised with every change of what a feature means: coefficients are bound to it.
FEATURES_VERSION = 2
# The part of a claim's word pieces that is "hardest": those with the worst matches.
_HARDEST = 4
# What a mark or a stop word weighs beside the rarest word.
_COMMON = 0.02
_WORD = re.compile(r"[^\W_]+(?:[-/.'’][^\W_]+)*")
_NEAREST = 3
# The longer a source, the more of a claim it has by chance; beyond this no more is learnt.
_LONG = 12
_SHORTEST, _LONGEST = math.log1p(1), math.log1p(_LONG)


@dataclass(frozen=True, slots=True)
class SupportFeatures:
    """A claim beside its source. Shares and similarities are 0..1 (cosines -1..1), flags 0 or 1.

    "Late" is the mean, over the claim's word pieces, of the best match among the source's;
    "hardest" that of the worst quarter of them in the nearest sentence: without it the values of
    cells, read alone, seem less likely to stand in their rows (of 733 from 0.64 to 0.52).
    Features that begin with ``less_`` speak against support, the others for it.
    """

    coverage: float
    cosine_near: float
    late: float
    hardest: float
    late_reversed: float
    order_best: float
    direction_near: float
    turns_alike: float
    less_values_missing: float
    less_sentences: float
    less_direction_opposed: float
    less_sameness_claimed: float
    less_denial_claimed: float

    @property
    def length(self) -> float:
        """How long the source is: 0 for one sentence, 1 for twelve and more."""
        return float((self.less_sentences - _SHORTEST) / (_LONGEST - _SHORTEST))

    def vector(self) -> NDArray[np.float64]:
        """Return the features in their order, shape (13,)."""
        return np.array([getattr(self, name) for name in FEATURES])


FEATURES: tuple[str, ...] = tuple(each.name for each in fields(SupportFeatures))


def support_features(
    claim: ReadText, source: ReadText, rarity: WordRarity, given: ReadText | None = None
) -> SupportFeatures | None:
    """Return the features; None where claim or source has no words.

    ``given`` is text that needs no source (the device's name): its words count as stated.
    """
    words = content_words(claim.text)
    if not len(claim.vectors) or not len(source.vectors) or not words:
        return None
    by_sentence, reversed_late = _matches(claim, source, given)
    by_weight = by_sentence @ _piece_weights(claim, rarity)
    nearest = [int(at) for at in np.argsort(-by_weight, kind="stable")[:_NEAREST]]
    cosines = _cosines(claim, source)
    best = source.sentences[nearest[0]]
    directions = [direction_of(source.sentences[at]) for at in nearest]
    near = Direction(*map(sum, zip(*directions, strict=True)))
    here, there = direction_of(claim.text), direction_of(best)
    stated_words = [content_words(sentence) for sentence in source.sentences]
    granted = set(content_words(given.text)) if given is not None else set()
    asked = list(dict.fromkeys(word for word in words if word not in granted)) or words
    told = granted.union(*stated_words)
    values = extract_values(claim.text)
    stated = source.text if given is None else f"{source.text}\n{given.text}"
    missing = missing_values(claim.text, stated) if values else []
    return SupportFeatures(
        coverage=rarity.of_all([w for w in asked if w in told]) / (rarity.of_all(asked) or 1.0),
        cosine_near=float(cosines[-_NEAREST:].mean()),
        late=float(by_sentence.max(axis=0).mean()),
        hardest=_hardest(by_sentence[nearest[0]]),
        late_reversed=reversed_late,
        order_best=max(_common_order(words, each) for each in stated_words) / len(words),
        direction_near=float(here.sign * near.sign),
        turns_alike=float(here.turns * there.turns),
        less_values_missing=len(missing) / max(1, len(values)),
        less_sentences=float(np.log1p(min(len(source.sentences), _LONG))),
        less_direction_opposed=float(here.opposes(there)),
        less_sameness_claimed=float(here.same > 0 and there.same == 0),
        less_denial_claimed=float(here.denied > 0 and near.denied == 0),
    )


def nearest_sentence(claim: ReadText, source: ReadText, rarity: WordRarity) -> int | None:
    """Return which sentence of ``source`` has the best late interaction, rare words of the claim
    weighing more; None without words."""
    if not len(claim.vectors) or not len(source.vectors):
        return None
    matches, _ = _matches(claim, source, None)
    return int((matches @ _piece_weights(claim, rarity)).argmax())


def _matches(
    claim: ReadText, source: ReadText, given: ReadText | None
) -> tuple[NDArray[np.float32], float]:
    """Return the best match of every piece of the claim in every sentence, shape (sentences,
    pieces), and the mean best match of the source's pieces in the claim."""
    similar = claim.vectors @ source.vectors.T
    matches = np.full((len(source.sentences), len(similar)), -1.0, dtype=np.float32)
    np.maximum.at(matches, source.sentence_of, similar.T)
    if given is not None and len(given.vectors):
        matches = np.maximum(matches, (claim.vectors @ given.vectors.T).max(axis=1))
    return matches, float(similar.max(axis=0).mean())


def _piece_weights(claim: ReadText, rarity: WordRarity) -> NDArray[np.float64]:
    """Return how much the word of every piece matters, shape (pieces,), sum 1."""
    weights = np.full(len(claim.starts), _COMMON)
    for match in _WORD.finditer(claim.text):
        stems = content_words(match.group())
        if stems:
            inside = (claim.starts >= match.start()) & (claim.starts < match.end())
            weights[inside] = max(rarity.of(stem) for stem in stems)
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _cosines(claim: ReadText, source: ReadText) -> NDArray[np.float32]:
    """Return the cosines of the claim and every sentence, ascending."""
    found: NDArray[np.float32] = np.sort(source.sentence_vectors() @ claim.mean())
    return found


def _hardest(matches: NDArray[np.float32]) -> float:
    """Return the mean of the worst quarter of ``matches``."""
    count = max(1, len(matches) // _HARDEST)
    return float(np.partition(matches, count - 1)[:count].mean())


def _common_order(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    shared = set(left) & set(right)
    left = [word for word in left if word in shared]
    right = [word for word in right if word in shared]
    row = [0] * (len(right) + 1)
    for word in left:
        diagonal = 0
        for at, other in enumerate(right, start=1):
            kept = row[at]
            row[at] = diagonal + 1 if word == other else max(row[at], row[at - 1])
            diagonal = kept
    return row[-1]

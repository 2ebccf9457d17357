"""How far a source carries a claim, as a calibrated probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.grounding.foreign_words import foreign_words
from phasergun_desktop.grounding.rarity import WordRarity, load_rarity
from phasergun_desktop.grounding.support_features import (
    SupportFeatures,
    nearest_sentence,
    support_features,
)
from phasergun_desktop.grounding.support_model import SUPPORT_FILE, SupportModel, load_support_model
from phasergun_desktop.grounding.token_reading import ReadText, TokenReader, joined


@dataclass(frozen=True, slots=True)
class SupportFigures:
    """The trained coefficients and the rarity of words, loaded once for the whole product."""

    model: SupportModel
    rarity: WordRarity


@cache
def load_support_figures(models: Path) -> SupportFigures:
    """Read both from the folder ``models`` of the resources, once. Raises ``ModelError``."""
    return SupportFigures(
        load_support_model(models / SUPPORT_FILE), load_rarity(models / "tokenizer.json")
    )


@dataclass(frozen=True, slots=True)
class SupportCheck:
    """``probability`` that the source states the claim; ``contradiction``: that it says the
    opposite if it speaks of the matter. Both 0..1."""

    probability: float
    contradiction: float


# The share of the claim's words that stand in one sentence in the claim's order.
_NEARLY_COPIED = 0.9
_NOTHING = SupportCheck(0.0, 0.0)


class SupportChecker:
    """Checks claims against sources; what was read is kept. Not safe between threads."""

    def __init__(self, embedder: Embedder, figures: SupportFigures) -> None:
        self._reader = TokenReader(embedder)
        self._figures = figures

    @property
    def model(self) -> SupportModel:
        """The coefficients and thresholds."""
        return self._figures.model

    def read(self, text: str) -> ReadText:
        """Return ``text`` as its model reads it (kept for the next time)."""
        return self._reader.read(text)

    def features(
        self, claim: str, sources: tuple[str, ...], given: str = ""
    ) -> SupportFeatures | None:
        """Return what is measured; None where claim or sources have no words.

        Several ``sources`` are taken together. ``given`` needs no source.
        """
        if not sources:
            return None
        source = self._together(sources)
        return support_features(self.read(claim), source, self._figures.rarity, self._given(given))

    def foreign(self, claim: str, sources: tuple[str, ...], given: str = "") -> tuple[str, ...]:
        """Return the words of ``claim`` that nothing in ``sources`` or ``given`` stands for."""
        known = (*sources, given) if given else sources
        return foreign_words(self.read(claim), self._together(known))

    def check(self, claim: str, sources: tuple[str, ...], given: str = "") -> SupportCheck:
        """Return how far ``sources``, together, carry ``claim``; zeros where there are no words."""
        measured = self.features(claim, sources, given)
        if measured is None:
            return _NOTHING
        model = self._figures.model
        probability = model.support.probability(measured)
        if measured.order_best >= _NEARLY_COPIED:
            # What else a long source says takes nothing away from a sentence that is in it.
            alone = self._alone(claim, sources, given)
            if alone is not None:
                probability = max(probability, model.support.probability(alone))
        return SupportCheck(probability, model.contradiction.probability(measured))

    def _alone(self, claim: str, sources: tuple[str, ...], given: str) -> SupportFeatures | None:
        """Return the features beside the nearest sentence, read by itself: the same words among
        others have other vectors."""
        source = self._together(sources)
        at = nearest_sentence(self.read(claim), source, self._figures.rarity)
        return None if at is None else self.features(claim, (source.sentences[at],), given)

    def _together(self, sources: tuple[str, ...]) -> ReadText:
        return joined([self.read(source) for source in sources])

    def _given(self, given: str) -> ReadText | None:
        return self.read(given) if given else None

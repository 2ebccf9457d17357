"""The words that turn what a text says: two texts are alike only if theirs are."""

from __future__ import annotations

from phasergun_desktop.grounding.alignment import pieces_of
from phasergun_desktop.grounding.opposites import NEGATORS, RESTRICTIONS

_TURNING = NEGATORS | RESTRICTIONS | {"only", "unless", "except"}


def turning_words(text: str) -> frozenset[str]:
    """Return the words of ``text`` that deny or restrict it, folded."""
    return frozenset(piece.folded for piece in pieces_of(text)) & _TURNING

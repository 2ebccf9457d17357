"""Conditions of a copied sentence ("only if", "unless", "until") that a copy leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from phasergun_desktop.grounding.alignment import Change, pieces_of
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import word_set

_CONDITIONS = word_set("only unless except until if")
# A sentence with one of these may say the condition in its own way.
_SAYS_CONDITION = _CONDITIONS | frozenset(listed("checks", "says_condition"))
_CONDITION_WITHIN = 3


def dropped_conditions(sentence: str, changes: Sequence[Change]) -> Iterator[SentenceProblem]:
    """Yield a mark (at most one) if ``changes`` leave a condition of the copied sentence out and
    ``sentence`` says none in its own way."""
    if any(piece.folded in _SAYS_CONDITION for piece in pieces_of(sentence)):
        return
    for change in changes:
        words = [piece.folded for piece in change.there]
        if not change.here and (condition := _condition_of(words)):
            yield SentenceProblem(
                ProblemCode.MODALITY, condition, "The source says this only under a condition."
            )
            return


def _condition_of(words: Sequence[str]) -> str:
    """Return the word with which a dropped piece makes a condition; "" for none."""
    if words[:1] in (["and"], ["or"]):
        return ""  # Another statement, with a condition of its own.
    for before, word in pairwise(["", *words[:_CONDITION_WITHIN]]):
        # "Not only", "even if" and "such that if" leave the rest as it is.
        if word in _CONDITIONS and before not in ("not", "even", "including", "that"):
            return word
    return ""

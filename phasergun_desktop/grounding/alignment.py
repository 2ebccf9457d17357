"""A sentence laid beside the sentence of its source that it copies: what was put for what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from phasergun_desktop.grounding.opposites import NEGATORS, TURNING
from phasergun_desktop.text.quantities import ONES
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.text.words import STOP_WORDS, even, stem

# "No." is the word for a number here; it denies nothing.
_PIECE = re.compile(
    r"\b[Nn]os?\.(?=\s|$)|\d+(?:,\d{3})*(?:\.\d+)*(?![^\W_])|[^\W_]+(?:[-'][^\W_]+)*|[≤≥<>±%°−]"
)
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(ONES[:13])}
_CLAUSE = re.compile(r";|\n|(?<=\w): ")
_COPIED = 0.6


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, number or sign. ``folded`` is in lower case, ``key`` is what is compared;
    ``start`` is its place in the even text."""

    text: str
    folded: str
    key: str
    start: int

    @property
    def has_digits(self) -> bool:
        """Whether it is a number or a name with one: 12, "two", GT2-100."""
        return any(c.isdigit() for c in self.key)


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces of the sentence (``here``) that stand in the place of the source's (``there``);
    either may be empty."""

    here: tuple[Piece, ...]
    there: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A sentence of the source that is copied: what was changed of it, and the pieces (of the
    sentence, of the source) that are equal in it."""

    clause: Clause
    changes: tuple[Change, ...]
    kept: tuple[tuple[Piece, Piece], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of the source with its pieces and the stems of its content words."""

    text: str
    pieces: tuple[Piece, ...]
    stems: frozenset[str]


@lru_cache(maxsize=2048)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the words, numbers and signs of ``text`` in order."""
    found = []
    for match in _PIECE.finditer(even(text)):
        word = match.group()
        folded = word.lower()
        key = folded.replace(",", "") if folded[0].isdigit() else _NUMBER_WORDS.get(folded, "")
        found.append(Piece(word, folded, key or stem(folded), match.start()))
    return tuple(found)


@lru_cache(maxsize=512)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the sentences of ``text``; those of several parts ("a; b") give the parts too."""
    found: list[Clause] = []
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        parts = [part for part in _CLAUSE.split(sentence) if part.strip()]
        for part in [sentence, *parts] if len(parts) > 1 else [sentence]:
            pieces = pieces_of(part)
            found.append(Clause(part, pieces, stems_of(pieces)))
    return tuple(found)


def stems_of(pieces: tuple[Piece, ...]) -> frozenset[str]:
    """Return the keys of the pieces that carry meaning; denials are not among them."""
    return frozenset(
        piece.key
        for piece in pieces
        if piece.folded not in STOP_WORDS and piece.folded not in NEGATORS
    )


def turning_words(text: str) -> frozenset[str]:
    """Return the words of ``text`` that deny or restrict it, folded: two texts are alike only if
    theirs are."""
    return frozenset(piece.folded for piece in pieces_of(text)) & TURNING


def copied_sentence(sentence: str, source: str) -> Copy | None:
    """Return the sentence of ``source`` that ``sentence`` copies, and what it changes of it.

    None where it copies none: less than 60 % of its words stand there in that order.
    """
    mine = pieces_of(sentence)
    wanted = stems_of(mine)
    ranked = sorted(clauses_of(source), key=lambda clause: -len(wanted & clause.stems))
    best: Copy | None = None
    reached = (_COPIED, -len(mine))
    for clause in ranked[:3]:
        copy = _compared(mine, clause)
        rank = len(copy.kept) / max(1, len(mine)), -len(copy.changes)
        if rank > reached:
            best, reached = copy, rank
    return best


def _compared(mine: tuple[Piece, ...], clause: Clause) -> Copy:
    theirs = clause.pieces
    matcher = SequenceMatcher(
        None, [piece.key for piece in mine], [piece.key for piece in theirs], autojunk=False
    )
    found: list[Change] = []
    kept: list[tuple[Piece, Piece]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            kept.extend(zip(mine[i1:i2], theirs[j1:j2], strict=True))
        else:
            found.append(Change(mine[i1:i2], theirs[j1:j2]))
    return Copy(clause, tuple(found), tuple(kept))

"""Where a sentence says something else than its source: denial, obligation, direction, amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from phasergun_desktop.grounding.alignment import (
    Change,
    Copy,
    Piece,
    clauses_of,
    copied_sentence,
    pieces_of,
    stems_of,
    turning_words,
)
from phasergun_desktop.grounding.dropped_conditions import dropped_conditions
from phasergun_desktop.grounding.modality import (
    differ_in_force,
    modality_problem,
    modality_problems,
)
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.grounding.opposites import (
    NEGATORS,
    OPPOSITES,
    are_opposites,
    denied,
)
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.quantities import bound_agrees
from phasergun_desktop.text.values import Value, ValueKind, extract_values
from phasergun_desktop.text.words import STOP_WORDS, even

_MAX_SLOT = 3
_SAME_SUBJECT = 0.6
_SHADOW = 6
_COMPARED = frozenset(listed("checks", "comparatives"))
_SIGNS = frozenset("≤≥<>±−")

_NONE: frozenset[str] = frozenset()


class _Kinship(Enum):
    """How a word of the source stands to one of the sentence."""

    SAME = auto()
    OPPOSITE = auto()


@dataclass(frozen=True, slots=True)
class _Stance:
    """A content word and whether it is denied; None where no rule can tell. ``denies`` is the
    stem of what its prefix denies, ``opposites`` are words that exclude it."""

    word: str
    stem: str
    denies: str
    opposites: frozenset[str]
    is_denied: bool | None


def meaning_problems(sentence: str, source: str) -> list[SentenceProblem]:
    """Return marks where ``sentence`` denies, obliges or states otherwise than ``source``.

    ``source`` is the text of the bound spans, joined by newlines. Codes: CONTRADICTED where the
    source plainly says the opposite (another number or opposite word in the same place, a denial
    that turns a statement round), NEGATION where the sentence denies what its source does not
    deny, MODALITY where "shall" and "may" differ. At most one mark a code and value.
    """
    problems = list(_of_the_copy(sentence, source))
    problems.extend(_turned_round(sentence, source))
    if not problems and _denies_more(sentence, source):
        problems.append(
            SentenceProblem(
                ProblemCode.NEGATION, "not", "The sentence denies what its source does not deny."
            )
        )
    problems.extend(modality_problems(sentence, source))
    return list({(problem.code, problem.message): problem for problem in problems}.values())


def _of_the_copy(sentence: str, source: str) -> Iterator[SentenceProblem]:
    """Yield what the sentence changes of the one that it copies."""
    copy = copied_sentence(sentence, source)
    if copy is None:
        return
    copied, changed = copy.clause, copy.changes
    yield from _other_measures(sentence, copy)
    turned = any(_changes_denial(change) for change in changed) and (
        _denials(pieces_of(sentence)) != _denials(copied.pieces)
    )
    if _denials(pieces_of(sentence)) <= _denials(copied.pieces):
        yield from dropped_conditions(sentence, changed)
    opposed = False
    for change in changed:
        opposite = _opposite_in(change)
        if opposite is not None:
            opposed = True
            # "Not closed" for "open", "untrained may not" for "only trained may": two turns are
            # none. ("Failed" for "passed" denies by itself and is not counted.)
            mine = [piece for piece in pieces_of(sentence) if piece is not opposite[0]]
            theirs = [piece for piece in copied.pieces if piece is not opposite[1]]
            if _denials(mine) == _denials(theirs):
                yield _contradicted(opposite[0].text, opposite[1].text)
        yield from _judged(change)
    if turned and not opposed:
        yield _turned("not")


def _other_measures(sentence: str, copy: Copy) -> Iterator[SentenceProblem]:
    """Yield numbers that were kept while their unit, sign or bound ("at least") was changed."""
    mine = [v for v in extract_values(sentence) if v.kind is ValueKind.NUMBER]
    theirs = [v for v in extract_values(copy.clause.text) if v.kind is ValueKind.NUMBER]
    written, stated = even(sentence), even(copy.clause.text)
    for here, there in copy.kept:
        if not here.has_digits:
            continue
        left, right = _value_at(mine, here), _value_at(theirs, there)
        if left is None or right is None:
            continue
        other_unit = left.unit and right.unit and (left.unit, left.key) != (right.unit, right.key)
        other_sign = left.raw.startswith("-") != right.raw.startswith("-")
        if other_unit or other_sign or not bound_agrees(left, right, written, stated):
            yield _contradicted(left.text, right.text)


def _value_at(values: Sequence[Value], piece: Piece) -> Value | None:
    return next((v for v in values if v.start <= piece.start < v.end and piece.key in v.raw), None)


def _judged(change: Change) -> Iterator[SentenceProblem]:
    """Yield what is wrong with pieces that stand in the place of others."""
    here, there = change.here, change.there
    if len(here) > _MAX_SLOT or len(here) != len(there):
        return
    for mine, theirs in zip(here, there, strict=True):
        if mine.key == theirs.key:
            continue
        if (mine.has_digits and theirs.has_digits) or {mine.folded, theirs.folded} <= _SIGNS:
            yield _contradicted(mine.text, theirs.text)
        elif differ_in_force(mine.folded, theirs.folded):
            yield modality_problem(mine.text, theirs.text)


def _opposite_in(change: Change) -> tuple[Piece, Piece] | None:
    """Return words that exclude each other in the same place, if there are."""
    if len(change.here) > _MAX_SLOT or len(change.there) > _MAX_SLOT:
        return None
    return next(
        (
            (mine, theirs)
            for mine in change.here
            for theirs in change.there
            if are_opposites(mine.folded, theirs.folded)
        ),
        None,
    )


def _changes_denial(change: Change) -> bool:
    """Whether a denial alone was put in or left out; words beside it may say the same in another
    way ("not open" for "closed")."""
    return bool(change.here) != bool(change.there) and all(
        piece.folded in NEGATORS for piece in (*change.here, *change.there)
    )


def _turned_round(sentence: str, source: str) -> Iterator[SentenceProblem]:
    """Yield words that the sentence affirms and the source denies of the same thing, or the
    reverse; "closed" denies "open"."""
    mine = pieces_of(sentence)
    stems = stems_of(mine)
    denies = _denies(mine)
    stated = [
        (clause, stance) for clause in clauses_of(source) for stance in _stances(clause.pieces)
    ]
    for stance in _stances(mine):
        if stance.is_denied is None:
            continue
        best: tuple[float, bool, str] | None = None
        for clause, other in stated:
            kinship = _kinship(stance, other)
            if kinship is None:
                continue
            # A denial that stands further off may make up for an opposite.
            if (
                kinship is _Kinship.OPPOSITE
                and not stance.is_denied
                and not other.is_denied
                and _denies(clause.pieces) != denies
            ):
                continue
            about = stems - {stance.stem, other.stem, stance.denies, other.denies}
            share = len(about & clause.stems) / len(about) if about else 0.0
            agrees = other.is_denied is None or (
                (other.is_denied == stance.is_denied) == (kinship is _Kinship.SAME)
            )
            if best is None or (share, agrees) > best[:2]:
                best = share, agrees, other.word if kinship is _Kinship.OPPOSITE else stance.word
        if best is not None and not best[1] and best[0] >= _SAME_SUBJECT:
            if best[2] == stance.word:
                yield _turned(stance.word)
            else:
                yield _contradicted(stance.word, best[2])


def _kinship(stance: _Stance, other: _Stance) -> _Kinship | None:
    if other.stem == stance.stem:
        return _Kinship.SAME
    if other.denies == stance.stem or stance.denies == other.stem:
        return _Kinship.OPPOSITE
    if other.word in stance.opposites:
        return _Kinship.OPPOSITE
    return None


def _stances(pieces: Sequence[Piece]) -> list[_Stance]:
    """Return the content words with whether they are denied.

    The first one after a denial is. Of those behind it in the same clause nobody can tell by
    rule: None. ("Not for use in neonates": the use is denied, and so are the neonates.)
    """
    stances: list[_Stance] = []
    denies = False
    shadow = 0
    for index, piece in enumerate(pieces):
        word = piece.folded
        if _is_denial(pieces, index):
            denies = not denies
            continue
        if word in STOP_WORDS or not word[0].isalpha():
            continue
        opposites = OPPOSITES.get(word, _NONE)
        stances.append(
            _Stance(
                word,
                piece.key,
                denied(word),
                opposites,
                True if denies else None if shadow else False,
            )
        )
        shadow = _SHADOW if denies else max(0, shadow - 1)
        denies = False
    return stances


def _denies(pieces: Sequence[Piece]) -> bool:
    return _denials(pieces) > 0


def _denials(pieces: Sequence[Piece]) -> int:
    """Return how many denials there are; two one after the other affirm."""
    found = [_is_denial(pieces, index) for index in range(len(pieces))]
    doubled = sum(left and right for left, right in pairwise(found))
    return sum(found) - 2 * doubled


def _is_denial(pieces: Sequence[Piece], index: int) -> bool:
    """Whether the piece denies what follows. "Minor change: No" and "No. 3" deny nothing of it,
    "not more than" bounds it, and "neither … nor" denies once."""
    piece = pieces[index]
    after = pieces[index + 1] if index + 1 < len(pieces) else None
    behind = [each.folded for each in pieces[index + 1 : index + 3]]
    if piece.folded in ("no", "not") and behind[1:] == ["than"] and behind[0] in _COMPARED:
        return False
    if piece.folded == "not" and behind[:1] == ["only"]:
        return False
    if piece.folded == "nor" and any(other.folded in NEGATORS for other in pieces[:index]):
        return False
    if piece.folded != "no":
        return piece.folded in NEGATORS
    return after is not None and after.text[0].islower()


def _denies_more(sentence: str, source: str) -> bool:
    """Whether the sentence denies and its source neither denies nor restricts nor states the
    opposite of what is denied."""
    mine = pieces_of(sentence)
    if not _denies(mine) or turning_words(source):
        return False
    stated = {piece.folded for piece in pieces_of(source)}
    denied_there = set(map(denied, stated))
    return not any(
        stance.opposites & stated or stance.stem in denied_there
        for stance in _stances(mine)
        if stance.is_denied is not False
    )


def _contradicted(here: str, there: str) -> SentenceProblem:
    message = f"The sentence says “{here}” where its source says “{there}”."
    return SentenceProblem(ProblemCode.CONTRADICTED, here, message)


def _turned(word: str) -> SentenceProblem:
    message = "One of the sentence and its source denies what the other states."
    return SentenceProblem(ProblemCode.CONTRADICTED, word, message)

"""Where a sentence that copies its source says something else: amount, opposite, denial, duty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from phasergun_desktop.grounding.alignment import Change, Copy, Piece, copied_sentence, pieces_of
from phasergun_desktop.grounding.dropped_conditions import dropped_conditions
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.grounding.opposites import NEGATORS, are_opposites
from phasergun_desktop.text.lexicon import listed, paired
from phasergun_desktop.text.quantities import bound_agrees
from phasergun_desktop.text.values import Value, ValueKind, extract_values
from phasergun_desktop.text.words import STOP_WORDS, even

_MAX_SLOT = 3
_COMPARED = frozenset(listed("checks", "comparatives"))
_MODALS: dict[str, str] = paired("checks", "modals")
# What was done is not what shall be.
_DONE = frozenset({"was", "were", "been"})
_NEXT_CLAUSE = frozenset({"and", "or", "but", "which", "those"})
_SIGNS = frozenset("≤≥<>±−")
_TURNED = SentenceProblem(
    ProblemCode.CONTRADICTED,
    "not",
    "One of the sentence and its source denies what the other states.",
)


def meaning_problems(sentence: str, source: str) -> list[SentenceProblem]:
    """Return marks where ``sentence`` copies one of ``source`` and changes what it says.

    ``source`` is the text of the bound spans, joined by newlines. Codes: CONTRADICTED for another
    amount, unit, sign or bound, an opposite word or a denial, MODALITY for a verb that obliges more
    or less and for a condition that is gone. At most one mark a code and message. What is said in
    other words is no copy: that a cross-encoder reads (rules for it marked as many faithful claims
    as others).
    """
    copy = copied_sentence(sentence, source)
    problems = _of_the_copy(sentence, copy) if copy is not None else ()
    return list({(problem.code, problem.message): problem for problem in problems}.values())


def _of_the_copy(sentence: str, copy: Copy) -> Iterator[SentenceProblem]:
    """Yield what the sentence changes of the one that it copies."""
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
        yield _TURNED


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
    forces = [any(piece.folded in _MODALS for piece in side) for side in (here, there)]
    is_done = any(piece.folded in _DONE for side in (here, there) for piece in side)
    if here and there and forces[0] != forces[1] and is_done:
        texts = (" ".join(piece.text for piece in side) for side in (here, there))
        yield _modality(*texts)
    if len(here) > _MAX_SLOT or len(here) != len(there):
        return
    for mine, theirs in zip(here, there, strict=True):
        if mine.key == theirs.key:
            continue
        if (mine.has_digits and theirs.has_digits) or {mine.folded, theirs.folded} <= _SIGNS:
            yield _contradicted(mine.text, theirs.text)
        elif _differ_in_force(mine.folded, theirs.folded):
            yield _modality(mine.text, theirs.text)


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
    """Whether a denial, with nothing beside it but words of grammar ("does not", "an" for "no"),
    was put in, left out or put in the place of none. Other words may say the same in another way
    ("not open" for "closed"), and with "and those …" something else begins."""
    here, there = ({piece.folded for piece in each} for each in (change.here, change.there))
    words = here | there
    is_on_one_side = NEGATORS.isdisjoint(here) != NEGATORS.isdisjoint(there)
    is_grammar = words <= NEGATORS | STOP_WORDS
    return is_on_one_side and is_grammar and _NEXT_CLAUSE.isdisjoint(words)


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


def _differ_in_force(here: str, there: str) -> bool:
    """Whether two folded words oblige, recommend or permit to different degrees."""
    mine, theirs = _MODALS.get(here), _MODALS.get(there)
    return mine is not None and theirs is not None and mine != theirs


def _contradicted(here: str, there: str) -> SentenceProblem:
    return SentenceProblem(ProblemCode.CONTRADICTED, here, _says(here, there))


def _modality(here: str, there: str) -> SentenceProblem:
    return SentenceProblem(ProblemCode.MODALITY, here, _says(here, there))


def _says(here: str, there: str) -> str:
    return f"The sentence says “{here}” where its source says “{there}”."

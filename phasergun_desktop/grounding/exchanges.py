"""Two things of a source that changed places: whose value, name or deed it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from phasergun_desktop.grounding.alignment import Piece, pieces_of
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.text.names import strong_names
from phasergun_desktop.text.values import ValueKind, extract_values
from phasergun_desktop.text.words import STOP_WORDS

# Words for the one and the other side of a comparison.
_SIDES: Mapping[str, str] = {
    **dict.fromkeys(("our", "ours", "we", "subject", "proposed"), "<own>"),
    **dict.fromkeys(("their", "theirs", "they", "predicate", "competitor"), "<other>"),
}
# A word further off than so many others belongs to neither.
_NEAR = 6


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a word stands among the content words of its text, how it is written, and whether it
    is a number, a date, a name or a side."""

    at: int
    text: str
    is_anchor: bool


def exchanged(sentence: str, source: str) -> Iterator[SentenceProblem]:
    """Yield a mark (at most one) where two numbers, names or sides of a comparison stand in both
    texts, each beside what the source says of the other one.

    A word belongs to the one of two that stands nearer to it. Turning a sentence round moves the
    words of one of them at most; an exchange moves words of both.
    """
    mine, theirs = _places(sentence), _places(source)
    shared = [key for key in mine if key in theirs]
    anchors = [key for key in shared if mine[key].is_anchor and theirs[key].is_anchor]
    others = [key for key in shared if key not in anchors]
    for left, right in combinations(anchors, 2):
        moved: Counter[int] = Counter()
        stayed = 0
        for word in others:
            here = _side(mine, left, right, word)
            there = _side(theirs, left, right, word)
            if here and there:
                moved[there] += here != there
                stayed += here == there
        if moved[1] and moved[-1] and sum(moved.values()) > stayed:
            texts = [mine[key].text for key in (left, right)]
            named = " and ".join(f"“{text}”" for text in texts)
            message = f"The source says of {named} what this says of the other one."
            yield SentenceProblem(ProblemCode.CONTRADICTED, texts[0], message)
            return


def _side(places: Mapping[str, _Place], left: str, right: str, word: str) -> int:
    """Return 1 where ``word`` stands nearer to ``left``, -1 to ``right``, 0 near neither."""
    here, there = (abs(places[key].at - places[word].at) for key in (left, right))
    if min(here, there) > _NEAR:
        return 0
    return (here < there) - (there < here)


def _places(text: str) -> dict[str, _Place]:
    """Return the words that stand once in ``text``, by what they are compared as."""
    dates = [value for value in extract_values(text) if value.kind is ValueKind.DATE]
    found: list[tuple[str, str, bool]] = []
    for piece in pieces_of(text):
        date = next((each for each in dates if each.start <= piece.start < each.end), None)
        if date is not None:  # A day and its year are one thing, and written in many orders.
            if date.start == piece.start:
                found.append((f"<{date.key}>", date.text, True))
            continue
        key = _SIDES.get(piece.folded) or ("" if piece.folded in STOP_WORDS else piece.key)
        if key:
            found.append((key, piece.text, _is_anchor(piece)))
    counts = Counter(key for key, _, _ in found)
    return {
        key: _Place(at, text, is_anchor)
        for at, (key, text, is_anchor) in enumerate(found)
        if counts[key] == 1
    }


def _is_anchor(piece: Piece) -> bool:
    return piece.has_digits or piece.folded in _SIDES or bool(strong_names(piece.text))

"""Text that goes round in circles: inside a sentence, and between sentences and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.text.words import content_words, fold

# Small models loop over a few words or run on without end. Five words in a row stand three
# times in no sentence that a person wrote; the longest sentences of regulations have about 150.
_RUN, _TIMES = 5, 3
_SHORT_RUN, _SHORT_TIMES = 2, 5
_ENDLESS_WORDS = 160


def loops(text: str) -> bool:
    """Whether ``text``, a sentence or its beginning, repeats itself or does not end."""
    words = fold(text).split()
    if len(words) > _ENDLESS_WORDS:
        return True
    return _most_frequent(words, _RUN) >= _TIMES or _repeats_in_a_row(words)


def is_same_request(left: str, right: str) -> bool:
    """Whether two requests ask for the same: their content words are equal."""
    words = set(content_words(left))
    return bool(words) and words == set(content_words(right))


def is_asked_before(point: PlannedPoint, earlier: Sequence[PlannedPoint]) -> bool:
    """Whether an earlier point asks for the same of the same sources."""
    return point.kind is not PointKind.COMPARE and any(
        is_same_request(point.instruction, other.instruction)
        and (point.scope, point.passages, point.pairs, point.value)
        == (other.scope, other.passages, other.pairs, other.value)
        for other in earlier
    )


def _most_frequent(words: Sequence[str], length: int) -> int:
    runs = Counter(tuple(words[at : at + length]) for at in range(len(words) - length + 1))
    return max(runs.values(), default=0)


def _repeats_in_a_row(words: Sequence[str]) -> bool:
    """Whether one or two words come again at once, five times ("and and and …")."""
    for length in range(1, _SHORT_RUN + 1):
        count = 1
        for at in range(length, len(words) - length + 1, length):
            same = words[at : at + length] == words[at - length : at]
            count = count + 1 if same else 1
            if count >= _SHORT_TIMES:
                return True
    return False

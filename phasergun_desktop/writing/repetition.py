"""Text that goes round in circles, as small models write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from phasergun_desktop.text.words import fold

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

"""What a draft says already, so that nothing stands in it twice."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.grounding.alignment import turning_words
from phasergun_desktop.text.sentences import without_list_mark
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.text.words import content_words


@dataclass(frozen=True, slots=True)
class _Statement:
    """Stems, keys of values, and the words that deny or restrict."""

    words: frozenset[str]
    values: frozenset[str]
    turning: frozenset[str]


class Said:
    """The statements of one draft."""

    def __init__(self) -> None:
        self._statements: list[_Statement] = []

    def add(self, text: str, beside: str = "") -> None:
        """Note ``text``; ``beside`` is what it says with its surroundings (a row's headers)."""
        whole = f"{text} {beside}"
        self._statements.append(_Statement(*_told(whole), turning_words(text)))

    def has(self, sentence: str) -> bool:
        """Whether this is said: no word and no value more, and denied or restricted alike. The
        number of an item does not tell it apart."""
        sentence = without_list_mark(sentence)
        words, values = _told(sentence)
        turning = turning_words(sentence)
        return bool(words) and any(
            values <= said.values
            # "It is not indicated for …" repeats no sentence that says what it is for.
            and turning == said.turning
            and words <= said.words
            for said in self._statements
        )


def _told(text: str) -> tuple[frozenset[str], frozenset[str]]:
    values = frozenset(value.key for value in extract_values(text))
    return frozenset(content_words(text)), values

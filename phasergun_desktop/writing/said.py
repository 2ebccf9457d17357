"""What a draft says already, so that nothing stands in it twice."""

from __future__ import annotations

from dataclasses import dataclass, replace

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

    def says(self, other: _Statement) -> bool:
        """Whether ``other`` has no word and no value more, and is denied or restricted alike: "It
        is not indicated for …" repeats no sentence that says what it is for."""
        return (
            other.values <= self.values
            and other.turning == self.turning
            and other.words <= self.words
        )


class Said:
    """The statements of one draft: by their own words, and with what stands beside them."""

    def __init__(self) -> None:
        self._own: list[_Statement] = []
        self._whole: list[_Statement] = []

    def add(self, text: str, beside: str = "") -> None:
        """Note ``text``; ``beside`` is what it says with its surroundings (a row's headers)."""
        whole = _told(f"{text} {beside}")
        self._whole.append(whole)
        self._own.append(replace(_told(text), values=whole.values))

    def has(self, sentence: str, *, is_row: bool = False) -> bool:
        """Whether this is said. The number of an item does not tell it apart. Only a row has its
        headers in common with another: what tells what the columns are is not said by one."""
        told = _told(without_list_mark(sentence))
        said = self._whole if is_row else self._own
        return bool(told.words) and any(each.says(told) for each in said)


def _told(text: str) -> _Statement:
    values = frozenset(value.key for value in extract_values(text))
    return _Statement(frozenset(content_words(text)), values, turning_words(text))

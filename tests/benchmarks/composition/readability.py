"""How a text reads, and how much of it is copied."""

from __future__ import annotations

import re

from phasergun_desktop.grounding.words import fold

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_VOWELS = re.compile(r"[aeiouy]+")
_RUN = 5


def flesch(sentences: list[str]) -> float | None:
    """Return Flesch's reading ease (about 100: easy, below 30: hard), None without words.

    Syllables are groups of vowels, a silent final e apart; numbers count as one.
    """
    words = [word for sentence in sentences for word in _WORD.findall(sentence)]
    if not words:
        return None
    syllables = sum(_syllables(word) for word in words)
    return 206.835 - 1.015 * len(words) / len(sentences) - 84.6 * syllables / len(words)


def words_per_sentence(sentences: list[str]) -> float | None:
    """Return the mean number of words, None without sentences."""
    counts = [len(_WORD.findall(sentence)) for sentence in sentences]
    return sum(counts) / len(counts) if counts else None


def copied_words(text: str, quotes: list[str]) -> tuple[int, int]:
    """Return how many words of ``text`` stand in a run of five (or the whole of a shorter text)
    that a quote has too, and how many words it has."""
    words = _WORD.findall(fold(text))
    length = min(_RUN, len(words))
    known = {
        tuple(quoted[at : at + length])
        for quoted in (_WORD.findall(fold(quote)) for quote in quotes)
        for at in range(len(quoted) - length + 1)
    }
    copied: set[int] = set()
    for at in range(len(words) - length + 1):
        if length and tuple(words[at : at + length]) in known:
            copied.update(range(at, at + length))
    return len(copied), len(words)


def _syllables(word: str) -> int:
    bare = word.lower()
    count = len(_VOWELS.findall(bare))
    if bare.endswith("e") and not bare.endswith(("le", "ee")) and count > 1:
        count -= 1
    return max(1, count)

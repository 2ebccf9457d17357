"""Hunspell: whether a word is in the dictionary of a language, and what it may have been."""

from __future__ import annotations

from pathlib import Path


class HunspellDictionary:
    """One language; for one thread at a time. ``knows`` takes microseconds, ``suggestions`` up to
    some 70 ms."""

    def __init__(self, folder: Path, language: str) -> None:
        # Native code: loaded when a dictionary is, beside the window's thread.
        from hunspell import Hunspell  # noqa: PLC0415

        # On Windows the library opens files by names in UTF-8.
        self._hunspell = Hunspell(language, hunspell_data_dir=str(folder), system_encoding="UTF-8")

    def knows(self, word: str) -> bool:
        """Whether the word is in the dictionary in this form."""
        return bool(self._hunspell.spell(word))

    def suggestions(self, word: str) -> tuple[str, ...]:
        """Return words that this one may have been, the likeliest first."""
        return tuple(self._hunspell.suggest(word))

    def add(self, word: str) -> None:
        """Know and suggest another word until the program ends."""
        self._hunspell.add(word)

"""The dictionaries of the product, with the words of medical devices that they lack."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hunspell import Hunspell

# What dictionaries lack of the words of medical devices, a line each: as Americans write it, and
# as the British do where that differs.
TERMS_FILE = "terms.txt"
AMERICAN = "en_US"


def read_dictionary(folder: Path, language: str) -> Hunspell:
    """Return the dictionary of ``language`` in ``folder``; takes some 60 ms."""
    # Native code: loaded when a dictionary is, beside the window's thread.
    from hunspell import Hunspell  # noqa: PLC0415

    # On Windows the library opens files by names in UTF-8.
    dictionary = Hunspell(language, hunspell_data_dir=str(folder), system_encoding="UTF-8")
    for line in (folder / TERMS_FILE).read_text("utf-8").splitlines():
        dictionary.add(line.split()[0 if language == AMERICAN else -1])
    return dictionary


class Suggestions:
    """Suggests words for misspelt ones, by the American dictionary in ``folder``: a British word
    is one too. Reads the dictionary for the first word; safe on any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept = lru_cache(maxsize=512)(self._looked_up)

    def __call__(self, word: str) -> tuple[str, ...]:
        """Return what ``word`` may have been; nothing where it is right. The first time it takes up
        to some 200 ms."""
        return self._kept(word)

    def _looked_up(self, word: str) -> tuple[str, ...]:
        return () if self._dictionary.spell(word) else tuple(self._dictionary.suggest(word))

    @cached_property
    def _dictionary(self) -> Hunspell:
        return read_dictionary(self._folder, AMERICAN)
